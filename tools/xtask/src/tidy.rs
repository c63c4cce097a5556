//! Checks of the source tree that no compiler makes.
//!
//! - Every lit test has a `RUN:` line, and something in it can fail.
//! - `RUN` and `CHECK` directives have their colon; without it they check nothing.
//! - A citation such as `[FUT 5.1]` names a key of `docs/papers.md`.
//! - A rule file names its tests, and the tests it names exist.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};

/// Runs all checks below the folder; an error lists everything that was found.
pub fn run(root: &Path) -> Result<()> {
    let mut problems = vec![];
    for file in files(&root.join("test"), &["mlir", "test"])? {
        let text = read(&file)?;
        problems.extend(test_problems(&text).into_iter().map(|p| at(root, &file, &p)));
    }
    let keys = paper_keys(&read(&root.join("docs/papers.md"))?);
    for folder in ["dialect", "passes", "tools", "test"] {
        for file in files(&root.join(folder), &["rs", "td", "cpp", "h", "mlir", "test"])? {
            let text = read(&file)?;
            problems
                .extend(citation_problems(&text, &keys).into_iter().map(|p| at(root, &file, &p)));
        }
    }
    for file in files(&root.join("passes/src/ad/rules"), &["rs"])? {
        let text = read(&file)?;
        problems.extend(rule_problems(root, &text).into_iter().map(|p| at(root, &file, &p)));
    }
    if problems.is_empty() {
        return Ok(());
    }
    bail!("{}\n{} problem(s)", problems.join("\n"), problems.len())
}

fn at(root: &Path, file: &Path, problem: &str) -> String {
    format!("{}: {problem}", file.strip_prefix(root).unwrap_or(file).display())
}

fn read(file: &Path) -> Result<String> {
    fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
}

/// All files below a folder with one of the extensions, except inputs of tests.
fn files(folder: &Path, extensions: &[&str]) -> Result<Vec<PathBuf>> {
    let mut found = vec![];
    if !folder.is_dir() {
        return Ok(found);
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && !["Inputs", "Output", "target", "xtask"].contains(&name) {
            found.extend(files(&path, extensions)?);
        } else if path.extension().is_some_and(|e| extensions.iter().any(|&x| e == x)) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn test_problems(text: &str) -> Vec<String> {
    let mut problems = vec![];
    let runs: Vec<_> = text.lines().filter(|line| line.contains("RUN:")).collect();
    if runs.is_empty() {
        problems.push("no RUN: line".to_owned());
    }
    // A command that reports by its exit status, or a comparison, can fail by itself.
    let commands: Vec<_> =
        text.lines().filter(|line| line.contains("RUN:") || line.contains("DEFINE:")).collect();
    let words =
        ["FileCheck", "not ", "-verify-diagnostics", "diff", "cmp ", "compare", " check ", "test "];
    let fails = words.iter().any(|word| commands.iter().any(|line| line.contains(word)));
    if !runs.is_empty() && !fails {
        problems.push("no RUN: line that compares anything".to_owned());
    }
    if runs.iter().any(|run| run.contains("FileCheck"))
        && !text.contains("CHECK")
        && !text.contains("check-prefix")
    {
        problems.push("FileCheck without a CHECK line".to_owned());
    }
    for (number, line) in text.lines().enumerate() {
        let Some(comment) = line.trim_start().strip_prefix("//") else { continue };
        let word = comment.split_whitespace().next().unwrap_or_default();
        let directive = word == "RUN"
            || word == "CHECK"
            || ["CHECK-NEXT", "CHECK-LABEL", "CHECK-NOT", "CHECK-SAME", "CHECK-DAG"]
                .contains(&word);
        if directive {
            problems.push(format!("line {}: '{word}' without its colon", number + 1));
        }
    }
    problems
}

/// The keys in the first column of the table.
fn paper_keys(table: &str) -> Vec<String> {
    table
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split_whitespace().next())
        .filter(|key| key.chars().all(|c| c.is_ascii_uppercase()))
        .map(str::to_owned)
        .collect()
}

/// Citations look like `[KEY 1.2]`.
fn citation_problems(text: &str, keys: &[String]) -> Vec<String> {
    let mut problems = vec![];
    for (number, line) in text.lines().enumerate() {
        for part in line.split('[').skip(1) {
            let mut words = part.split([' ', ']', ',']);
            let (key, section) =
                (words.next().unwrap_or_default(), words.next().unwrap_or_default());
            let cites = (2..=5).contains(&key.len())
                && key.chars().all(|c| c.is_ascii_uppercase())
                && section.starts_with(|c: char| c.is_ascii_digit());
            if cites && !keys.iter().any(|known| known == key) {
                problems.push(format!("line {}: '{key}' is not in docs/papers.md", number + 1));
            }
        }
    }
    problems
}

fn rule_problems(root: &Path, text: &str) -> Vec<String> {
    // The table of scalar operations says in its rows what other headers say.
    if !text.starts_with("//! Differentiates:") || text.contains("const TABLE") {
        return vec![];
    }
    let mut problems = vec![];
    for line in ["Source:", "Requires:", "Ensures:", "Edge cases:", "Tests:"] {
        if !text.contains(&format!("//! {line}")) {
            problems.push(format!("header without '{line}'"));
        }
    }
    let header: String = text.lines().take_while(|line| line.starts_with("//!")).collect();
    for word in header.split(|c: char| c.is_whitespace() || c == ',') {
        let path = word.trim_start_matches("//!").trim_end_matches('.');
        let is_test = path.starts_with("test/") && path.ends_with(".mlir") && !path.contains('{');
        if is_test && !root.join(path).exists() {
            problems.push(format!("names the test {path}, which does not exist"));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directive_needs_its_colon() {
        let problems = test_problems("// RUN: ad-opt %s | FileCheck %s\n// CHECK func.func\n");
        assert_eq!(problems, ["line 2: 'CHECK' without its colon"]);
    }

    #[test]
    fn a_test_must_be_able_to_fail() {
        assert_eq!(test_problems("// RUN: ad-opt %s\n"), ["no RUN: line that compares anything"]);
        assert!(test_problems("// DEFINE: %{a} = cmp a b\n// RUN: %{a}\n").is_empty());
        assert_eq!(test_problems("func.func @f()\n"), ["no RUN: line"]);
        assert!(test_problems("// RUN: not ad-opt %s\n").is_empty());
    }

    #[test]
    fn citations_name_known_papers() {
        let keys = paper_keys("| Key | Paper |\n|---|---|\n| FUT | a |\n| ZYG | b |\n");
        assert_eq!(keys, ["FUT", "ZYG"]);
        assert!(citation_problems("see [FUT 5.1] and [C1]", &keys).is_empty());
        assert_eq!(citation_problems("[ABC 2]", &keys).len(), 1);
    }

    #[test]
    fn the_tree_is_tidy() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        if let Err(problems) = run(&root) {
            panic!("{problems}");
        }
    }
}
