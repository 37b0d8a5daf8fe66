//! The kinds of workload and their parameters: the one list that the URL, the page and the checks read.

use crate::scenario::WorkloadSpec;

/// How a parameter is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Nanoseconds; written with a unit, `200us`.
    Time,
    /// A plain number.
    Count,
    /// A nice level; written -20 to 19, kept as 0 to 39.
    Nice,
}

/// One parameter of a workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    /// Name in a URL.
    pub name: &'static str,
    /// How it is written.
    pub unit: Unit,
    /// Value when left out.
    pub default: u64,
    /// Smallest value.
    pub min: u64,
    /// Largest value.
    pub max: u64,
    /// One sentence for people.
    pub help: &'static str,
}

/// One kind of workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Name in a URL.
    pub name: &'static str,
    /// One sentence for people.
    pub help: &'static str,
    /// What a unit of finished work is called.
    pub unit_of_work: &'static str,
    /// Parameters in the order of a URL.
    pub params: &'static [Param],
}

const US: u64 = 1_000;
const MS: u64 = 1_000_000;
const S: u64 = 1_000_000_000;

const fn time(name: &'static str, default: u64, min: u64, max: u64, help: &'static str) -> Param {
    Param { name, unit: Unit::Time, default, min, max, help }
}

const fn count(name: &'static str, default: u64, min: u64, max: u64, help: &'static str) -> Param {
    Param { name, unit: Unit::Count, default, min, max, help }
}

const fn nice(name: &'static str, help: &'static str) -> Param {
    Param { name, unit: Unit::Nice, default: 20, min: 0, max: 39, help }
}

/// All kinds.
pub const KINDS: &[Kind] = &[
    Kind {
        name: "requests",
        help: "Requests arrive on their own schedule and wait for a free worker (open loop).",
        unit_of_work: "requests",
        params: &[
            time("service", 200 * US, US, S, "Mean work of a request; exponential."),
            count("workers", 4, 1, 1_000, "Worker tasks a CPU."),
            count(
                "rate",
                0,
                0,
                100_000_000,
                "Requests a second at load 1; 0: as many as the CPUs could serve.",
            ),
            count(
                "hops",
                0,
                0,
                16,
                "Workers that a request passes through after the first; they share its work.",
            ),
        ],
    },
    Kind {
        name: "sleepers",
        help: "Threads that run and sleep in turn, each on its own timer, beside hogs that never sleep.",
        unit_of_work: "rounds",
        params: &[
            time("run", 200 * US, US, S, "Mean run; uniform from half to one and a half."),
            count("threads", 3, 0, 1_000, "Threads a CPU."),
            count("hogs", 0, 0, 10_000, "Tasks that never sleep, on top of the load, in all."),
            nice("nice", "Nice level of the threads."),
            count(
                "from",
                0,
                0,
                4_095,
                "First CPU the threads may use, counted node by node and core by core.",
            ),
            count("cpus", 0, 0, 4_096, "How many CPUs from there on they may use; 0 is all CPUs."),
            count(
                "apart",
                0,
                0,
                4_095,
                "How far on a second range of as many CPUs begins; 0: there is none.",
            ),
            nice("hog_nice", "Nice level of the hogs."),
            count("hog_idle", 0, 0, 1, "1: the hogs are SCHED_IDLE."),
            count("hog_from", 0, 0, 4_095, "First CPU the hogs may use."),
            count("hog_cpus", 0, 0, 4_096, "How many CPUs from there on they may use; 0 is all CPUs."),
            count("start", 0, 0, 1, "1: all start on the first CPU they may use; 0: spread."),
        ],
    },
    Kind {
        name: "periodic",
        help: "Periodic tasks: each runs a fixed share of its period, as rt-app's do.",
        unit_of_work: "periods",
        params: &[
            time("period", 16 * MS, 100 * US, 10 * S, "Period of every task."),
            count("threads", 2, 1, 1_000, "Tasks a CPU."),
        ],
    },
    Kind {
        name: "spinners",
        help: "A number of threads that spin and sleep for given times; the load says how many of them.",
        unit_of_work: "rounds",
        params: &[
            count("threads", 12, 1, 10_000, "Threads in all."),
            count("hogs", 0, 0, 10_000, "Tasks that never sleep, in all."),
            time("run_min", 400 * US, US, S, "Shortest run; uniform up to the longest."),
            time("run_max", 800 * US, US, S, "Longest run."),
            time("sleep_min", 2 * MS, US, 10 * S, "Shortest sleep after a run; uniform up to the longest."),
            time("sleep_max", 6 * MS, US, 10 * S, "Longest sleep."),
            time(
                "create",
                0,
                0,
                S,
                "Work of a parent before it creates each of them, one after another; 0: all exist from the start.",
            ),
        ],
    },
    Kind {
        name: "hogs",
        help: "Tasks that never sleep; the load level says how many a CPU.",
        unit_of_work: "slices of 1 ms",
        params: &[count("max", 2, 1, 100, "Tasks a CPU that exist; the load decides how many run.")],
    },
    Kind {
        name: "pipes",
        help: "Pairs of tasks that pass a message back and forth: each wakes the other and sleeps.",
        unit_of_work: "round trips",
        params: &[
            time("work", 20 * US, 100, S, "Mean work on a message; uniform from half to one and a half."),
            count("pairs", 2, 1, 1_000, "Pairs a CPU."),
            count("sync", 1, 0, 1, "1: the waker says that it is about to sleep (WF_SYNC)."),
        ],
    },
    Kind {
        name: "schbench",
        help: "Message threads that wake workers, as schbench's; the load says how many of the workers take part.",
        unit_of_work: "requests",
        params: &[
            count("messengers", 1, 1, 1_000, "Message threads."),
            count("workers", 0, 0, 10_000, "Workers of each; 0: together one a CPU."),
            time("think", 100 * US, 0, 10 * S, "Sleep of a woken worker before its work."),
            time("work", 5 * MS, 0, S, "Mean work of a request; uniform from half to one and a half."),
            time("message", US, 100, S, "Work of a message thread for each worker that it wakes."),
        ],
    },
    Kind {
        name: "hackbench",
        help: "Groups of senders and receivers that pass messages, as hackbench's; the load says how many groups do.",
        unit_of_work: "messages",
        params: &[
            count("groups", 4, 1, 10_000, "Groups."),
            count("fan", 20, 1, 1_000, "Senders of a group, and as many receivers."),
            count("socket", 0, 0, 1, "1: sockets, 0: pipes."),
            time(
                "send",
                2 * US,
                100,
                S,
                "Mean work to write a message; uniform from half to one and a half.",
            ),
            time("receive", US, 100, S, "Mean work to read one; likewise."),
        ],
    },
    Kind {
        name: "netperf",
        help: "Clients and servers that exchange one small message at a time, as TCP_RR and UDP_RR; the load says how many pairs do.",
        unit_of_work: "round trips",
        params: &[
            count("pairs", 0, 0, 10_000, "Pairs in all; 0: one a CPU."),
            time("client", 8 * US, 100, S, "Mean work of a client; uniform from half to one and a half."),
            time("server", 8 * US, 100, S, "Mean work of a server; likewise."),
        ],
    },
    Kind {
        name: "tbench",
        help: "Clients and servers of files over loopback, as tbench's; the load says how many pairs take part.",
        unit_of_work: "round trips",
        params: &[
            count("pairs", 0, 0, 10_000, "Pairs in all; 0: one a CPU."),
            time("client", 15 * US, 100, S, "Mean work of a client; uniform from half to one and a half."),
            time("server", 20 * US, 100, S, "Mean work of a server; likewise."),
        ],
    },
    Kind {
        name: "oltp",
        help: "Database clients with one transaction at a time: work, IO, a lock; the load says how many take part.",
        unit_of_work: "transactions",
        params: &[
            count("clients", 4, 1, 1_000, "Clients a CPU."),
            time("think", 0, 0, 10 * S, "Mean think time before a transaction; exponential."),
            time("work", MS, US, S, "Mean work of a transaction in all its steps; each exponential."),
            count("steps", 4, 1, 1_000, "Steps of a transaction, with an IO wait after each."),
            time("io", 200 * US, 0, 10 * S, "Mean IO wait; exponential."),
            count("locks", 64, 1, 100_000, "Locks, of which a transaction takes one at its end."),
            time("hold", 10 * US, 0, S, "Work while it holds the lock."),
        ],
    },
    Kind {
        name: "frames",
        help: "Streams of frames, each cut into pieces for a pool of threads, as video encoders do.",
        unit_of_work: "frames",
        params: &[
            count("streams", 0, 0, 10_000, "Streams in all; 0: one for every 4 CPUs."),
            count("threads", 16, 1, 1_000, "Threads of a stream, each with one piece of a frame."),
            time("run_min", 100 * US, US, S, "Shortest piece; uniform up to the longest."),
            time("run_max", 2 * MS, US, S, "Longest piece."),
        ],
    },
    Kind {
        name: "stress",
        help: "Workers that are busy for a share of their time, as stress-ng's; the load is that share, at most 1.",
        unit_of_work: "slices",
        params: &[
            count("workers", 0, 0, 10_000, "Workers in all; 0: one a CPU."),
            time("slice", 10 * MS, 10 * US, S, "How long a worker is busy before it sleeps."),
        ],
    },
    Kind {
        name: "forks",
        help: "Parents that fork a burst of children, wait until all have exited, and begin again, as make does.",
        unit_of_work: "children",
        params: &[
            time("work", 2 * MS, US, 10 * S, "Mean work of a child; exponential."),
            count("parents", 0, 0, 10_000, "Parents in all; 0 is one a CPU."),
            count("burst", 4, 1, 10_000, "Children of a burst."),
            count("exec", 1, 0, 1, "1: children exec before their work."),
        ],
    },
];

/// Name of the kind that plays recorded tasks again. It stands apart from [`KINDS`], since it can be chosen only where
/// there are some.
pub const REPLAY: &str = "replay";

const REPLAY_KIND: Kind = Kind {
    name: REPLAY,
    help: "Recorded tasks: each runs, sleeps and wakes others as in a trace or an rt-app file. Load 1 is as recorded.",
    unit_of_work: "runs",
    params: &[],
};

/// The kind of that name.
pub fn kind(name: &str) -> Option<&'static Kind> {
    KINDS.iter().chain([&REPLAY_KIND]).find(|k| k.name == name)
}

/// The values of a spec's parameters, defaults filled in.
pub(super) struct Values {
    values: Vec<(&'static str, u64)>,
}

impl Values {
    /// Checks names and ranges. The error is one sentence.
    pub(super) fn new(spec: &WorkloadSpec) -> Result<Self, String> {
        let Some(kind) = kind(&spec.kind) else {
            return Err(format!("{} is not a workload.", spec.kind));
        };
        let mut values: Vec<_> = kind.params.iter().map(|p| (p.name, p.default)).collect();
        for (name, value) in &spec.params {
            let Some(at) = kind.params.iter().position(|p| p.name == name) else {
                return Err(format!("{name} is not a parameter of {}.", kind.name));
            };
            let param = &kind.params[at];
            if !(param.min..=param.max).contains(value) {
                return Err(format!("{name} = {value} is outside {} to {}.", param.min, param.max));
            }
            values[at].1 = *value;
        }
        Ok(Self { values })
    }

    /// The value of a parameter the kind has; 0 for any other.
    pub(super) fn get(&self, name: &str) -> u64 {
        self.values.iter().find(|v| v.0 == name).map_or(0, |v| v.1)
    }
}
