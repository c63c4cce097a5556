//! Names in C.

use ad_dialect::ir::{BlkExt, OpExt};
use anyhow::{Result, bail, ensure};
use melior::ir::Module;

use crate::{diagnostics, prepare, program};

/// What neither C nor C++ has as a name, and what a header of ours uses itself.
const KEYWORDS: &str = "\
    I NULL alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl complex const \
    const_cast constexpr continue decltype default delete do double dynamic_cast else enum errno explicit export \
    extern false float for friend goto if inline int int16_t int32_t int64_t int8_t linux long main mutable \
    namespace new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast \
    requires restrict return short signed sizeof static static_assert static_cast struct switch template this \
    thread_local throw true try typedef typeid typename typeof uint16_t union unix unsigned using virtual void \
    volatile wchar_t while xor xor_eq";

/// The names of functions in C, each of which begins with the prefix.
pub fn in_c(functions: &[&str], prefix: &str) -> Result<Vec<String>> {
    ensure!(
        prefix.is_empty() || is_identifier(prefix),
        "--prefix={prefix}: the beginning of a name in C has letters, digits and underscores only"
    );
    let mut names: Vec<String> = vec![];
    for &function in functions {
        let name = format!("{prefix}{function}");
        if !is_identifier(&name) {
            bail!(
                "@{function} cannot be called from C, whose names have letters, digits and underscores only; \
                 add a public function with such a name that calls it, or choose others with --entry"
            );
        }
        ensure!(!names.contains(&name), "--entry={function} is given twice");
        if is_keyword(&name) || name.starts_with("ad_") && prefix.is_empty() || in_use(&name) {
            bail!(
                "@{function} cannot be called from C, where {name} means something else; \
                 --prefix=my_ makes it my_{function}"
            );
        }
        names.push(name);
    }
    Ok(names)
}

/// Whether the C library has the name, or compilers and linkers do.
fn in_use(name: &str) -> bool {
    name.starts_with("__") || prepare::is_in_c_library(name)
}

fn is_identifier(name: &str) -> bool {
    let first = |c: char| c.is_ascii_alphabetic() || c == '_';
    name.starts_with(first) && name.chars().all(|c| first(c) || c.is_ascii_digit())
}

fn is_keyword(name: &str) -> bool {
    KEYWORDS.split_whitespace().any(|word| word == name)
}

/// The names of a function's arguments: those in the source where they are there and good in C.
pub fn of_arguments(module: &Module, function: &str) -> Vec<String> {
    let is_it = |op: &ad_dialect::ir::Op| program::symbol(*op).as_deref() == Some(function);
    let Some(body) = program::top_level(module).into_iter().find(is_it).and_then(|op| op.body(0))
    else {
        return vec![];
    };
    let mut names: Vec<String> = vec![];
    for (position, argument) in body.arg_list().into_iter().enumerate() {
        let location = program::location(argument);
        let given = diagnostics::word_at(&location)
            .and_then(|word| Some(word.strip_prefix('%')?.to_string()))
            .filter(|name| {
                is_identifier(name)
                    && !is_keyword(name)
                    && !["result", "ad_"].iter().any(|ours| name.starts_with(ours))
                    && !names.contains(name)
            });
        names.push(given.unwrap_or_else(|| format!("arg{position}")));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_c() {
        assert_eq!(in_c(&["f", "g_2"], "").unwrap(), ["f", "g_2"]);
        assert_eq!(in_c(&["exp", "double"], "my_").unwrap(), ["my_exp", "my_double"]);
        for wrong in ["f.vjp", "2f", "", "é", "exp", "malloc", "double", "main", "ad_f64_1d"] {
            assert!(in_c(&[wrong], "").is_err(), "{wrong}");
        }
        assert!(in_c(&["f", "f"], "").is_err());
        assert!(in_c(&["f"], "a-").is_err());
    }
}
