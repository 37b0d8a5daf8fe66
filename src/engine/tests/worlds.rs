//! Tiny worlds whose whole log is written out in `tests/worlds/` and was read line by line against the rules: one
//! for each path of the balancer. `BALANCESCOPE_REWRITE=1 cargo test --lib worlds` writes them anew.

use super::world;
use crate::engine::{World, load};
use crate::observe::{Reason, What, lines};
use crate::sched::weight;
use std::fmt::Write;
use std::path::PathBuf;

/// A task that is put onto a CPU at time 0, runs for so long, and is never heard of again.
struct Put {
    cpu: usize,
    work_us: u64,
    /// The CPUs it may use; empty: all.
    allowed: &'static [usize],
    nice: i8,
}

const fn put(cpu: usize, work_us: u64) -> Put {
    Put { cpu, work_us, allowed: &[], nice: 0 }
}

const fn pinned(cpu: usize, work_us: u64, allowed: &'static [usize]) -> Put {
    Put { cpu, work_us, allowed, nice: 0 }
}

/// One world and what of its log is shown.
struct Tale {
    name: &'static str,
    /// The link, less what all tales share.
    link: &'static str,
    text: &'static str,
    tasks: &'static [Put],
    /// From and to, µs.
    shown: (u64, u64),
    /// Only what these CPUs do or have done for them; empty: all.
    cpus: &'static [u32],
}

/// No workload of its own, and costs without a tail.
const SHARED: &str = "workload=hogs&load=0&cost.tail_permille=0";

fn start(tale: &Tale) -> World {
    let mut w = world(&format!("{}&{SHARED}", tale.link));
    w.read_reasons(true);
    for (t, put) in tale.tasks.iter().enumerate() {
        w.tasks[t].nice = put.nice;
        w.tasks[t].weight = weight::of_nice(put.nice);
        let capacity = w.setup.capacity(put.cpu);
        let avg = load::initial(&w.setup.rules.tracking, &w.cpus[put.cpu].avg, w.tasks[t].weight, capacity);
        let se = w.cpus[put.cpu].rq.fork(t as u32, w.tasks[t].weight, &w.setup.picking);
        let task = &mut w.tasks[t];
        task.se = se;
        task.cpu = put.cpu as u32;
        task.avg = avg;
        task.left = put.work_us * 1000 * 1024;
        task.fresh = true;
        if !put.allowed.is_empty() {
            task.allowed = Some(put.allowed.iter().copied().collect());
        }
        w.activate(t as u32, put.cpu, false);
    }
    w
}

fn concerns(tale: &Tale, reason: &Reason) -> bool {
    let shown = |cpu: u32| tale.cpus.is_empty() || tale.cpus.contains(&cpu);
    match reason.what {
        What::Attempt(attempt) => shown(attempt.cpu),
        What::Overload(_) => true,
        _ => shown(reason.cpu),
    }
}

fn told(tale: &Tale) -> String {
    let mut w = start(tale);
    let mut out = format!("{}\n{}\n\n", tale.name, "=".repeat(tale.name.len()));
    let _ = writeln!(out, "#{}&{SHARED}\n", tale.link);
    let _ = writeln!(out, "{}\n", tale.text);
    for (t, put) in tale.tasks.iter().enumerate() {
        let only =
            if put.allowed.is_empty() { String::new() } else { format!(", only cpus {:?}", put.allowed) };
        let nice = if put.nice == 0 { String::new() } else { format!(", nice {}", put.nice) };
        let _ = writeln!(out, "task {t} on cpu {} for {} us{only}{nice}", put.cpu, put.work_us);
    }
    out.push('\n');
    let (from, to) = tale.shown;
    let mut ended = false;
    while !ended {
        ended = w.run_budget(to * 1000, 100);
        let (reasons, lost) = w.take_reasons();
        assert_eq!(lost, 0);
        for reason in reasons.iter().filter(|r| r.at_ns >= from * 1000 && concerns(tale, r)) {
            for line in lines(reason, w.machine(), w.tree()) {
                let _ = writeln!(out, "{line}");
            }
        }
    }
    assert_eq!(w.check_invariants(), Vec::<String>::new(), "{}", tale.name);
    out
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/worlds").join(format!("{name}.txt"))
}

#[test]
fn every_tale_is_told_as_it_was_read() {
    let rewrite = std::env::var_os("BALANCESCOPE_REWRITE").is_some();
    let mut differing = Vec::new();
    for tale in TALES {
        let (told, path) = (told(tale), file(tale.name));
        if rewrite {
            std::fs::write(&path, &told).unwrap();
        } else if std::fs::read_to_string(&path).unwrap_or_default() != told {
            differing.push(tale.name);
        }
    }
    assert!(
        differing.is_empty(),
        "{differing:?} are told differently: rewrite them, and read the difference"
    );
}

/// No file is left behind by a tale that is told no more.
#[test]
fn every_file_is_a_tale() {
    let folder = std::fs::read_dir(file("x").parent().unwrap()).unwrap();
    for entry in folder.map(Result::unwrap) {
        assert!(TALES.iter().any(|tale| file(tale.name) == entry.path()), "{:?}", entry.path());
    }
}

const TALES: &[Tale] = &[
    Tale {
        name: "newidle-pull",
        link: "release=6.6&machine=1x2x1",
        text: "CPU 1 runs out of work while task 1 waits on CPU 0. The overload flag was set when the second task was queued\n\
               there, and the lowest domain has cost nothing yet, so both gates of 6.6 let the pass through. CPU 1 is in\n\
               new-idle and not idle, hence its own group counts no idle CPU. Two tasks on one CPU make CPU 0 no more than a\n\
               group with spare capacity by its utilization, but it has more than one task: half of the difference of two\n\
               tasks is to move. The walk begins at the tail. Task 0 was picked first and is running; task 1 has never run\n\
               and is not hot. With kernel preemption a new-idle pass ends after one task.",
        tasks: &[put(0, 10_000), put(0, 10_000), put(1, 1_000)],
        shown: (0, 1_500),
        cpus: &[],
    },
    Tale {
        name: "gate-refusal",
        link: "release=6.6&machine=1x2x1",
        text: "No queue ever held two tasks, so the overload flag is clear and CPU 1 goes idle without looking at any domain.\n\
               The refusal comes after the wake-up and active tests, in this order, and takes no time of its own.\n\
               CPUs joined the idle mask at boot, so CPU 1 would have nohz.next_balance collated at its tick at 0.5 ms; but CPU 0,\n\
               the only other one in the mask, is not idle. Its own first busy tick has just taken CPU 1 out of it.",
        tasks: &[put(0, 10_000), put(1, 1_000)],
        shown: (0, 1_500),
        cpus: &[],
    },
    Tale {
        name: "gate-refusal-4.19",
        link: "release=4.19&machine=1x2x1&migration_cost=1001us",
        text: "Under 4.19 the first gate holds avg_idle, 1 ms at boot, against the migration cost, here a microsecond more.\n\
               The flag is set and a task waits on CPU 0, but neither is looked at.",
        tasks: &[put(0, 10_000), put(0, 10_000), put(1, 1_000)],
        shown: (0, 1_500),
        cpus: &[],
    },
    Tale {
        name: "overload-set-and-cleared",
        link: "release=6.6&machine=1x2x2",
        text: "CPUs 0 and 2 are one core, 1 and 3 the other. The second task on CPU 0 sets the flag, at once. CPU 0 is\n\
               idle 1 ms later and still finds it set, since nothing cleared it when the queue emptied. Its pass at SMT has a\n\
               parent and leaves the flag alone; the pass at MC, the top, sees no queue with two tasks and clears it. So CPU 3\n\
               is refused when it runs out of work at 2.1 ms, and CPU 2 at 4 ms. In between, ticks of the busy CPU 1 kick\n\
               CPU 0, for its cache has more than one busy CPU. The kick at 1.25 ms finds no domain due. At 2.25 ms CPU 0\n\
               serves CPU 3 first, which follows it in the mask, then itself; the MC domains, of 4 ms, are not due.",
        tasks: &[put(0, 500), put(0, 500), put(1, 20_000), put(2, 4_000), put(3, 2_100)],
        shown: (0, 5_000),
        cpus: &[],
    },
    Tale {
        name: "periodic-busy-pull",
        link: "release=6.6&machine=1x2x1",
        text: "Three tasks against one. CPU 1 is busy, so its interval of 2 ms counts 16-fold, less one jiffy: 31. At 31 ms\n\
               its own task's utilization, which started at half, leaves its group with spare capacity by the percentage of\n\
               117, and a busy CPU with spare capacity takes no whole tasks. That is a balanced exit: the interval doubles\n\
               to 4 ms, 63 jiffies, and the next pass is at 94. Then CPU 1 is fully busy and takes load: the room up to the\n\
               domain's average on its side, 1024, is less than the excess of 1025 on the other. Task 0 has run 2.5 ms ago\n\
               and is not hot; 1023 fits into 1024. What is left, 1, is too little for task 1.",
        tasks: &[put(0, 500_000), put(0, 500_000), put(0, 500_000), put(1, 500_000)],
        shown: (0, 100_000),
        cpus: &[1],
    },
    Tale {
        name: "nohz-kick",
        link: "release=6.6&machine=1x2x1",
        text: "CPU 1 has been idle since boot and has stopped its tick: nobody balances for it until CPU 0's tick kicks it.\n\
               CPU 0 has two tasks, reason enough. The kick at 1 ms moves nohz.next_balance on by a jiffy and finds CPU 1's\n\
               domain not due, for its interval is 2 ms. At 2 ms it is. The one task that is not running was preempted by\n\
               that very tick and is hot, and the level has failed too seldom to move it all the same. That counts as a\n\
               failure and the interval stays at its least. At 4 ms it is the same, with the other task waiting; at 6 ms\n\
               the level has failed twice, more than cache_nice_tries, and the hot task moves.\n\
               The first kick collates nohz.next_balance as well, for CPUs joined the mask at boot.",
        tasks: &[put(0, 50_000), put(0, 50_000)],
        shown: (0, 6_500),
        cpus: &[],
    },
    Tale {
        name: "lock-lost-6.6",
        link: "release=6.6&machine=2x1x1&cost.scan_remote=600us",
        text: "Two nodes of one CPU each, and remote CPUs that are slow to read, so that a pass takes more than half a jiffy.\n\
               NUMA domains are balanced one at a time. CPU 0 is due at its tick at 31 ms; CPU 1's tick comes half a jiffy\n\
               later. Up to 6.18 the lock is tried before anything else, and CPU 1 finds it taken. It leaves last_balance\n\
               alone, so it is still due at its next tick, one jiffy later, and then has the lock. Both groups carry the same\n\
               load: equal is balanced.",
        tasks: &[put(0, 500_000), put(0, 500_000), put(1, 500_000), put(1, 500_000)],
        shown: (0, 70_000),
        cpus: &[],
    },
    Tale {
        name: "lock-lost-6.19",
        link: "release=6.19&machine=2x1x1&cost.scan_remote=600us",
        text: "The same world under 6.19. The lock is tried after the due test and after should_we_balance. CPU 1 loses it at\n\
               31.5 ms, and that counts as a balanced pass: the interval doubles from 2 to 4 ms and last_balance moves on, so\n\
               the next try is 63 jiffies later and not one. CPU 0, balanced as well, has doubled its interval too, so the two\n\
               meet again and CPU 1 loses again.",
        tasks: &[put(0, 500_000), put(0, 500_000), put(1, 500_000), put(1, 500_000)],
        shown: (0, 96_000),
        cpus: &[1],
    },
    Tale {
        name: "active-balance",
        link: "release=6.6&machine=1x2x1",
        text: "Task 1 may only run on CPU 0 and is so light that task 0 runs nearly all the time. CPU 1, idle, is kicked and\n\
               finds two tasks on CPU 0: one is running, one is pinned. The running task lifts \"all pinned\", so each pass is\n\
               a failure, at 2, 4, 6 and 8 ms. At the fourth the counter is 4, above cache_nice_tries + 2, and what is to\n\
               move is counted in tasks: an active balance is started. The stopper preempts task 0 and counts as running\n\
               itself, so one task besides is enough. It walks from the tail, skips what hotness would say, and moves task 0.",
        tasks: &[put(0, 500_000), Put { nice: 19, ..pinned(0, 500_000, &[0]) }],
        shown: (0, 8_200),
        cpus: &[],
    },
    Tale {
        name: "pinned-tasks",
        link: "release=6.12&machine=1x2x2",
        text: "CPUs 0 and 2 are one core. Two tasks on CPU 0 may run nowhere else. CPU 2 runs out of work after 1 ms and\n\
               pulls from its sibling: every task is pinned and no other source is left. That sets the imbalance flag of the\n\
               core's group at MC, and the exit does not clear it. In the same pass at MC the own group is now imbalanced,\n\
               which is more than any other group is, so CPU 2 finds balance. CPU 3, idle after 3 ms, sees that group as\n\
               imbalanced: one task is to move, whatever the numbers say. Again all of CPU 0's tasks are pinned; CPU 0 is no\n\
               candidate any more, and the pass begins anew without it. What it now reads holds no queue of two tasks, and\n\
               as MC is the top, the overload flag is cleared although CPU 0 has two.",
        tasks: &[
            pinned(0, 50_000, &[0]),
            pinned(0, 50_000, &[0]),
            put(2, 1_000),
            put(1, 50_000),
            put(3, 3_000),
        ],
        shown: (0, 3_500),
        cpus: &[],
    },
    Tale {
        name: "misfit",
        link: "release=6.6&machine=biglittle-4p4",
        text: "CPUs 0 to 3 are small, 4 to 7 big. Task 0 runs alone on CPU 0 and never sleeps; after 22 ms its utilization, with\n\
               the margin of 1280, is more than the small CPU has. From then on every tick of CPU 0 kicks, since on a machine\n\
               of unequal capacities a misfit task does so and nothing else that a single task could do. CPU 1 is the first\n\
               idle one and serves the others. What it does for CPUs 2 and 3 is left out here: between small CPUs one task is\n\
               no reason to pull. CPU 4 is big. Its own MC domain is empty; at DIE the small CPUs' group is a misfit group that\n\
               CPU 4, much bigger, can help. Reading it sets the overload flag. With a single task on the source nothing can be\n\
               detached, so the running task is pushed: for a misfit task at once, whatever the counter of failures.\n\
               The kicks at 1 ms and at 22.5 ms only collate nohz.next_balance, for CPUs joined the idle mask at boot and CPU 0 did\n\
               once its task was gone.",
        tasks: &[put(0, 500_000)],
        shown: (0, 24_000),
        cpus: &[0, 4],
    },
];
