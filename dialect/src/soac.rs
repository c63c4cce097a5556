//! Typed accessors of the `soac` dialect, generated from `td/SoacOps.td`.

// What is generated has the documentation of the operations only.
#![allow(missing_docs)]

melior::dialect! {
    name: "soac",
    files: ["SoacOps.td"],
    include_directory_env_vars: ["AD_TD_DIR"],
}

pub use soac::*;
