//! Statements on whole arrays as MLIR text: `linalg`, `tensor`, `complex`.

use super::print::{Printer, var, vars};
use super::print_arrays::dims_of;
use super::tree::{Op, Stmt, Ty};
use super::vocabulary::{COMPLEX, Domain};

impl Printer<'_> {
    pub(super) fn whole(&mut self, stmt: &Stmt) {
        match &stmt.op {
            Op::Transpose => {
                let (a, from) = (vars(&stmt.operands), self.types(&stmt.operands));
                let (init, to) = (self.uninitialised(stmt), self.types(&stmt.results));
                let result = vars(&stmt.results);
                let order = ["0", "1, 0", "1, 2, 0"][dims_of(&stmt.results[0].1).len() - 1];
                self.line(format!("{result} = linalg.transpose ins({a} : {from}) outs({init} : {to}) permutation = [{order}]"));
            }
            Op::Product => self.product(stmt),
            Op::Contract => self.contract(stmt),
            Op::Columns(fold, dim) => self.reduced(stmt, *fold, *dim),
            Op::Pad { low, high } => self.pad(stmt, *low, *high),
            Op::Concat => {
                let (ins, from) = (vars(&stmt.operands), self.types(&stmt.operands));
                self.resized(stmt, |unknown| {
                    format!("tensor.concat dim(0) {ins} : ({from}) -> {unknown}")
                });
            }
            Op::Complex(f) => self.complex(stmt, *f),
            _ => {}
        }
    }

    /// An array without contents for the result.
    pub(super) fn uninitialised(&mut self, stmt: &Stmt) -> String {
        let (name, ty) = (self.fresh(), &stmt.results[0].1);
        let (sizes, text) = (self.dynamic_sizes(dims_of(ty)), self.ty(ty));
        self.line(format!("{name} = tensor.empty({sizes}) : {text}"));
        name
    }

    /// An array with a number everywhere, for the result.
    pub(super) fn filled(&mut self, stmt: &Stmt, x: f64) -> String {
        let scalar = self.constant(x);
        self.spread(scalar, &stmt.results[0].1)
    }

    fn product(&mut self, stmt: &Stmt) {
        let init = self.filled(stmt, 0.0);
        let name = if dims_of(&stmt.results[0].1).len() == 2 { "matmul" } else { "matvec" };
        let (ins, to) = (self.arguments(&stmt.operands), self.types(&stmt.results));
        let result = vars(&stmt.results);
        self.line(format!("{result} = linalg.{name} ins({ins}) outs({init} : {to}) -> {to}"));
    }

    fn contract(&mut self, stmt: &Stmt) {
        let init = self.filled(stmt, 0.25);
        let (ins, to) = (self.arguments(&stmt.operands), self.types(&stmt.results));
        let float = self.float();
        let maps =
            "affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>";
        self.open(format!(
            "{} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [\"parallel\", \"reduction\"]}} ins({ins}) outs({init} : {to}) {{",
            vars(&stmt.results)
        ));
        let body = &stmt.bodies[0];
        let [sum, next] = [(); 2].map(|()| self.fresh());
        let params = self.typed(&body.params);
        self.line(format!("^bb0({params}, {sum}: {float}):"));
        self.stmts(body);
        self.line(format!("{next} = arith.addf {sum}, {} : {float}", vars(&body.results)));
        self.line(format!("linalg.yield {next} : {float}"));
        self.close(&format!("}} -> {to}"));
    }

    fn pad(&mut self, stmt: &Stmt, low: usize, high: usize) {
        let [(a, from), (x, _)] = &stmt.operands[..] else { return };
        let (a, from, x, float) = (var(*a), self.ty(from), var(*x), self.float());
        let i = self.fresh();
        self.resized(stmt, |unknown| {
            format!(
                "tensor.pad {a} low[{low}] high[{high}] {{\n^bb0({i}: index):\ntensor.yield {x} : {float}\n}} : {from} to {unknown}"
            )
        });
    }

    /// A result of unknown size as one of the size that it has; of static operands, the size
    /// is static too.
    fn resized(&mut self, stmt: &Stmt, text: impl FnOnce(&str) -> String) {
        let to = self.types(&stmt.results);
        if !stmt.operands.iter().any(|(_, ty)| self.ty(ty).contains('?')) {
            return self.line(format!("{} = {}", vars(&stmt.results), text(&to)));
        }
        let unknown = format!("tensor<?x{}>", self.float());
        let other = self.fresh();
        self.line(format!("{other} = {}", text(&unknown)));
        self.line(format!("{} = tensor.cast {other} : {unknown} to {to}", vars(&stmt.results)));
    }

    fn complex(&mut self, stmt: &Stmt, f: usize) {
        let (name, domain) = COMPLEX[f];
        let float = self.float();
        let ty = format!("complex<{float}>");
        let [x, y] = [0, 1].map(|k| var(stmt.operands[k].0));
        let plain = [&x, &y].map(|v| self.moved_into(Domain::Bounded, v.clone(), &Ty::Float));
        let real = match domain {
            Domain::Positive => self.moved_into(Domain::Positive, x, &Ty::Float),
            _ => plain[0].clone(),
        };
        let [z, w] = [(); 2].map(|()| self.fresh());
        self.line(format!("{z} = complex.create {real}, {} : {ty}", plain[1]));
        let operands = match name {
            "complex.mul" | "complex.div" | "complex.add" | "complex.sub" => {
                let other = self.fresh();
                self.line(format!("{other} = complex.create {}, {} : {ty}", plain[1], plain[0]));
                format!("{other}, {z}")
            }
            "complex.pow" => {
                let other = self.fresh();
                self.line(format!("{other} = complex.create {}, {} : {ty}", plain[1], plain[0]));
                format!("{z}, {other}")
            }
            "complex.abs" => {
                for (name, (v, _)) in ["abs", "angle"].into_iter().zip(&stmt.results) {
                    self.line(format!("{} = complex.{name} {z} : {ty}", var(*v)));
                }
                return;
            }
            _ => z,
        };
        self.line(format!("{w} = {name} {operands} : {ty}"));
        for (part, (v, _)) in ["re", "im"].into_iter().zip(&stmt.results) {
            self.line(format!("{} = complex.{part} {w} : {ty}", var(*v)));
        }
    }
}
