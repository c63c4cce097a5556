//! Builds td/ and cpp/ with CMake, and provides the library `MLIR-C` that mlir-sys links.

include!("../cmake/archive.rs");

fn main() {
    provide_mlir_c();
    let include = build_archive("dialect", &[], &["dialect/td", "dialect/cpp"]);
    // For the build scripts of dependents: DEP_ADDIALECT_INCLUDE.
    println!("cargo:include={}", include.display());
    // For `melior::dialect!`, which generates the typed accessors.
    let td = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("set by Cargo")).join("td");
    println!("cargo:rustc-env=AD_TD_DIR={}", td.display());
}

/// Writes a linker script `libMLIR-C.so`.
///
/// mlir-sys asks for a shared library with the C API, which Debian does not
/// have. The script stands for the static archives of the C API on top of the
/// shared libMLIR and libLLVM: every binary of ours carries the few C API objects
/// that it uses, and nothing of MLIR is ever there twice.
fn provide_mlir_c() {
    let lib = llvm_prefix().join("lib");
    let mut archives: Vec<_> = fs::read_dir(&lib)
        .expect("LLVM 22 is installed")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.starts_with("libMLIRCAPI") && name.ends_with(".a"))
        .map(|name| lib.join(name).display().to_string())
        .collect();
    archives.sort();
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("set by Cargo")).join("mlir-c");
    fs::create_dir_all(&folder).expect("the output folder is writable");
    let shared = ["libMLIR.so", "libLLVM.so"].map(|name| lib.join(name).display().to_string());
    let script =
        format!("/* GNU ld script */\nGROUP ( {} {} )\n", archives.join(" "), shared.join(" "));
    fs::write(folder.join("libMLIR-C.so"), script).expect("the output folder is writable");
    println!("cargo:rustc-link-search=native={}", folder.display());
}
