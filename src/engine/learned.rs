//! What domains have learned, so that one run can begin where another ended, as a workload does that is started on
//! a kernel that has run others.

use super::World;

impl World {
    /// The largest cost of a new-idle pass that each domain object remembers (`max_newidle_lb_cost`), ns: CPU by CPU,
    /// and for each as many levels as the deepest has.
    pub fn learned(&self) -> Vec<u64> {
        self.sds.iter().map(|sd| sd.cost.max).collect()
    }

    /// Begins with what a world of the same machine had learned. For a world at time 0; of another machine as much
    /// is taken as there is room for.
    pub fn learn(&mut self, costs: &[u64]) {
        for (sd, &cost) in self.sds.iter_mut().zip(costs) {
            sd.cost.max = cost;
        }
    }
}
