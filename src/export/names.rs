//! What tasks are called in a trace, and their numbers.

use crate::observe::tape::Who;
use crate::topology::Machine;

/// Number of the first task; those of stoppers lie below.
const FIRST_TASK: u32 = 10_000;
/// Number of the first stopper: CPU 0's.
const FIRST_STOPPER: u32 = 10;
/// A priority of nice 0.
const PRIO_NICE_0: i32 = 120;

/// A task as a trace names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// At most 15 bytes.
    pub comm: String,
    /// Thread number; 0 is idle.
    pub pid: u32,
    /// As the kernel prints it: 120 is nice 0, 0 the stopper.
    pub prio: i32,
}

/// The kernel keeps 15 bytes.
fn shortened(comm: &str) -> String {
    let end = (0..=comm.len().min(15)).rev().find(|end| comm.is_char_boundary(*end));
    comm[..end.unwrap_or(0)].to_owned()
}

/// Names and numbers of everything that runs.
#[derive(Clone, Debug)]
pub struct Names<'a> {
    machine: &'a Machine,
    nice: &'a [i8],
    comms: &'a [String],
}

impl<'a> Names<'a> {
    /// Names for a machine, the nice levels of its tasks by number, and their names where they have any.
    pub fn new(machine: &'a Machine, nice: &'a [i8], comms: &'a [String]) -> Self {
        Self { machine, nice, comms }
    }

    /// The kernel's number of a CPU.
    pub fn cpu(&self, index: u32) -> u32 {
        self.machine.cpus.get(index as usize).map_or(index, |cpu| cpu.id)
    }

    /// How many CPUs there are.
    pub fn cpus(&self) -> usize {
        self.machine.cpus.len()
    }

    /// Who is on the CPU with that index.
    pub fn who(&self, who: Who, cpu: u32) -> Named {
        let id = self.cpu(cpu);
        match who {
            Who::Idle => Named { comm: format!("swapper/{id}"), pid: 0, prio: PRIO_NICE_0 },
            Who::Stopper => Named { comm: format!("migration/{id}"), pid: FIRST_STOPPER + cpu, prio: 0 },
            Who::Task(task) => self.task(task),
        }
    }

    /// A task of the workload: without a name of its own `t7`, with the number 10007.
    pub fn task(&self, task: u32) -> Named {
        let nice = self.nice.get(task as usize).copied().unwrap_or(0);
        let prio = PRIO_NICE_0 + i32::from(nice);
        let comm = match self.comms.get(task as usize).filter(|comm| !comm.is_empty()) {
            Some(comm) => shortened(comm),
            None => format!("t{task}"),
        };
        Named { comm, pid: FIRST_TASK.saturating_add(task), prio }
    }
}
