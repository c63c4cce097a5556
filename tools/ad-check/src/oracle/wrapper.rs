//! A module with two more functions that ask for the jvp and the vjp of an entry.

use crate::program::Type;
use std::fmt::Write;

/// The names of the two functions, which no function of the user's module has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    /// Takes the arguments, then one seed per differentiated argument.
    pub jvp: String,
    /// Takes the arguments, then one seed per differentiable result.
    pub vjp: String,
}

/// The signature of the entry and what to differentiate.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The function to differentiate.
    pub entry: &'a str,
    /// Its argument types.
    pub inputs: &'a [Type],
    /// Its result types.
    pub results: &'a [Type],
    /// Positions of the differentiated arguments.
    pub wrt: &'a [usize],
}

/// The module, printed in the generic form, with the two functions at its end.
pub fn with_requests(module: &str, request: &Request) -> Option<(String, Names)> {
    let unused = |prefix: &str| {
        let name = |n: usize| format!("{prefix}{}", "_".repeat(n));
        (0..).map(name).find(|name| !module.contains(&format!("\"{name}\""))).unwrap_or_default()
    };
    let names = Names { jvp: unused("ad_check_jvp"), vjp: unused("ad_check_vjp") };
    let end = module.rfind("\n})")? + 1;
    let mut text = module[..end].to_string();
    let wrt: Vec<&Type> = request.wrt.iter().filter_map(|&i| request.inputs.get(i)).collect();
    let active: Vec<&Type> = request.results.iter().filter(|t| t.is_differentiable()).collect();
    text.push_str(&function(request, "jvp", &names.jvp, &wrt, &active));
    text.push_str(&function(request, "vjp", &names.vjp, &active, &wrt));
    text.push_str(&module[end..]);
    Some((text, names))
}

/// One function: the arguments and seeds in, the primal results and derivatives out.
fn function(
    request: &Request,
    mode: &str,
    name: &str,
    seeds: &[&Type],
    derivatives: &[&Type],
) -> String {
    let list = |types: &mut dyn Iterator<Item = &Type>| -> String {
        types.map(Type::text).collect::<Vec<_>>().join(", ")
    };
    let numbered = |prefix: &str, n: usize| -> String {
        (0..n).map(|i| format!("%{prefix}{i}")).collect::<Vec<_>>().join(", ")
    };
    let parameters: Vec<String> = (request.inputs.iter().enumerate())
        .map(|(i, t)| format!("%x{i}: {}", t.text()))
        .chain(seeds.iter().enumerate().map(|(i, t)| format!("%s{i}: {}", t.text())))
        .collect();
    let inputs = list(&mut request.inputs.iter());
    let seed_types = list(&mut seeds.iter().copied());
    let outputs = list(&mut request.results.iter().chain(derivatives.iter().copied()));
    let count = request.results.len() + derivatives.len();
    let wrt: Vec<String> = request.wrt.iter().map(usize::to_string).collect();
    let entry = request.entry;
    let mut text = String::new();
    let _ = writeln!(text, "func.func @{name}({}) -> ({outputs}) {{", parameters.join(", "));
    let _ = writeln!(
        text,
        "  {}{}ad.{mode} @{entry}({}) seed({}) {{wrt = array<i64: {}>}} : ({inputs}), ({seed_types}) -> ({outputs})",
        numbered("r", count),
        if count == 0 { "" } else { " = " },
        numbered("x", request.inputs.len()),
        numbered("s", seeds.len()),
        wrt.join(", ")
    );
    let colon = if count == 0 { "" } else { " : " };
    let _ = writeln!(text, "  return {}{colon}{outputs}\n}}", numbered("r", count));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Elem, FloatKind};

    #[test]
    fn both_functions_are_added_under_unused_names() {
        let f64 = Type::Scalar(Elem::Float(FloatKind::F64));
        let index = Type::Scalar(Elem::Index);
        let inputs = [f64.clone(), index];
        let request = Request { entry: "f", inputs: &inputs, results: &[f64], wrt: &[0] };
        let module = "\"builtin.module\"() ({\n  \"func.func\"() <{sym_name = \"ad_check_jvp\"}> ({\n  }) : () -> ()\n}) : () -> ()\n";
        let (text, names) = with_requests(module, &request).unwrap();
        assert_eq!(names.jvp, "ad_check_jvp_");
        assert!(text.contains(
            "%r0, %r1 = ad.jvp @f(%x0, %x1) seed(%s0) {wrt = array<i64: 0>} : (f64, index), (f64) -> (f64, f64)"
        ));
        assert!(
            text.contains(
                "func.func @ad_check_vjp(%x0: f64, %x1: index, %s0: f64) -> (f64, f64) {"
            )
        );
        assert!(text.ends_with("return %r0, %r1 : f64, f64\n}\n}) : () -> ()\n"));
    }
}
