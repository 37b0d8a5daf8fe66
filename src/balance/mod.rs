//! The balancer's decisions as pure functions, and the rules of each release as data.
//!
//! This room knows no event queue and no world: it is given the values it reads and returns what it decided.
//! Every decision function takes a [`Why`] sink; with `&mut ()` a run without a reader pays nothing for it.
//!
//! | step of a pass | functions |
//! |---|---|
//! | new-idle: may it start, which levels run, what it cost | [`gate`], [`level`], [`stops`], [`book_pass`] |
//! | the same by a policy of the user's own | [`policy`] |
//! | how long the CPU expects to be idle | [`AvgIdle`] |
//! | periodic: is a level due, what an exit does to its pace | [`intervals`] |
//! | who balances for a group | [`should_we_balance`] |
//! | statistics, busiest group, amount (6.x) | [`GroupStats::add`], [`find_busiest_group`] |
//! | the same by average loads (4.19) | [`avg_load_scheme`] |
//! | the busiest queue | [`find_busiest_queue`] |
//! | which tasks move | [`Walk`], [`can_migrate_task`], [`size_test`] |
//! | pushing the running task | [`need_active_balance`] |
//! | idle CPUs without a tick | [`nohz`] |
//! | the root domain's overload flag | [`overload`] |

mod active;
mod amount;
mod avg_idle;
pub mod avg_load_scheme;
mod busiest;
mod classify;
mod cost;
mod designated;
mod detach;
mod gather;
mod group;
mod imbalance;
pub mod intervals;
mod kept;
mod movable;
mod newidle;
pub mod nohz;
pub mod overload;
pub mod policy;
mod queue;
pub mod rules;
#[cfg(test)]
mod tests;
mod types;
mod why;

pub use active::{ActiveInput, migration_type_of, need_active_balance, stopper_moves};
pub use amount::{Amount, DomainSum, adjust_numa_imbalance, calculate_imbalance};
pub use avg_idle::{AvgIdle, IdleEnd, averaged};
pub use busiest::{capacity_greater, pick_busiest};
pub use classify::classify;
pub use cost::{CostSum, NewidleCost, NewidleStats, Now, PassReport, book_pass};
pub use designated::{DesignatedInput, should_we_balance};
pub use detach::{SizeInput, Step, Walk, loop_max, size_test};
pub use gather::cfs_tasks;
pub use group::{Decision, find_busiest_group};
pub use imbalance::{is_imbalanced, prefers_siblings, sibling_imbalance};
pub use intervals::{Exit, ExitInput, IntervalInput, Pace};
pub use kept::KeptGroups;
pub use movable::{HotInput, Locality, Movable, MoveInput, TaskInput, can_migrate_task, task_hot};
pub use newidle::{
    GateInput, GateOutcome, LevelInput, LevelOutcome, StopInput, gate, level, stops, success_weight,
};
pub use queue::{QueueCandidate, find_busiest_queue};
pub use rules::Rules;
pub use types::{CpuStats, CpuView, DomainView, GroupStats, GroupType, IdleType, MigrationType};
pub use why::{Condition, Op, Subject, Why};
pub(crate) use why::{Test, fact, test};

/// `sysctl_sched_migration_cost` as a number of ns to compare costs with. It is unsigned in the kernel, so
/// that -1 (always hot) is about 4.3 s there.
pub fn migration_cost_ns(migration_cost: i64) -> u64 {
    u64::try_from(migration_cost).unwrap_or(u64::from(u32::MAX))
}
