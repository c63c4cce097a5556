//! Random programs as MLIR text.

use super::tree::{Body, Op, Stmt, Tree, Ty, Var};
use super::vocabulary::{BINARY, Domain, UNARY};
use std::fmt::Write;

/// The whole module; the entry is called `main`.
pub fn print(tree: &Tree) -> String {
    let dynamic = tree.dynamic_symbols();
    let mut text = String::new();
    for f in tree.reachable() {
        let mut printer =
            Printer { tree, dynamic: &dynamic, out: String::new(), fresh: 0, depth: 1 };
        text.push_str(&printer.function(f));
    }
    text
}

/// The name of a function.
pub fn function_name(tree: &Tree, f: usize) -> String {
    if f == tree.entry() { "main".into() } else { format!("f{f}") }
}

pub(super) struct Printer<'t> {
    pub tree: &'t Tree,
    dynamic: &'t [usize],
    out: String,
    fresh: usize,
    depth: usize,
}

fn join(parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().collect::<Vec<_>>().join(", ")
}

pub(super) fn var(v: Var) -> String {
    format!("%v{v}")
}

pub(super) fn vars(list: &[(Var, Ty)]) -> String {
    join(list.iter().map(|v| var(v.0)))
}

impl Printer<'_> {
    fn function(&mut self, f: usize) -> String {
        let body = &self.tree.functions[f];
        let mut params: Vec<String> =
            body.params.iter().map(|(v, ty)| format!("{}: {}", var(*v), self.ty(ty))).collect();
        params.extend(self.dynamic.iter().map(|s| format!("%n{s}: index")));
        self.stmts(body);
        let results = self.types(&body.results);
        let mut text = format!(
            "func.func @{}({}) -> ({results}) {{\n",
            function_name(self.tree, f),
            params.join(", ")
        );
        for (s, symbol) in self.tree.symbols.iter().enumerate().filter(|(_, s)| !s.dynamic) {
            let used = |end: &str| self.out.contains(&format!("%n{s}{end}"));
            if [",", " ", ")", "]", "\n", "}"].into_iter().any(used) {
                let _ = writeln!(text, "  %n{s} = arith.constant {} : index", symbol.size);
            }
        }
        text.push_str(&self.out);
        let _ = writeln!(text, "  return {} : {results}\n}}", vars(&body.results));
        text
    }

    pub fn line(&mut self, text: impl AsRef<str>) {
        let _ = writeln!(self.out, "{}{}", "  ".repeat(self.depth), text.as_ref());
    }

    /// A line that closes a block and is indented like the line that opened it.
    pub fn close(&mut self, text: &str) {
        self.depth -= 1;
        self.line(text);
    }

    pub fn open(&mut self, text: impl AsRef<str>) {
        self.line(text);
        self.depth += 1;
    }

    /// Indents again, after a line that closes one block and opens the next.
    pub fn reopen(&mut self) {
        self.depth += 1;
    }

    /// The dynamic sizes that every function takes.
    pub fn dynamic_arguments(&self) -> &[usize] {
        self.dynamic
    }

    pub fn fresh(&mut self) -> String {
        self.fresh += 1;
        format!("%t{}", self.fresh)
    }

    pub fn float(&self) -> &'static str {
        if self.tree.narrow { "f32" } else { "f64" }
    }

    pub fn dims(&self, dims: &[usize]) -> String {
        let size = |s: &usize| {
            let symbol = &self.tree.symbols[*s];
            if symbol.dynamic { "?x".to_string() } else { format!("{}x", symbol.size) }
        };
        dims.iter().map(size).collect()
    }

    pub fn ty(&self, ty: &Ty) -> String {
        match ty {
            Ty::Float => self.float().into(),
            Ty::Index => "index".into(),
            Ty::Array(dims) => format!("tensor<{}{}>", self.dims(dims), self.float()),
            Ty::Lanes(n) => format!("vector<{n}x{}>", self.float()),
            Ty::Indices(s) => format!("tensor<{}index>", self.dims(&[*s])),
        }
    }

    pub fn types(&self, list: &[(Var, Ty)]) -> String {
        join(list.iter().map(|v| self.ty(&v.1)))
    }

    pub fn typed(&self, list: &[(Var, Ty)]) -> String {
        join(list.iter().map(|(v, ty)| format!("{}: {}", var(*v), self.ty(ty))))
    }

    pub fn arguments(&self, list: &[(Var, Ty)]) -> String {
        format!("{} : {}", vars(list), self.types(list))
    }

    pub fn constant(&mut self, x: f64) -> String {
        let name = self.fresh();
        let float = self.float();
        self.line(format!("{name} = arith.constant {x:?} : {float}"));
        name
    }

    pub fn index(&mut self, n: usize) -> String {
        let name = self.fresh();
        self.line(format!("{name} = arith.constant {n} : index"));
        name
    }

    /// A size as an operand or a number.
    pub fn extent(&self, symbol: usize) -> String {
        match &self.tree.symbols[symbol] {
            s if s.dynamic => format!("%n{symbol}"),
            s => s.size.to_string(),
        }
    }

    /// The dynamic sizes of a shape, in order.
    pub fn dynamic_sizes(&self, dims: &[usize]) -> String {
        join(dims.iter().filter(|s| self.tree.symbols[**s].dynamic).map(|s| format!("%n{s}")))
    }

    /// Indices reduced to be in bounds.
    pub fn indices(&mut self, list: &[(Var, Ty)], dims: &[usize]) -> String {
        let mut reduced = Vec::new();
        for ((v, _), s) in list.iter().zip(dims) {
            let name = self.fresh();
            self.line(format!("{name} = arith.remui {}, %n{s} : index", var(*v)));
            reduced.push(name);
        }
        reduced.join(", ")
    }

    pub fn stmts(&mut self, body: &Body) {
        for stmt in &body.stmts {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        use Op::*;
        match &stmt.op {
            Const(_) | Index(_) | Unary(_) | Binary(_) | Fma | Select(_) | FromIndex | Clamp
            | SinCos | Power(_) | OtherWidth => self.scalar(stmt),
            Extract | Insert | Row(_) | SetRow(_) | Slice(_) | SetSlice(_) | Splat | Fill
            | FromElements | Generate | Flat | CastTrip => self.tensor(stmt),
            _ => self.structured(stmt),
        }
    }

    fn scalar(&mut self, stmt: &Stmt) {
        let result = vars(&stmt.results);
        let float = self.float();
        let full = stmt.results[0].1.clone();
        let ty = self.ty(&full);
        let operand = |i: usize| var(stmt.operands[i].0);
        let text = match &stmt.op {
            Op::Const(x) => format!("arith.constant {x:?} : {float}"),
            Op::Index(n) => format!("arith.constant {n} : index"),
            Op::Unary(f) => {
                let (name, domain) = UNARY[*f];
                let x = self.moved_into(domain, operand(0), &full);
                format!("{name} {x} : {ty}")
            }
            Op::Binary(f) => {
                let (name, left, right) = BINARY[*f];
                let x = self.moved_into(left, operand(0), &full);
                let y = self.moved_into(right, operand(1), &full);
                format!("{name} {x}, {y} : {ty}")
            }
            Op::Fma => {
                let dialect = if matches!(full, Ty::Lanes(_)) { "vector" } else { "math" };
                format!("{dialect}.fma {} : {ty}", vars(&stmt.operands))
            }
            Op::Clamp => {
                let low = self.constant(-0.75);
                let high = self.moved_into(Domain::Positive, operand(1), &full);
                format!("math.clampf {} to [{low}, {high}] : {float}", operand(0))
            }
            Op::SinCos => format!("math.sincos {} : {float}", operand(0)),
            Op::Power(n) => {
                let domain = if *n < 0 { Domain::Positive } else { Domain::Any };
                let x = self.moved_into(domain, operand(0), &full);
                let power = self.fresh();
                self.line(format!("{power} = arith.constant {n} : i32"));
                format!("math.fpowi {x}, {power} : {float}, i32")
            }
            Op::OtherWidth => {
                let [wide, sine] = [(); 2].map(|()| self.fresh());
                self.line(format!("{wide} = arith.extf {} : {float} to f64", operand(0)));
                self.line(format!("{sine} = math.sin {wide} : f64"));
                format!("arith.truncf {sine} : f64 to {float}")
            }
            Op::Select(predicate) => {
                let c = self.compare(predicate, stmt);
                let by = match &stmt.operands[0].1 {
                    Ty::Array(dims) => format!("tensor<{}i1>, ", self.dims(dims)),
                    Ty::Lanes(n) => format!("vector<{n}xi1>, "),
                    _ => String::new(),
                };
                format!("arith.select {c}, {} : {by}{ty}", vars(&stmt.operands[2..]))
            }
            _ => {
                let n = self.fresh();
                self.line(format!("{n} = arith.index_cast {} : index to i64", operand(0)));
                format!("arith.sitofp {n} : i64 to {float}")
            }
        };
        self.line(format!("{result} = {text}"));
    }

    /// What a comparison of the first two operands gives.
    pub fn compare(&mut self, predicate: &str, stmt: &Stmt) -> String {
        let c = self.fresh();
        let ty = self.ty(&stmt.operands[0].1);
        let op = if stmt.operands[0].1 == Ty::Index { "cmpi" } else { "cmpf" };
        self.line(format!("{c} = arith.{op} {predicate}, {} : {ty}", vars(&stmt.operands[..2])));
        c
    }

    /// A number, or all elements of an array, moved to where a function is smooth.
    pub fn moved_into(&mut self, domain: Domain, x: String, full: &Ty) -> String {
        let ty = self.ty(full);
        let base = match domain {
            Domain::Any => return x,
            Domain::Bounded | Domain::Inside => format!("math.sin {x} : {ty}"),
            Domain::Positive | Domain::AboveOne => format!("arith.mulf {x}, {x} : {ty}"),
        };
        let first = self.fresh();
        self.line(format!("{first} = {base}"));
        let (op, constant) = match domain {
            Domain::Inside => ("mulf", 0.5),
            Domain::Positive => ("addf", 1.0),
            Domain::AboveOne => ("addf", 2.0),
            _ => return first,
        };
        let c = self.constant(constant);
        let c = self.spread(c, full);
        let second = self.fresh();
        self.line(format!("{second} = arith.{op} {first}, {c} : {ty}"));
        second
    }
}
