//! A run as text and bytes that the usual tools read: `/proc/schedstat`, the kernel's trace file, a Perfetto trace,
//! tables over time, rt-app's JSON. Everything here is a pure function of what was observed.

mod ftrace;
mod names;
mod perfetto;
mod proto;
mod rtapp;
mod schedstat;
mod series;

pub use ftrace::ftrace;
pub use names::Names;
pub use perfetto::perfetto;
pub use rtapp::rt_app;
pub use schedstat::{Schedstat, SchedstatVersion, schedstat};
pub use series::{Sample, Series};
