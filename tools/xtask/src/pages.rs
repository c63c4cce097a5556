//! `cargo xtask pages`: the examples of the tensor language as a page, each with its derivatives and
//! what they cost, as the compiler prints them.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

const INTRODUCTION: &str = "\
# The tensor language by example

These are the programs of `examples/tensor-language`, with the derivatives that the requests in them ask for.
The page is made by `cargo xtask pages` of what `ad-opt FILE --ad-differentiate --canonicalize --cse --atl-cost` prints.
A cost counts additions, multiplications and calls as ATL Figure 6 does; a derivative's includes the program's results.
";

/// Writes the page.
pub fn run(root: &Path, output: &Path) -> Result<()> {
    let folder = root.join("examples/tensor-language");
    let mut files: Vec<_> = fs::read_dir(&folder)
        .with_context(|| format!("cannot read {}", folder.display()))?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    files.sort();
    let mut page = INTRODUCTION.to_owned();
    for file in files {
        page.push_str(&section(root, &file)?);
    }
    fs::write(output, page).with_context(|| format!("cannot write {}", output.display()))
}

/// The title and text of an example, its program, its derivatives, and what all cost.
fn section(root: &Path, file: &Path) -> Result<String> {
    let source = fs::read_to_string(file)?;
    let (head, program) = source.split_once("\n\n").context("an example without a program")?;
    let head: Vec<&str> = head.lines().map(|line| line.trim_start_matches("//").trim()).collect();
    let compiler = root.join("target/release/ad-opt");
    let passes = ["--ad-differentiate", "--canonicalize", "--cse", "--atl-cost"];
    let done = Command::new(&compiler)
        .arg(file)
        .args(passes)
        .arg("--remarks-filter-analyse=atl-cost")
        .output()
        .with_context(|| format!("cannot run {}", compiler.display()))?;
    let remarks = String::from_utf8(done.stderr)?;
    ensure!(done.status.success(), "{}: {remarks}", file.display());
    let module = String::from_utf8(done.stdout)?;
    let functions = functions(&module);
    let priced: Vec<_> = functions.iter().filter(|function| function.contains("atl.")).collect();
    let costs: Vec<&str> =
        remarks.lines().filter(|line| line.contains("func.func | Category:atl-cost")).collect();
    if priced.len() != costs.len() {
        bail!("{}: {} costs of {} functions", file.display(), costs.len(), priced.len());
    }
    let mut text = format!("\n#{}\n{}\n", head[0], head[1..].join("\n"));
    write!(text, "\n```mlir\n{}```\n\nIts derivatives:\n\n```mlir\n", program)?;
    let derivatives = functions.iter().filter(|function| function.contains("func.func private"));
    for (position, derivative) in derivatives.enumerate() {
        text.push_str(if position > 0 { "\n" } else { "" });
        text.push_str(derivative);
    }
    text.push_str("```\n\n| function | cost |\n|---|---|\n");
    for (function, remark) in priced.into_iter().zip(costs) {
        let name = function.split(['@', '(']).nth(1).context("a function without a name")?;
        let cost = remark.rsplit("atl-cost | cost=").next().unwrap_or_default().replace('"', "");
        let (cost, sizes) = cost.split_once(", ").unwrap_or((&cost, ""));
        write!(text, "| `{name}` | `{cost}`")?;
        for size in sizes.split(", ") {
            // Sizes that the cost does not depend on are not named.
            if let Some((size, what)) = size.split_once('=').filter(|(size, _)| cost.contains(size))
            {
                write!(text, ", {size} is {what}")?;
            }
        }
        text.push_str(" |\n");
    }
    Ok(text)
}

/// The functions of a module as printed, without its indentation.
fn functions(module: &str) -> Vec<String> {
    let mut functions: Vec<String> = vec![];
    for line in module.lines() {
        let line = line.strip_prefix("  ").unwrap_or_default();
        match functions.last_mut() {
            _ if line.starts_with("func.func") => functions.push(format!("{line}\n")),
            Some(function) if !line.is_empty() => {
                function.push_str(line);
                function.push('\n');
            }
            _ => {}
        }
    }
    functions
}
