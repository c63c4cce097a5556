// Shared by the build scripts, which include this file: builds the C++ of one
// component with cmake/ and tells Cargo to link the archive.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Where LLVM and MLIR are installed.
fn llvm_prefix() -> PathBuf {
    println!("cargo:rerun-if-env-changed=MLIR_SYS_220_PREFIX");
    env::var_os("MLIR_SYS_220_PREFIX").map_or_else(|| "/usr/lib/llvm-22".into(), PathBuf::from)
}

/// Builds the archive `libAd<Name>.a` of a component and links it. `definitions`
/// go to CMake; `watched` are folders, relative to the workspace, whose change
/// calls for a new build. Returns the folder of the generated headers.
fn build_archive(component: &str, definitions: &[(&str, &Path)], watched: &[&str]) -> PathBuf {
    let crate_dir = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("set by Cargo"));
    let root = crate_dir
        .ancestors()
        .find(|dir| dir.join("cmake/CMakeLists.txt").exists())
        .expect("the workspace has cmake/CMakeLists.txt");
    for folder in watched.iter().chain(&["cmake"]) {
        println!("cargo:rerun-if-changed={}", root.join(folder).display());
    }
    for (_, path) in definitions {
        println!("cargo:rerun-if-changed={}", path.display());
    }

    let build = PathBuf::from(env::var_os("OUT_DIR").expect("set by Cargo")).join("cmake");
    // A build folder remembers its source folder; a moved workspace starts afresh.
    let home = format!("CMAKE_HOME_DIRECTORY:INTERNAL={}", root.join("cmake").display());
    let cache = fs::read_to_string(build.join("CMakeCache.txt")).unwrap_or_default();
    if !cache.is_empty() && !cache.lines().any(|line| line == home) {
        fs::remove_dir_all(&build).expect("the old build folder can be removed");
    }

    let prefix = llvm_prefix();
    let mut configure = Command::new("cmake");
    configure.arg("-S").arg(root.join("cmake")).arg("-B").arg(&build);
    configure.arg("-DCMAKE_BUILD_TYPE=Release");
    // The compiler that built libMLIR: MLIR identifies traits by names that differ between compilers.
    configure.arg(format!("-DCMAKE_C_COMPILER={}", prefix.join("bin/clang").display()));
    configure.arg(format!("-DCMAKE_CXX_COMPILER={}", prefix.join("bin/clang++").display()));
    configure.arg(format!("-DAD_COMPONENT={component}"));
    configure.arg(format!("-DMLIR_DIR={}", prefix.join("lib/cmake/mlir").display()));
    configure.arg(format!("-DLLVM_DIR={}", prefix.join("lib/cmake/llvm").display()));
    for (name, path) in definitions {
        configure.arg(format!("-D{name}={}", path.display()));
    }
    run(&mut configure);
    let jobs = env::var("NUM_JOBS").unwrap_or_else(|_| "2".into());
    run(Command::new("cmake").arg("--build").arg(&build).args(["--parallel", &jobs]));

    let name = format!("Ad{}{}", component[..1].to_uppercase(), &component[1..]);
    println!("cargo:rustc-link-search=native={}", build.join("lib").display());
    println!("cargo:rustc-link-lib=static={name}");
    build.join("include")
}

/// Runs a command to its end and fails the build script when it fails.
fn run(command: &mut Command) {
    // MAKEFLAGS would make a nested make wait for the job tokens of Cargo.
    command.env_remove("MAKEFLAGS").env_remove("MFLAGS").env_remove("CARGO_MAKEFLAGS");
    match command.status() {
        Ok(status) if status.success() => {}
        Ok(status) => panic!("{command:?} failed: {status}"),
        Err(error) => panic!("cannot run {command:?}: {error}; `make build` installs what is needed"),
    }
}
