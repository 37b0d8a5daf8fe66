//! Where everything of the tree lies and how it moves: pure geometry and animation state. Nothing in here
//! knows a canvas, a browser or a colour, so plain native tests hold it (`tests/tree_plan.rs`).

pub mod attempts;
pub mod dots;
pub mod flights;
pub mod flows;
pub mod geom;
pub mod hit;
pub mod lanes;
pub mod layout;
pub mod measure;
pub mod nest;
pub mod place;
pub mod rates;
pub mod route;
pub mod shares;
pub mod tags;
pub mod walk;
