//! Shrinking: smaller and smaller programs that still fail.
//!
//! Each round proposes local simplifications in order of how much they remove; the first that still fails is kept, until
//! none does.

use super::ops::{LanesOp, Promise};
use super::tree::{Body, Op, Stmt, Tree, Ty, Var};
use std::collections::HashMap;

/// The smallest failing program found with at most `budget` trials.
pub fn shrink(tree: &Tree, budget: usize, fails: &mut dyn FnMut(&Tree) -> bool) -> Tree {
    let mut best = tree.clone();
    let mut trials = 0;
    'rounds: loop {
        for candidate in candidates(&best) {
            if trials >= budget {
                return best;
            }
            let smaller = weight(&candidate) < weight(&best);
            if !smaller {
                continue;
            }
            trials += 1;
            if fails(&candidate) {
                best = candidate;
                continue 'rounds;
            }
        }
        return best;
    }
}

/// What shrinking makes less of; the program comes first, sizes break ties.
fn weight(tree: &Tree) -> (usize, usize, usize, usize) {
    let entry = &tree.functions[tree.entry()];
    let text = super::print(tree).len();
    let sizes = tree.symbols.iter().map(|s| s.size).sum();
    let odd = tree.dynamic_symbols().len() + usize::from(tree.narrow);
    (tree.size() + entry.params.len() + entry.results.len(), odd, text, sizes)
}

fn candidates(tree: &Tree) -> Vec<Tree> {
    let mut list = Vec::new();
    let mut propose = |candidate: Tree| {
        let mut candidate = candidate;
        candidate.prune();
        list.push(candidate);
    };
    let entry = tree.entry();
    // Fewer results and arguments of the entry.
    for r in 0..tree.functions[entry].results.len() {
        if tree.functions[entry].results.len() > 1 {
            let mut next = tree.clone();
            next.functions[entry].results.remove(r);
            propose(next);
        }
    }
    for p in 0..tree.functions[entry].params.len() {
        if let Some(next) = without_param(tree, p) {
            propose(next);
        }
    }
    // Statements replaced by simple values of the same types, or by what their bodies compute.
    for f in tree.reachable() {
        let mut path = Vec::new();
        let mut edits = Vec::new();
        statements(&tree.functions[f], &mut path, &mut edits);
        for path in edits {
            let edits =
                [Edit::Operand, Edit::Constant, Edit::Inline(0), Edit::Inline(1), Edit::Plain];
            for edit in edits {
                let mut next = tree.clone();
                if apply(&mut next.functions[f], &path, edit) {
                    propose(next);
                }
            }
        }
    }
    for s in 0..tree.symbols.len() {
        for size in [0, 1, 2] {
            if size < tree.symbols[s].size {
                let mut next = tree.clone();
                next.symbols[s].size = size;
                propose(next);
            }
        }
        if tree.symbols[s].dynamic {
            let mut next = tree.clone();
            next.symbols[s].dynamic = false;
            propose(next);
        }
    }
    if tree.narrow {
        let mut next = tree.clone();
        next.narrow = false;
        propose(next);
    }
    list
}

/// The entry without an argument that nothing reads.
fn without_param(tree: &Tree, p: usize) -> Option<Tree> {
    let entry = tree.entry();
    let body = &tree.functions[entry];
    let mut free = std::collections::HashSet::new();
    let open = Body { params: Vec::new(), ..body.clone() };
    open.free(&mut free);
    if body.params.len() < 2 || free.contains(&body.params[p].0) {
        return None;
    }
    let mut next = tree.clone();
    next.functions[entry].params.remove(p);
    Some(next)
}

/// Where a statement is: its index, preceded by (statement, body) pairs.
type Path = Vec<usize>;

/// The paths of all statements, later and larger ones first.
fn statements(body: &Body, path: &mut Path, out: &mut Vec<Path>) {
    for (i, stmt) in body.stmts.iter().enumerate().rev() {
        path.push(i);
        out.push(path.clone());
        for (b, inner) in stmt.bodies.iter().enumerate() {
            path.push(b);
            statements(inner, path, out);
            path.pop();
        }
        path.pop();
    }
}

#[derive(Clone, Copy)]
enum Edit {
    /// Results become operands of the same types.
    Operand,
    /// Results become constants.
    Constant,
    /// Results become those of a body whose parameters become operands of the same types.
    Inline(usize),
    /// The statement without its attributes.
    Plain,
}

/// Applies an edit to the statement at a path; false when it does not fit.
fn apply(body: &mut Body, path: &[usize], edit: Edit) -> bool {
    let [i, rest @ ..] = path else { return false };
    if let [b, rest @ ..] = rest {
        return body
            .stmts
            .get_mut(*i)
            .and_then(|s| s.bodies.get_mut(*b))
            .is_some_and(|b| apply(b, rest, edit));
    }
    let stmt = body.stmts[*i].clone();
    let mut renamed = HashMap::new();
    let replacement = match edit {
        Edit::Operand => operands_for(&stmt, &mut renamed),
        Edit::Constant => constants_for(&stmt),
        Edit::Inline(b) => inlined(&stmt, b, &mut renamed),
        Edit::Plain => plain(&stmt),
    };
    let Some(replacement) = replacement else { return false };
    body.stmts.splice(*i..=*i, replacement);
    rename(body, &renamed);
    true
}

fn operands_for(stmt: &Stmt, renamed: &mut HashMap<Var, Var>) -> Option<Vec<Stmt>> {
    for (var, ty) in &stmt.results {
        let operand = stmt.operands.iter().rev().find(|o| o.1 == *ty)?;
        renamed.insert(*var, operand.0);
    }
    Some(Vec::new())
}

/// One constant per result; statements that already are constants stay.
fn constants_for(stmt: &Stmt) -> Option<Vec<Stmt>> {
    if matches!(stmt.op, Op::Const(_) | Op::Index(_) | Op::Iota) {
        return None;
    }
    let mut list = Vec::new();
    for (k, (var, ty)) in stmt.results.iter().enumerate() {
        let one = |op: Op, operands: Vec<(Var, Ty)>| Stmt {
            results: vec![(*var, ty.clone())],
            op,
            operands,
            bodies: vec![],
        };
        match ty {
            Ty::Float => list.push(one(Op::Const(0.5), vec![])),
            Ty::Index => list.push(one(Op::Index(0), vec![])),
            Ty::Indices(_) => list.push(one(Op::Iota, vec![])),
            Ty::Array(_) | Ty::Lanes(_) => {
                // A name that no other statement has: results are numbered from 1 up.
                let scalar = Var::MAX - var * 4 - k as Var;
                list.push(Stmt {
                    results: vec![(scalar, Ty::Float)],
                    op: Op::Const(0.5),
                    operands: vec![],
                    bodies: vec![],
                });
                let copies = match ty {
                    Ty::Lanes(_) => Op::Lanes(LanesOp::Broadcast),
                    _ => Op::Splat,
                };
                list.push(one(copies, vec![(scalar, Ty::Float)]));
            }
        }
    }
    Some(list)
}

/// The statement without annotations.
fn plain(stmt: &Stmt) -> Option<Vec<Stmt>> {
    let mut next = stmt.clone();
    match &mut next.op {
        Op::For { mined, .. } => mined.clear(),
        Op::Recurrence { mined, promise, .. } => {
            mined.clear();
            *promise = Promise::None;
        }
        Op::While { bound, .. } => *bound = None,
        _ => return None,
    }
    Some(vec![next])
}

/// A body in place of its statement, if results and parameters have matching types outside.
fn inlined(stmt: &Stmt, b: usize, renamed: &mut HashMap<Var, Var>) -> Option<Vec<Stmt>> {
    let body = stmt.bodies.get(b)?;
    let matching = stmt.results.len() == body.results.len();
    if !matching || stmt.results.iter().zip(&body.results).any(|(a, b)| a.1 != b.1) {
        return None;
    }
    let mut list = Vec::new();
    for (param, ty) in &body.params {
        if *ty == Ty::Index {
            list.push(Stmt {
                results: vec![(*param, Ty::Index)],
                op: Op::Index(0),
                operands: vec![],
                bodies: vec![],
            });
            continue;
        }
        let operand = stmt.operands.iter().rev().find(|o| o.1 == *ty)?;
        renamed.insert(*param, operand.0);
    }
    for (result, inner) in stmt.results.iter().zip(&body.results) {
        renamed.insert(result.0, inner.0);
    }
    list.extend(body.stmts.iter().cloned());
    Some(list)
}

fn rename(body: &mut Body, names: &HashMap<Var, Var>) {
    let resolve = |mut v: Var| {
        while let Some(&next) = names.get(&v) {
            v = next;
        }
        v
    };
    for stmt in &mut body.stmts {
        stmt.operands.iter_mut().for_each(|o| o.0 = resolve(o.0));
        stmt.bodies.iter_mut().for_each(|b| rename(b, names));
    }
    body.results.iter_mut().for_each(|r| r.0 = resolve(r.0));
}

#[cfg(test)]
mod tests {
    use super::super::{Settings, generate, print};
    use super::*;

    #[test]
    fn programs_shrink_to_a_fraction_and_still_fail() {
        let (mut before, mut after, mut shrunk) = (0, 0, 0);
        for seed in 0..300 {
            let tree = generate(seed, Settings::default());
            if !print(&tree).contains("math.sin") {
                continue;
            }
            let small = shrink(&tree, 2000, &mut |t| print(t).contains("math.sin"));
            assert!(print(&small).contains("math.sin"));
            assert!(small.size() <= tree.size(), "{}", print(&small));
            (before, after, shrunk) = (before + tree.size(), after + small.size(), shrunk + 1);
        }
        assert!(shrunk > 10);
        assert!(after * 4 <= before, "{before} statements shrank to {after}");
    }
}
