//! LLVM's library for OpenMP, which starts the threads of compiled programs.

use std::{
    ffi::{CStr, CString, OsStr, c_void},
    mem::MaybeUninit,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use anyhow::{Result, bail};

/// The name under which the system may know the library.
const NAME: &str = "libomp.so.5";
/// Where Debian's packages of this version of LLVM have it.
const FOLDER: &str = match option_env!("MLIR_SYS_220_PREFIX") {
    Some(prefix) => prefix,
    None => "/usr/lib/llvm-22",
};
/// What the threads may put on their stacks: programs nest as deeply as on the first thread.
const STACK: usize = 1 << 29;

/// Loads the library, whose functions are among the symbols of this process from then on; returns where it is.
pub fn load() -> Result<PathBuf> {
    let beside = Path::new(FOLDER).join("lib").join(NAME);
    let Some(library) = [beside.as_os_str(), OsStr::new(NAME)].into_iter().find_map(open) else {
        bail!(
            "there is no library {NAME}, which starts threads; install libomp-22-dev, or use --threads=1"
        );
    };
    // SAFETY: the library is open, and both functions have these types.
    unsafe {
        let set = libc::dlsym(library, c"kmp_set_stacksize_s".as_ptr());
        let start = libc::dlsym(library, c"__kmpc_fork_call".as_ptr());
        if set.is_null() || start.is_null() {
            bail!("{NAME} is not LLVM's library for OpenMP");
        }
        let set = std::mem::transmute::<*mut c_void, unsafe extern "C" fn(usize)>(set);
        set(STACK);
        Ok(path_of(start).unwrap_or(beside))
    }
}

fn open(name: &OsStr) -> Option<*mut c_void> {
    let name = CString::new(name.as_bytes()).ok()?;
    // SAFETY: the name ends with a zero, and the library stays open.
    let library = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL) };
    (!library.is_null()).then_some(library)
}

/// The file that a function comes from.
fn path_of(function: *mut c_void) -> Option<PathBuf> {
    let mut found = MaybeUninit::<libc::Dl_info>::uninit();
    // SAFETY: the structure is filled in on success, and the name in it ends with a zero.
    unsafe {
        if libc::dladdr(function, found.as_mut_ptr()) == 0 {
            return None;
        }
        let name = found.assume_init().dli_fname;
        (!name.is_null()).then(|| OsStr::from_bytes(CStr::from_ptr(name).to_bytes()).into())
    }
}
