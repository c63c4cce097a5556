//! Array statements and constructs with bodies, as MLIR text.

use super::print::{Printer, function_name, var, vars};
use super::tree::{Op, Stmt, Ty};

pub(super) fn dims_of(ty: &Ty) -> &[usize] {
    match ty {
        Ty::Array(dims) => dims,
        _ => &[],
    }
}

impl Printer<'_> {
    pub(super) fn tensor(&mut self, stmt: &Stmt) {
        let result = vars(&stmt.results);
        let result_type = self.ty(&stmt.results[0].1);
        let (first, first_type) = match stmt.operands.first() {
            Some((v, ty)) => (var(*v), self.ty(ty)),
            None => Default::default(),
        };
        let dims = dims_of(stmt.operands.first().map_or(&Ty::Float, |o| &o.1));
        let sizes = self.dynamic_sizes(dims_of(&stmt.results[0].1));
        let text = match &stmt.op {
            Op::Extract => {
                let index = self.indices(&stmt.operands[1..], dims);
                format!("tensor.extract {first}[{index}] : {first_type}")
            }
            Op::Insert => {
                let index = self.indices(&stmt.operands[2..], dims);
                format!(
                    "tensor.insert {} into {first}[{index}] : {first_type}",
                    var(stmt.operands[1].0)
                )
            }
            Op::Row(dim) => {
                let index = self.indices(&stmt.operands[1..], &dims[*dim..=*dim]);
                let at = self.row_position(dims, *dim, &index);
                format!("tensor.extract_slice {first}{at} : {first_type} to {result_type}")
            }
            Op::SetRow(dim) => {
                let index = self.indices(&stmt.operands[2..], &dims[*dim..=*dim]);
                let at = self.row_position(dims, *dim, &index);
                let row = self.ty(&stmt.operands[1].1);
                format!(
                    "tensor.insert_slice {} into {first}{at} : {row} into {first_type}",
                    var(stmt.operands[1].0)
                )
            }
            Op::Slice(places) => {
                let at = self.part_position(places, &stmt.results[0].1);
                format!("tensor.extract_slice {first}{at} : {first_type} to {result_type}")
            }
            Op::SetSlice(places) => {
                let (source, part) = &stmt.operands[1];
                let at = self.part_position(places, part);
                let (source, part) = (var(*source), self.ty(part));
                format!("tensor.insert_slice {source} into {first}{at} : {part} into {first_type}")
            }
            Op::Splat if sizes.is_empty() => format!("tensor.splat {first} : {result_type}"),
            Op::Splat => format!("tensor.splat {first}[{sizes}] : {result_type}"),
            Op::Fill => {
                let empty = self.fresh();
                self.line(format!("{empty} = tensor.empty({sizes}) : {result_type}"));
                let float = self.float();
                format!(
                    "linalg.fill ins({first} : {float}) outs({empty} : {result_type}) -> {result_type}"
                )
            }
            Op::FromElements => {
                format!("tensor.from_elements {} : {result_type}", vars(&stmt.operands))
            }
            Op::Generate => return self.generate(stmt, &sizes),
            Op::Flat => return self.flat(stmt),
            _ => {
                let other = self.fresh();
                let unknown = format!("tensor<{}{}>", "?x".repeat(dims.len()), self.float());
                self.line(format!("{other} = tensor.cast {first} : {first_type} to {unknown}"));
                format!("tensor.cast {other} : {unknown} to {result_type}")
            }
        };
        self.line(format!("{result} = {text}"));
    }

    /// `[i, 0] [1, n] [1, 1]` for the part at index i of a dimension.
    pub(super) fn row_position(&self, dims: &[usize], dim: usize, index: &str) -> String {
        let (mut offsets, mut sizes) = (vec!["0".to_string(); dims.len()], Vec::new());
        offsets[dim] = index.into();
        sizes.extend(dims.iter().map(|&s| self.extent(s)));
        sizes[dim] = "1".into();
        let ones = vec!["1"; dims.len()];
        format!("[{}] [{}] [{}]", offsets.join(", "), sizes.join(", "), ones.join(", "))
    }

    /// Offsets, sizes and strides of a part of an array.
    fn part_position(&self, places: &[(usize, usize)], part: &Ty) -> String {
        let list = |numbers: Vec<usize>| {
            numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
        };
        let offsets = list(places.iter().map(|p| p.0).collect());
        let sizes = list(dims_of(part).iter().map(|&s| self.tree.symbols[s].size).collect());
        let strides = list(places.iter().map(|p| p.1).collect());
        format!("[{offsets}] [{sizes}] [{strides}]")
    }

    fn generate(&mut self, stmt: &Stmt, sizes: &str) {
        let body = &stmt.bodies[0];
        self.open(format!("{} = tensor.generate {sizes} {{", vars(&stmt.results)));
        let params = self.typed(&body.params);
        self.line(format!("^bb0({params}):"));
        self.stmts(body);
        let float = self.float();
        self.line(format!("tensor.yield {} : {float}", vars(&body.results)));
        let ty = self.ty(&stmt.results[0].1);
        self.close(&format!("}} : {ty}"));
    }

    fn flat(&mut self, stmt: &Stmt) {
        let (v, ty) = &stmt.operands[0];
        let dims = dims_of(ty);
        let full = self.ty(ty);
        let symbols = &self.tree.symbols;
        let (rows, columns) = (&symbols[dims[0]], &symbols[dims[1]]);
        let size = if rows.dynamic || columns.dynamic {
            "?".into()
        } else {
            (rows.size * columns.size).to_string()
        };
        let flat_type = format!("tensor<{size}x{}>", self.float());
        let (flat, mapped) = (self.fresh(), self.fresh());
        self.line(format!(
            "{flat} = tensor.collapse_shape {} [[0, 1]] : {full} into {flat_type}",
            var(*v)
        ));
        let body = &stmt.bodies[0];
        let params = self.typed(&body.params);
        self.open(format!(
            "{mapped} = soac.map ins({flat} : {flat_type}) ({params}) -> {flat_type} {{"
        ));
        self.body_end("soac.yield", stmt, 0);
        let shape: Vec<String> = dims.iter().map(|&s| self.extent(s)).collect();
        self.line(format!(
            "{} = tensor.expand_shape {mapped} [[0, 1]] output_shape [{}] : {flat_type} into {full}",
            vars(&stmt.results),
            shape.join(", ")
        ));
    }

    /// The statements of a body, its terminator, and the closing brace.
    pub(super) fn body_end(&mut self, terminator: &str, stmt: &Stmt, index: usize) {
        let body = &stmt.bodies[index];
        self.stmts(body);
        let results = self.arguments(&body.results);
        self.line(format!("{terminator} {results}"));
        self.close("}");
    }

    pub(super) fn structured(&mut self, stmt: &Stmt) {
        match &stmt.op {
            Op::Map => self.map(stmt),
            Op::Reduce(_) | Op::Scan { .. } | Op::Hist { .. } | Op::Scatter { .. } => {
                self.combination(stmt)
            }
            Op::Iota | Op::Replicate => self.virtual_array(stmt),
            Op::WithAcc => self.with_acc(stmt, None),
            Op::WithAccLoop(steps) => self.with_acc(stmt, Some(*steps)),
            Op::For { .. }
            | Op::If(_)
            | Op::Recurrence { .. }
            | Op::Switch
            | Op::While { .. }
            | Op::Parallel { .. }
            | Op::Forall => self.control(stmt),
            Op::Transpose
            | Op::Product
            | Op::Contract
            | Op::Columns(..)
            | Op::Pad { .. }
            | Op::Concat
            | Op::Complex(_) => self.whole(stmt),
            Op::Linalg(op) => self.linalg(stmt, *op),
            Op::Shape(op) => self.shape(stmt, *op),
            Op::Lanes(op) => self.lanes(stmt, *op),
            Op::Call(f) => self.call(stmt, *f),
            Op::Vjp(f) => self.request(stmt, "vjp", *f),
            Op::Jvp(f) => self.request(stmt, "jvp", *f),
            _ => {}
        }
    }

    fn map(&mut self, stmt: &Stmt) {
        let body = &stmt.bodies[0];
        let (ins, params) = (self.arguments(&stmt.operands), self.typed(&body.params));
        let types = self.types(&stmt.results);
        self.open(format!(
            "{} = soac.map ins({ins}) ({params}) -> ({types}) {{",
            vars(&stmt.results)
        ));
        self.body_end("soac.yield", stmt, 0);
    }

    fn virtual_array(&mut self, stmt: &Stmt) {
        let (result, ty) = &stmt.results[0];
        let symbol = match ty {
            Ty::Array(dims) => dims[0],
            Ty::Indices(s) => *s,
            _ => return,
        };
        let dynamic = self.tree.symbols[symbol].dynamic;
        let (result, ty) = (var(*result), self.ty(ty));
        let size = if dynamic { format!("%n{symbol}") } else { String::new() };
        match stmt.operands.first() {
            None => self.line(format!("{result} = soac.iota {size} : {ty}")),
            Some((v, from)) => {
                let comma = if dynamic { ", " } else { "" };
                let from = self.ty(from);
                self.line(format!(
                    "{result} = soac.replicate {}{comma}{size} : {from} -> {ty}",
                    var(*v)
                ));
            }
        }
    }

    fn with_acc(&mut self, stmt: &Stmt, steps: Option<usize>) {
        let (array, ty) = &stmt.operands[0];
        let dims = dims_of(ty).to_vec();
        let (array, ty) = (var(*array), self.ty(ty));
        let acc_type = format!("!soac.acc<{ty}>");
        let [outer, inner, updated, after] = [(); 4].map(|()| self.fresh());
        let result = vars(&stmt.results);
        self.open(format!(
            "{result} = soac.with_acc ins({array} : {ty}) ({outer}: {acc_type}) -> ({ty}) {{"
        ));
        let body = &stmt.bodies[0];
        let params = self.typed(&body.params);
        match steps {
            None => {
                let ins = self.arguments(&stmt.operands[1..]);
                self.open(format!(
                    "{after} = soac.map ins({ins}) accs({outer} : {acc_type}) ({params}, {inner}: {acc_type}) -> ({acc_type}) {{"
                ));
            }
            Some(steps) => {
                let [zero, one, end] = [0, 1, steps].map(|n| self.index(n));
                let i = var(body.params[0].0);
                self.open(format!(
                    "{after} = scf.for {i} = {zero} to {end} step {one} iter_args({inner} = {outer}) -> ({acc_type}) {{"
                ));
            }
        }
        self.stmts(body);
        let (value, indices) = body.results.split_last().expect("an update has a value");
        let index = self.indices(indices, &dims);
        let value_type = self.ty(&value.1);
        self.line(format!(
            "{updated} = soac.update_acc {inner}[{index}], {} : {acc_type}, {value_type}",
            var(value.0)
        ));
        let terminator = if steps.is_some() { "scf.yield" } else { "soac.yield" };
        self.line(format!("{terminator} {updated} : {acc_type}"));
        self.close("}");
        self.line(format!("soac.yield {after} : {acc_type}"));
        self.close("}");
    }

    /// Arguments, then the dynamic sizes, with their types.
    fn callee_inputs(&self, operands: &[(super::tree::Var, Ty)]) -> (String, String) {
        let mut names: Vec<String> = operands.iter().map(|o| var(o.0)).collect();
        let mut types: Vec<String> = operands.iter().map(|o| self.ty(&o.1)).collect();
        for s in self.dynamic_arguments() {
            names.push(format!("%n{s}"));
            types.push("index".into());
        }
        (names.join(", "), types.join(", "))
    }

    fn call(&mut self, stmt: &Stmt, f: usize) {
        let (names, types) = self.callee_inputs(&stmt.operands);
        let results = self.types(&stmt.results);
        let name = function_name(self.tree, f);
        self.line(format!(
            "{} = func.call @{name}({names}) : ({types}) -> ({results})",
            vars(&stmt.results)
        ));
    }

    fn request(&mut self, stmt: &Stmt, mode: &str, f: usize) {
        let (arguments, seeds) = stmt.operands.split_at(self.tree.functions[f].params.len());
        let (names, types) = self.callee_inputs(arguments);
        let (results, name) = (self.types(&stmt.results), function_name(self.tree, f));
        self.line(format!(
            "{} = ad.{mode} @{name}({names}) seed({}) : ({types}), ({}) -> ({results})",
            vars(&stmt.results),
            vars(seeds),
            self.types(seeds)
        ));
    }
}
