//! Libraries as files: all of them, or none when one cannot be written.

use std::{
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, bail, ensure};
use tempfile::TempDir;

use super::{Library, header};

/// What holds the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For the linker.
    Object,
    /// For programs to load.
    Shared,
}

/// The files of a library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// What the first one is.
    pub format: Format,
    code: PathBuf,
    header: PathBuf,
}

impl Output {
    /// A file for the code, whose extension tells what it is, and one for the header, which is beside it by default.
    pub fn new(code: &Path, header: Option<&Path>) -> Result<Self> {
        let format = match code.extension().and_then(|extension| extension.to_str()) {
            Some("so") => Format::Shared,
            Some("o") => Format::Object,
            _ => bail!(
                "cannot write {}: a shared library has a name that ends in .so, an object file one in .o",
                code.display()
            ),
        };
        let header = header.map_or_else(|| code.with_extension("h"), Path::to_path_buf);
        ensure!(place(code) != place(&header), "code and header cannot both be {}", code.display());
        Ok(Self { format, code: code.to_path_buf(), header })
    }

    /// Refuses to write over a file that is read.
    pub fn spare(&self, source: &Path) -> Result<()> {
        let Ok(source) = fs::canonicalize(source) else { return Ok(()) };
        let is_source = |path: &&PathBuf| fs::canonicalize(path).is_ok_and(|path| path == source);
        if let Some(path) = [&self.code, &self.header].into_iter().find(is_source) {
            bail!("cannot write {}: it is what is compiled", path.display());
        }
        Ok(())
    }
}

/// The path of a file that need not be there, in whatever way its folder is given.
fn place(file: &Path) -> PathBuf {
    let folder = match file.parent() {
        Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
        Some(folder) => folder,
        None => return file.to_path_buf(),
    };
    fs::canonicalize(folder)
        .unwrap_or_else(|_| folder.into())
        .join(file.file_name().unwrap_or_default())
}

impl Library {
    /// Writes code and header.
    pub fn write(&self, output: &Output) -> Result<()> {
        let header = Pending::new(&output.header)?;
        let name = output.header.file_name().unwrap_or_default().to_string_lossy();
        header.fill(header::header(self, &name).as_bytes())?;
        let code = Pending::new(&output.code)?;
        match output.format {
            Format::Object => code.fill(&self.object)?,
            Format::Shared => {
                let object = code.folder.path().join("code.o");
                fs::write(&object, &self.object)
                    .with_context(|| format!("cannot write {}", output.code.display()))?;
                self.link(&object, &code.file(), &output.code)?;
            }
        }
        header.finish()?;
        code.finish().inspect_err(|_| {
            // A header without its code would be worse than none.
            let _ = fs::remove_file(&output.header);
        })
    }

    /// Makes a shared library by the C compiler, which knows where the C library is.
    fn link(&self, object: &Path, library: &Path, shown: &Path) -> Result<()> {
        let compiler = env::var("CC").unwrap_or_default();
        let mut words = compiler.split_whitespace();
        let program = words.next().unwrap_or("cc");
        let name = shown.file_name().unwrap_or_default().to_string_lossy();
        let output = Command::new(program)
            .args(words)
            .args(["-shared", "-Wl,-z,defs"])
            .arg(format!("-Wl,-soname,{name}"))
            .arg("-o")
            .args([library, object])
            .args(&self.runtime)
            .args(["-Wl,--gc-sections", "-Wl,--exclude-libs,ALL", "-Wl,--strip-debug"])
            .args(if self.vectors { &["-Wl,--as-needed", "-lmvec"][..] } else { &[] })
            .arg("-lm")
            .args(self.device.iter().map(|_| "-static-libgcc"))
            .args(self.openmp.iter().flat_map(|path| link_openmp(path)))
            .stdin(Stdio::null())
            .output()
            .with_context(|| {
                format!(
                    "cannot link {}: the C compiler '{program}' does not run; install one, name another in the variable CC, \
                     or write an object file (.o)",
                    shown.display()
                )
            })?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            let (shown, status) = (shown.display(), output.status);
            bail!("cannot link {shown}: '{program}' ends with {status}\n{}", said.trim_end());
        }
        Ok(())
    }
}

/// How to link with the library that starts threads, so that it is found where it is now.
fn link_openmp(path: &Path) -> [OsString; 2] {
    let mut search = OsString::from("-Wl,-rpath,");
    search.push(path.parent().unwrap_or(Path::new(".")));
    [path.into(), search]
}

/// A file that is written elsewhere in its folder first.
struct Pending<'a> {
    /// Where it is going to be.
    path: &'a Path,
    folder: TempDir,
}

impl<'a> Pending<'a> {
    fn new(path: &'a Path) -> Result<Self> {
        let shown = path.display();
        ensure!(!path.is_dir(), "cannot write {shown}: it is a folder");
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        ensure!(folder.is_dir(), "cannot write {shown}: there is no folder {}", folder.display());
        let folder = tempfile::Builder::new()
            .prefix(".ad-opt-")
            .tempdir_in(folder)
            .with_context(|| format!("cannot write {shown}"))?;
        Ok(Self { path, folder })
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("file")
    }

    fn fill(&self, bytes: &[u8]) -> Result<()> {
        fs::write(self.file(), bytes)
            .with_context(|| format!("cannot write {}", self.path.display()))
    }

    fn finish(&self) -> Result<()> {
        fs::rename(self.file(), self.path)
            .with_context(|| format!("cannot write {}", self.path.display()))
    }
}
