//! What the times were taken on. Nothing here tells whose machine it is.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::tool;

/// The machine and what is installed on it: names and values.
#[must_use]
pub fn describe(compiler: &Path, threads: usize) -> BTreeMap<String, String> {
    let mut facts = BTreeMap::new();
    let mut add = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            facts.insert(name.to_owned(), value);
        }
    };
    let processor = fs::read_to_string("/proc/cpuinfo").ok();
    add("cpu", processor.as_deref().and_then(|text| field(text, "model name", ':')));
    add("cores", std::thread::available_parallelism().ok().map(|cores| cores.to_string()));
    add("cores used", Some(threads.to_string()));
    let system = fs::read_to_string("/etc/os-release").ok();
    add("os", system.as_deref().and_then(|text| field(text, "PRETTY_NAME", '=')));
    add("ad-opt", version(compiler, "ad-opt version"));
    add("llvm", version(compiler, "LLVM version"));
    add("clang", version(&tool::clang(), "clang version"));
    facts
}

/// The value of a line `NAME : VALUE`.
fn field(text: &str, name: &str, separator: char) -> Option<String> {
    let line = text.lines().find(|line| line.starts_with(name))?;
    let (_, value) = line.split_once(separator)?;
    Some(value.trim().trim_matches('"').to_owned())
}

/// The word after a marker in what `--version` prints.
fn version(program: &Path, marker: &str) -> Option<String> {
    let output = Command::new(program).arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let (_, rest) = text.split_once(marker)?;
    rest.split_whitespace().next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields() {
        assert_eq!(field("a\t: 1\nmodel name\t: X 9\n", "model name", ':').unwrap(), "X 9");
        assert_eq!(field("NAME=\"a b\"\n", "NAME", '=').unwrap(), "a b");
        assert_eq!(field("", "NAME", '='), None);
    }
}
