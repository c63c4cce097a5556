//! Names in C.

use ad_dialect::ir::{BlkExt, OpExt};
use anyhow::{Result, bail, ensure};
use melior::ir::Module;

use crate::{diagnostics, prepare, program};

/// What neither C nor C++ has as a name, and what a header of ours uses or includes.
const KEYWORDS: &str = "\
    EOF I INFINITY NAN NULL alignas alignof and and_eq asm assert auto bitand bitor bool break case catch char char16_t \
    char32_t char8_t class co_await co_return co_yield compl complex concept const const_cast consteval constexpr \
    constinit continue decltype default delete do double dynamic_cast else enum errno explicit export extern false \
    float for friend goto if inline int linux long main max_align_t mutable namespace new noexcept not not_eq nullptr \
    nullptr_t offsetof operator or or_eq private protected ptrdiff_t public register reinterpret_cast requires restrict \
    return short signed size_t sizeof static static_assert static_cast struct switch template this thread_local throw \
    true try typedef typeid typename typeof typeof_unqual union unix unsigned unreachable using virtual void volatile \
    wchar_t while xor xor_eq";

/// What linkers define, and what they link every program with.
const OF_LINKERS: [&str; 9] =
    ["_edata", "_end", "_etext", "_fini", "_init", "_start", "edata", "end", "etext"];

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
        if means_something(&name) || name.starts_with("ad_") && prefix.is_empty() || in_use(&name) {
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
    OF_LINKERS.contains(&name) || prepare::is_in_c_library(name)
}

fn is_identifier(name: &str) -> bool {
    let first = |c: char| c.is_ascii_alphabetic() || c == '_';
    name.starts_with(first) && name.chars().all(|c| first(c) || c.is_ascii_digit())
}

/// Whether a name has a meaning in a header of ours: a word of C or C++, or a type or macro that there may be.
fn means_something(name: &str) -> bool {
    let of_compilers = name
        .strip_prefix('_')
        .is_some_and(|rest| rest.starts_with(|c: char| c == '_' || c.is_ascii_uppercase()));
    let is_word = || KEYWORDS.split_whitespace().any(|word| word == name);
    of_compilers || name.starts_with("AD_") || is_word() || is_of_stdint(name)
}

/// Whether `<stdint.h>` may have the name: `uint8_t`, `int_fast16_t`, `INT64_MAX`, `SIZE_MAX`, `UINT32_C`.
fn is_of_stdint(name: &str) -> bool {
    let Some((before, last)) = name.rsplit_once('_') else { return false };
    let kind = before.trim_end_matches(|c: char| c.is_ascii_digit());
    match last {
        "t" => {
            let kind = kind.strip_prefix('u').unwrap_or(kind);
            ["int", "int_fast", "int_least", "intmax", "intptr"].contains(&kind)
        }
        "C" | "MAX" | "MIN" | "WIDTH" => {
            let kind = kind.strip_prefix('U').unwrap_or(kind);
            let of_integers = ["INT", "INT_FAST", "INT_LEAST", "INTMAX", "INTPTR"];
            let of_others = ["PTRDIFF", "SIG_ATOMIC", "SIZE", "WCHAR", "WINT"];
            of_integers.contains(&kind) || of_others.contains(&kind)
        }
        _ => false,
    }
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
                    && !means_something(name)
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
        let of_headers =
            ["size_t", "uint8_t", "int_least32_t", "uintptr_t", "INT64_MAX", "SIZE_MAX"];
        let of_compilers =
            ["_Complex", "_Bool", "__f", "char16_t", "offsetof", "AD_F64_1D", "_init"];
        for wrong in of_headers.iter().chain(&of_compilers) {
            assert!(in_c(&[wrong], "").is_err(), "{wrong}");
        }
        assert_eq!(in_c(&["_f", "f_t", "F_MAX", "ends"], "").unwrap().len(), 4);
        assert!(in_c(&["f", "f"], "").is_err());
        assert!(in_c(&["f"], "a-").is_err());
    }
}
