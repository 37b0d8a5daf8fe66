//! Text that the usual tools read: schedstat, traces, CSV. Nothing is written out yet.
