//! Builds td/Passes.td and cpp/PassShims.cpp with CMake.

include!("../cmake/archive.rs");

fn main() {
    let dialect = PathBuf::from(env::var_os("DEP_ADDIALECT_INCLUDE").expect("set by ad-dialect"));
    build_archive(
        "passes",
        &[("AD_DIALECT_INCLUDE", &dialect)],
        &["passes/td", "passes/cpp", "dialect/cpp"],
    );
}
