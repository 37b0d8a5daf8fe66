//! Where a waking or new task is placed: pure functions over a read-only view, with the reason for the choice.
//!
//! The waking path follows `select_task_rq_fair`, `wake_affine` and `select_idle_sibling` of 6.1 and 6.6 for
//! every release; the forking path is a simple form of `find_idlest_group`. `docs/differences.md` says what is
//! left out.

mod fork;
mod select;

pub use fork::idlest;
pub use select::{Choice, Reason, select};

/// What placement reads.
pub trait View {
    /// `idle_cpu`.
    fn idle(&self, cpu: usize) -> bool;
    /// Whether the task may run there.
    fn allowed(&self, cpu: usize) -> bool;
    /// Whether two CPUs share the last-level cache domain.
    fn shares_cache(&self, a: usize, b: usize) -> bool;
    /// CPUs of a CPU's last-level cache domain, ascending.
    fn llc(&self, cpu: usize) -> &[u32];
    /// CPUs of a CPU's core, itself included, ascending.
    fn siblings(&self, cpu: usize) -> &[u32];
    /// `has_idle_cores` of the CPU's cache.
    fn has_idle_cores(&self, cpu: usize) -> bool;
    /// `nr_idle_scan` of the CPU's cache: how many CPUs may be probed.
    fn scan_limit(&self, cpu: usize) -> u32;
    /// Tasks on a runqueue.
    fn nr_running(&self, cpu: usize) -> u32;
    /// `cfs load_avg`.
    fn load(&self, cpu: usize) -> u64;
    /// `cpu_util`.
    fn util(&self, cpu: usize) -> u64;
    /// Capacity, 1024 for the biggest CPU.
    fn capacity(&self, cpu: usize) -> u64;
    /// `load_avg` of the task.
    fn task_load(&self) -> u64;
    /// `recent_used_cpu` of the task.
    fn recent(&self) -> Option<usize>;
    /// `wakee_flips` of waker and wakee.
    fn wakee_flips(&self) -> (u32, u32);
    /// `imbalance_pct` of the first domain with SD_WAKE_AFFINE of `this` that holds `prev`; `None`: there is none.
    fn affine_pct(&self, this: usize, prev: usize) -> Option<u64>;
}
