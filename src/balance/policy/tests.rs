//! Expressions: what they are worth, how they are spelled, where they are wrong.

use super::*;
use proptest::prelude::*;

fn inputs() -> Inputs {
    let values = [400_000, 1, 500_000, 20_000, 3_000, 2, 700, 512, 1, 8, 6, 16];
    Input::ALL.iter().zip(values).fold(Inputs::NONE, |all, ((input, _, _), value)| all.with(*input, value))
}

fn value(text: &str) -> Option<i64> {
    Policy::parse(text).unwrap_or_else(|error| panic!("{text}: {error}")).value(&inputs())
}

#[test]
fn inputs_stand_at_their_own_places() {
    for (place, (input, name, what)) in Input::ALL.into_iter().enumerate() {
        assert_eq!(input as usize, place);
        assert_eq!((Input::find(name), input.name()), (Some(input), name));
        assert!(!what.is_empty());
    }
}

#[test]
fn expressions_have_the_value_that_people_expect() {
    for (text, expected) in [
        ("1+2*3", 7),
        ("(1+2)*3", 9),
        ("7-2-1", 4),
        ("100/7/2", 7),
        ("-7/2", -3),
        ("--3", 3),
        ("2 - -3", 5),
        ("500us", 500_000),
        ("2ms+1s", 1_002_000_000),
        ("avg_idle >= 400us", 1),
        ("avg_idle<migration_cost", 1),
        ("not avg_idle < 1", 1),
        ("not not 7", 1),
        ("3 and 4", 1),
        ("3 && 0 || 2", 1),
        ("0 or 0", 0),
        ("1 or 0 and 0", 1),
        ("1 < 2 and 2 < 3", 1),
        ("(1 < 2) == 1", 1),
        ("min(3, max(1, 2))", 2),
        ("if(level, cpus, 99)", 8),
        ("if(level == 0, cpus, 99) + 1", 100),
        ("9223372036854775807 + 1", i64::MAX),
        ("-9223372036854775807 - 2", i64::MIN),
        ("9223372036854775807 * -2", i64::MIN),
        ("migration_cost * nr_busy / llc_cpus", 187_500),
    ] {
        assert_eq!(value(text), Some(expected), "{text}");
    }
}

#[test]
fn only_what_is_needed_is_looked_at() {
    for text in ["overload or 1/curr_cost", "if(1, 2, 1/(level-1))", "0 and 1/(level-1)", "1 or 1/(level-1)"]
    {
        assert!(value(text).is_some(), "{text}");
    }
    for text in ["1/(level-1)", "1 and 1/(level-1)", "if(0, 2, 1/(level-1))", "min(1, 1/(level-1))"] {
        assert_eq!(value(text), None, "{text}");
    }
}

#[test]
fn errors_name_the_column() {
    for (text, column, part) in [
        ("", 1, "a value is expected and not the end"),
        ("avg_idle <", 11, "a value is expected and not the end"),
        ("avg_idle > 5 6", 14, "an operator is expected and not 6"),
        ("avg_idle > foo", 12, "foo is no input; there are avg_idle,"),
        ("(1 + 2", 7, ") is expected and not the end"),
        ("1 + 2)", 6, "an operator is expected and not )"),
        ("min(1)", 6, ", is expected and not )"),
        ("if(1,2,3,4)", 9, ") is expected and not ,"),
        ("if", 3, "( is expected and not the end"),
        ("1 < 2 < 3", 7, "comparisons do not chain"),
        ("1 / 0", 5, "is a division by 0"),
        ("avg_idle > 3 / (2 - 2)", 16, "is a division by 0"),
        ("if(level, 1/0, 2)", 13, "is a division by 0"),
        ("5 % 2", 3, "\"%\" has no meaning"),
        ("1 = 1", 3, "\"=\" has no meaning"),
        ("é < 1", 1, "\"é\" has no meaning"),
        ("1 + é", 5, "\"é\" has no meaning"),
        ("5 > 3sec", 5, "sec is no unit"),
        ("99999999999999999999", 1, "the number is larger than"),
        ("9223372036854775807s", 1, "the number is larger than"),
        ("1.5", 2, "\".\" has no meaning"),
    ] {
        let error = Policy::parse(text).unwrap_err();
        assert_eq!(error.column, column, "{text}: {error}");
        assert!(error.what.contains(part), "{text}: {error}");
    }
}

#[test]
fn length_and_depth_are_bounded() {
    let long = "1+".repeat(LONGEST);
    assert!(Policy::parse(&long).unwrap_err().what.contains("longer than"));
    for deep in ["(".repeat(300), "-".repeat(300), "not ".repeat(99), "min(1,".repeat(60)] {
        assert!(Policy::parse(&deep).unwrap_err().what.contains("nested more than"), "{deep}");
    }
    // The longest and the deepest that are taken can be run.
    let row = format!("{}1", "1+".repeat(LONGEST / 2 - 1));
    assert_eq!(Policy::parse(&row).unwrap().value(&inputs()), Some(LONGEST as i64 / 2));
    let open = "1<1+1*(".repeat(16);
    let nested = format!("{open}1{}", ")".repeat(16));
    assert!(Policy::parse(&nested).unwrap().value(&inputs()).is_some());
    let open = "1<1+1*min(1,".repeat(16);
    let nested = format!("{open}1{}", ")".repeat(16));
    assert!(Policy::parse(&nested).unwrap().value(&inputs()).is_some());
}

#[test]
fn the_spelling_is_canonical() {
    for (text, canonical) in [
        (" ( avg_idle )>= (migration_cost*nr_busy)/llc_cpus ", "avg_idle>=migration_cost*nr_busy/llc_cpus"),
        ("1-(2-3)", "1-(2-3)"),
        ("(1-2)-3", "1-2-3"),
        ("(1<2)==(2<3)", "(1<2)==(2<3)"),
        ("not (1 and 2) || 3 && 4", "not (1 and 2) or 3 and 4"),
        ("-(1+2)*3", "-(1+2)*3"),
        ("if( level , 0007us , 2 )", "if(level,7us,2)"),
    ] {
        assert_eq!(Policy::parse(text).unwrap().text(), canonical);
    }
}

/// Any tree as text with brackets around everything.
fn trees() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        (0_i64..20).prop_map(|n| n.to_string()),
        (0..Input::ALL.len()).prop_map(|i| Input::ALL[i].1.to_owned()),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        let op =
            prop::sample::select(vec!["+", "-", "*", "/", "<", "<=", ">", ">=", "==", "!=", " and ", " or "]);
        prop_oneof![
            (inner.clone(), op, inner.clone()).prop_map(|(a, op, b)| format!("({a}){op}({b})")),
            inner.clone().prop_map(|a| format!("-({a})")),
            inner.clone().prop_map(|a| format!("not ({a})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("min({a},{b})")),
            (inner.clone(), inner.clone(), inner).prop_map(|(a, b, c)| format!("if({a},{b},{c})")),
        ]
    })
}

proptest! {
    #[test]
    fn a_canonical_text_is_the_same_policy(text in trees()) {
        // Some are refused (too long, a division by a constant 0); the rest must come back.
        if let Ok(policy) = Policy::parse(&text) {
            let again = Policy::parse(policy.text()).unwrap();
            prop_assert_eq!(again.text(), policy.text());
            prop_assert_eq!(again.value(&inputs()), policy.value(&inputs()), "{}", policy.text());
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[a-z_0-9 +*/<>=!&|(),.é-]{0,40}") {
        match Policy::parse(&text) {
            Ok(policy) => { policy.value(&inputs()); }
            Err(error) => prop_assert!((1..=text.chars().count() + 1).contains(&error.column)),
        }
    }
}
