//! The canvas tree: the scheduling domains of a machine as wires, its CPUs as cells, tasks on their way.
//!
//! `plan` is the pure part: where everything lies and how it moves. `still` paints what stands, once a
//! layout; `paint`, `cell` and `air` what changes, each frame; `view` keeps the state of both canvases and
//! `panel` is the component. This room draws frames and knows no rule of the scheduler.

mod air;
mod brush;
mod card;
mod cell;
mod legend;
mod marks;
mod paint;
mod panel;
mod plan;
mod say;
mod still;
mod view;

pub use legend::legend;
pub use panel::TreePanel;
pub use plan::measure::Stage;
