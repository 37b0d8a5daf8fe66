//! A scenario with some of its settings changed, as a sweep asks for it.

use super::keys::Key;
use super::link::Pairs;
use super::report::Report;
use super::{Scenario, Warning, read, write};

impl Scenario {
    /// The same scenario with these settings, (key, value) as in a link, in the place of its own. Everything
    /// that could not be used is said, as by [`Scenario::parse`]. Parameters of a workload that gives way to
    /// another one go with it.
    pub fn with(&self, settings: &[(String, String)]) -> (Self, Vec<Warning>) {
        let given = |name: &str| settings.iter().find(|(key, _)| key == name);
        let stays = given(Key::Workload.name()).is_none_or(|(_, kind)| *kind == self.workload.kind);
        let own = format!("{}.", self.workload.kind);
        let mut pairs = Pairs::default();
        // The machine is put back below: a packed one would be packed and unpacked for each point.
        for (key, value) in write::pairs_but_machine(self) {
            if stays || !(key.starts_with(&own) || key == Key::Replay.name()) {
                pairs.put(key, value);
            }
        }
        for (key, value) in settings {
            pairs.put(key.clone(), value.clone());
        }
        let mut report = Report::default();
        let mut scenario = read::read(pairs, &mut report);
        if given(Key::Machine.name()).is_none() {
            scenario.machine = self.machine.clone();
        }
        (scenario, report.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(link: &str, settings: &[(&str, &str)]) -> (String, Vec<String>) {
        let settings: Vec<_> = settings.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        let (scenario, warnings) = Scenario::parse(link).0.with(&settings);
        (scenario.fragment(), warnings.into_iter().map(|w| w.text).collect())
    }

    #[test]
    fn a_setting_takes_the_place_of_the_same_one_and_of_no_other() {
        let link = "release=4.19&newidle_gate=both&machine=laptop-4x2&load=0.5&cost.tick=2us";
        let (fragment, said) = with(link, &[("load", "1.1"), ("seed", "3")]);
        let expected =
            "release=4.19&newidle_gate=both&machine=laptop-4x2&load=1.1&seed=3&cost.tick=2us".to_owned();
        assert_eq!((fragment, said), (expected, vec![]));
        assert_eq!(with(link, &[]).0, Scenario::parse(link).0.fragment());
    }

    #[test]
    fn parameters_leave_with_their_workload() {
        let link = "workload=sleepers&sleepers.hogs=2";
        assert_eq!(with(link, &[("workload", "hogs")]), ("workload=hogs".to_owned(), vec![]));
        assert_eq!(with(link, &[("workload", "sleepers")]).0, link);
    }

    #[test]
    fn what_cannot_be_used_is_said() {
        let (_, said) = with("", &[("laod", "1"), ("hz", "7")]);
        assert_eq!(said.len(), 2, "{said:?}");
    }
}
