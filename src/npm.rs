//! The JavaScript face of the npm package.
