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
        let Some((_, rest)) = text.split_once(".extern .func") else { continue };
        let name = rest.split_once("__nv_").map_or("one", |(_, rest)| {
            rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or("one")
        });
        bail!(
            "kernels call the function '{name}' of NVIDIA's library of math, but there is no {LIBRARY}; \
             set AD_CUDA_TOOLKIT to a folder that has it, as tools/ad-cuda/toolkit.sh gets it"
        );
    }
    Ok(())
}
