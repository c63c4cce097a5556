//! NVIDIA's library of math for kernels, which is not in LLVM.

use std::{env, path::PathBuf};

use ad_dialect::ir::OpExt;
use anyhow::{Result, bail};
use melior::ir::Module;

use crate::program::top_level;

/// Variables that may name the folder.
const VARIABLES: [&str; 3] = ["AD_CUDA_TOOLKIT", "CUDA_HOME", "CUDA_PATH"];
/// Where the library is in it.
const LIBRARY: &str = "nvvm/libdevice/libdevice.10.bc";

/// The folder that has the library: of the variables the first one that is set, else beside `ptxas`, else where NVIDIA
/// installs it.
pub fn find() -> Option<PathBuf> {
    let named = VARIABLES.iter().filter_map(env::var_os).map(PathBuf::from);
    let beside = env::var_os("PATH").into_iter().flat_map(|path| {
        let folders: Vec<_> = env::split_paths(&path).collect();
        folders.into_iter().filter_map(|folder| {
            let assembler = folder.join("ptxas").canonicalize().ok()?;
            Some(assembler.parent()?.parent()?.to_path_buf())
        })
    });
    named
        .chain(beside)
        .chain([PathBuf::from("/usr/local/cuda")])
        .find(|folder| folder.join(LIBRARY).is_file())
}

/// Refuses kernels that call functions of the library if it was not found.
pub fn check(module: &Module) -> Result<()> {
    for op in top_level(module).into_iter().filter(|op| op.op_name() == "gpu.binary") {
        let text = op.attr("objects").map(|objects| objects.to_string()).unwrap_or_default();
        let Some(name) = missing(&text) else { continue };
        bail!(
            "kernels call the function '{name}' of NVIDIA's library of math, but there is no {LIBRARY}; \
             set AD_CUDA_TOOLKIT to a folder that has it, as tools/ad-cuda/toolkit.sh gets it"
        );
    }
    Ok(())
}

/// The first function that kernels call, nothing defines, and the driver has not.
fn missing(text: &str) -> Option<&str> {
    const DRIVER: [&str; 4] = ["malloc", "free", "vprintf", "__assertfail"];
    text.split(".extern .func").skip(1).find_map(|declaration| {
        let declaration = declaration.trim_start();
        let results = declaration.strip_prefix('(').and_then(|rest| rest.split_once(')'));
        let name = results.map_or(declaration, |(_, name)| name.trim_start());
        let name = name.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()?;
        (!DRIVER.contains(&name)).then_some(name.strip_prefix("__nv_").unwrap_or(name))
    })
}

#[cfg(test)]
mod tests {
    use super::missing;

    #[test]
    fn functions_of_the_driver_are_not_missing() {
        let malloc = ".extern .func  (.param .b64 func_retval0) malloc\\0A(\\0A);";
        let sine = ".extern .func  (.param .b64 func_retval0) __nv_sin\\0A(\\0A .param .b64 __nv_sin_param_0\\0A);";
        assert_eq!(missing(malloc), None);
        assert_eq!(missing(&format!("{malloc} {sine}")), Some("sin"));
        assert_eq!(missing(".extern .func free\\0A(); .extern .func other\\0A();"), Some("other"));
        assert_eq!(missing(".visible .entry k() { call.uni __nv_sin; }"), None);
    }
}
