//! What holds for every import.
