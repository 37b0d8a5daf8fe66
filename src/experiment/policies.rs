//! The newidle gates to be held side by side, each as the switches that make it of release 6.6, so that two of
//! them differ in the gate and in nothing else.

/// A newidle policy with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GatePolicy {
    /// For links and scripts.
    pub name: &'static str,
    /// One sentence for people.
    pub about: &'static str,
    /// Switches, (key, value) as in a link.
    pub settings: &'static [(&'static str, &'static str)],
}

/// All of them.
pub const POLICIES: &[GatePolicy] = &[
    GatePolicy {
        name: "4.19",
        about: "A CPU must expect to be idle for migration_cost.",
        settings: &[("newidle_gate", "migration_cost")],
    },
    GatePolicy {
        name: "6.6",
        about: "A CPU must expect to be idle for the highest cost that its lowest domain remembers.",
        settings: &[("newidle_gate", "domain_cost")],
    },
    GatePolicy { name: "both", about: "Both of these.", settings: &[("newidle_gate", "both")] },
    GatePolicy {
        name: "6.17",
        about: "6.6's, and a pass that pulls nothing makes the remembered cost half as large again.",
        settings: &[("newidle_gate", "domain_cost"), ("newidle_cost_bump", "on")],
    },
    GatePolicy {
        name: "6.19",
        about: "6.6's, and a domain is looked at as often as that has pulled something (NI_RANDOM).",
        settings: &[("newidle_gate", "domain_cost"), ("ni_random", "on")],
    },
    GatePolicy {
        name: "7.1",
        about: "6.19's, and the fewer calls a second, the more of them run (NI_RATE).",
        settings: &[("newidle_gate", "domain_cost"), ("ni_random", "on"), ("ni_rate", "on")],
    },
    GatePolicy {
        name: "scaled",
        about: "6.6's, and a CPU must expect to be idle for migration_cost times the busy share of its cache.",
        settings: &[(
            "newidle_policy",
            "overload and avg_idle>=max(max_newidle_lb_cost,migration_cost*nr_busy/llc_cpus)",
        )],
    },
];

/// The policy of that name.
pub fn policy(name: &str) -> Option<&'static GatePolicy> {
    POLICIES.iter().find(|policy| policy.name == name)
}

/// The settings that stand for one value of the key `policy`: a name's own, or an expression for
/// `newidle_policy`.
pub fn settings(value: &str) -> Vec<(String, String)> {
    match policy(value) {
        Some(policy) => {
            policy.settings.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
        }
        None => vec![("newidle_policy".to_owned(), value.to_owned())],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Scenario;

    #[test]
    fn every_policy_can_be_set_and_differs_from_the_others() {
        let links: std::collections::BTreeSet<String> = POLICIES
            .iter()
            .map(|policy| {
                let (scenario, warnings) = Scenario::default().with(&settings(policy.name));
                assert_eq!(warnings, [], "{}", policy.name);
                scenario.fragment()
            })
            .collect();
        assert_eq!(links.len(), POLICIES.len());
    }

    #[test]
    fn what_is_no_name_is_an_expression() {
        assert_eq!(settings("avg_idle>1us")[0].0, "newidle_policy");
    }
}
