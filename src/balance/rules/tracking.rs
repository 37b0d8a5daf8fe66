//! How each release tracks load.

use super::choices::Choice;
use crate::sched::schedutil::Headroom;
use crate::sched::tracking::{Invariance, Misfit, TrackingRules};
use crate::sched::util_est::EstimateForm;

impl Choice for Invariance {
    const NAMES: &'static [(&'static str, Self)] =
        &[("contribution", Self::Contribution), ("time", Self::Time)];
}

impl Choice for EstimateForm {
    const NAMES: &'static [(&'static str, Self)] =
        &[("slow", Self::Slow), ("enqueued", Self::Enqueued), ("ewma", Self::Ewma)];
}

impl Choice for Misfit {
    const NAMES: &'static [(&'static str, Self)] =
        &[("off", Self::None), ("unfit", Self::Unfit), ("unfit_smaller", Self::UnfitSmaller)];
}

impl Choice for Headroom {
    const NAMES: &'static [(&'static str, Self)] = &[
        ("frequency", Self::Frequency),
        ("utilization", Self::Utilization),
        ("performance", Self::Performance),
    ];
}

pub(super) fn v4_19() -> TrackingRules {
    TrackingRules {
        invariance: Invariance::Contribution,
        util_est: EstimateForm::Slow,
        initial_util_scaled: true,
        misfit: Misfit::None,
        schedutil_boost: false,
        headroom: Headroom::Frequency,
    }
}

pub(super) fn v6_1() -> TrackingRules {
    TrackingRules {
        invariance: Invariance::Time,
        util_est: EstimateForm::Enqueued,
        misfit: Misfit::Unfit,
        headroom: Headroom::Utilization,
        ..v4_19()
    }
}

pub(super) fn v6_6() -> TrackingRules {
    TrackingRules { schedutil_boost: true, ..v6_1() }
}

pub(super) fn v6_12() -> TrackingRules {
    TrackingRules {
        util_est: EstimateForm::Ewma,
        initial_util_scaled: false,
        misfit: Misfit::UnfitSmaller,
        headroom: Headroom::Performance,
        ..v6_6()
    }
}
