//! A running world in a host's hands: commands in, frames out. The same [`Host`] serves the page's worker,
//! the npm package and native tests. It knows no clock: the host says how far to go.

mod history;
mod protocol;
mod report;
mod serve;

pub use history::WINDOW;
pub use protocol::{Ask, Command, Reply, StepTo};
pub use report::{Gate, Migrations, Quantiles, Report, Row, Shares};
pub use serve::Host;
