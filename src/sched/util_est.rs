//! `util_est`: what a task is expected to use when it wakes, learnt at each sleep.
//!
//! Source of the rules: fair.c of 4.19, 6.1.192, 6.6 and 6.19 (`util_est_dequeue`, later `util_est_update`).

/// Changes below 1 % are not worth an update.
const MARGIN: u64 = 1_024 / 100;

/// The forms that the rule took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EstimateForm {
    /// A mean that creeps both ways, beside the last value (4.19).
    Slow,
    /// The mean jumps up and creeps down, beside the last value (6.1, 6.6).
    Enqueued,
    /// The mean alone, and not while the task had to wait for its time (6.8 and later).
    Ewma,
}

/// A task's estimate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UtilEst {
    /// The moving mean.
    pub ewma: u64,
    /// The last value; 0 where the release keeps none.
    pub enqueued: u64,
    /// `util_avg` at the last estimate; a sleep without change of it leaves the estimate alone.
    pub seen: u64,
}

impl UtilEst {
    /// The estimate (`_task_util_est`).
    pub fn value(&self) -> u64 {
        self.ewma.max(self.enqueued)
    }

    /// The task goes to sleep with these averages on a CPU of this capacity.
    pub fn sleep(&mut self, form: EstimateForm, util: u64, runnable: u64, capacity: u64) {
        if util == self.seen {
            return;
        }
        self.seen = util;
        match form {
            EstimateForm::Slow => self.slow(util),
            EstimateForm::Enqueued | EstimateForm::Ewma => self.fast(form, util, runnable, capacity),
        }
    }

    fn slow(&mut self, util: u64) {
        self.enqueued = util;
        if self.ewma.abs_diff(util) >= MARGIN {
            self.ewma = (3 * self.ewma + util) / 4;
        }
    }

    fn fast(&mut self, form: EstimateForm, util: u64, runnable: u64, capacity: u64) {
        let keeps_last = form == EstimateForm::Enqueued;
        let last = if keeps_last { util } else { 0 };
        if self.ewma < util {
            (self.ewma, self.enqueued) = (util, last);
            return;
        }
        if self.ewma - util < MARGIN {
            if keeps_last && self.enqueued.abs_diff(util) >= MARGIN {
                self.enqueued = util;
            }
            return;
        }
        let waited = !keeps_last && util + MARGIN < runnable;
        if util > capacity || waited {
            return;
        }
        self.enqueued = last;
        self.ewma = (3 * self.ewma + util) / 4;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(form: EstimateForm, sleeps: &[u64]) -> (u64, u64) {
        let mut e = UtilEst::default();
        sleeps.iter().for_each(|&util| e.sleep(form, util, util, 1024));
        (e.ewma, e.enqueued)
    }

    #[test]
    fn the_estimate_jumps_up_and_creeps_down() {
        assert_eq!(after(EstimateForm::Enqueued, &[400]), (400, 400));
        assert_eq!(after(EstimateForm::Enqueued, &[400, 200]), (350, 200));
        assert_eq!(after(EstimateForm::Enqueued, &[400, 200, 345]), (350, 345));
        assert_eq!(after(EstimateForm::Ewma, &[400, 200, 345]), (350, 0));
        assert_eq!(after(EstimateForm::Slow, &[400]), (100, 400));
        assert_eq!(after(EstimateForm::Slow, &[400, 200]), (125, 200));
        assert_eq!(after(EstimateForm::Slow, &[400, 109]), (100, 109));
    }

    #[test]
    fn what_did_not_change_is_not_looked_at() {
        let mut e = UtilEst { ewma: 300, enqueued: 300, seen: 200 };
        e.sleep(EstimateForm::Enqueued, 200, 200, 1024);
        assert_eq!(e.ewma, 300);
    }

    #[test]
    fn a_task_that_had_to_wait_or_a_cpu_that_was_too_small_teaches_nothing() {
        let start = UtilEst { ewma: 500, ..UtilEst::default() };
        for (form, runnable, capacity, ewma) in [
            (EstimateForm::Ewma, 310, 1024, 450),
            (EstimateForm::Ewma, 311, 1024, 500),
            (EstimateForm::Enqueued, 800, 1024, 450),
            (EstimateForm::Enqueued, 300, 299, 500),
            (EstimateForm::Ewma, 300, 299, 500),
        ] {
            let mut e = start;
            e.sleep(form, 300, runnable, capacity);
            assert_eq!(e.ewma, ewma, "{form:?} {runnable} {capacity}");
        }
    }
}
