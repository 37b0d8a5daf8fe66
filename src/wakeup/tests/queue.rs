//! Which wake-ups are queued.

use super::super::queues;
use super::*;

#[test]
fn wake_ups_across_caches_are_queued_and_later_those_to_empty_cpus_too() {
    // (from, to, shares the cache, tasks there, queued in 4.19, queued later)
    let rows = [
        (0, 5, false, 3, true, true),
        (0, 5, false, 0, true, true),
        (0, 1, true, 0, false, true),
        (0, 1, true, 1, false, false),
        (0, 0, true, 0, false, false),
    ];
    for (from, to, near, nr, old, new) in rows {
        for release in Release::ALL {
            let expected = if release == Release::V4_19 { old } else { new };
            let got = queues(&Rules::of(release), from, to, near, nr, &mut ());
            assert_eq!(got, expected, "{release:?} {from} {to} {nr}");
        }
    }
}
