//! Builds cpp/ with CMake.

include!("../../cmake/archive.rs");

fn main() {
    build_archive("driver", &[], &["tools/ad-opt/cpp"]);
    println!("cargo:rustc-link-arg=-Wl,-rpath,{}", llvm_prefix().join("lib").display());
}
