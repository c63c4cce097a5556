//! Typed accessors of the `ad` dialect, generated from `td/AdOps.td`.

// What is generated has the documentation of the operations only.
#![allow(missing_docs)]

melior::dialect! {
    name: "ad",
    files: ["AdOps.td"],
    include_directory_env_vars: ["AD_TD_DIR"],
}

pub use ad::*;
