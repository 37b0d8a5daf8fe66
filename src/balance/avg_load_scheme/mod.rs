//! 4.19's scheme: groups are compared by average load, and an amount of load moves (spec 4.8).
//!
//! Everything else of a pass (who balances, the busiest queue, detaching, exits) is shared with later releases.
//! Not modelled: packing by priority, and 4.19's rule for unequal capacities.

mod amount;
mod decide;
mod history;
mod stats;

pub use amount::calculate_imbalance;
pub use decide::find_busiest_group;
pub use history::{LoadHistory, load_index};
pub use stats::{AvgLoadStats, AvgLoadType};
