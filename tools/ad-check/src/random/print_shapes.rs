//! Statements that give elements of arrays other places, as MLIR text.

use super::ops::ShapeOp;
use super::print::{Printer, var, vars};
use super::print_arrays::dims_of;
use super::tree::{Stmt, Ty};

impl Printer<'_> {
    pub(super) fn shape(&mut self, stmt: &Stmt, op: ShapeOp) {
        match op {
            ShapeOp::Expand => self.expand(stmt),
            ShapeOp::Collapse => self.collapse(stmt),
            ShapeOp::Reshape => self.reshape(stmt),
            ShapeOp::Gather { dim, factor, offset, unique } => {
                let (from, to) = (&stmt.operands[0].1, &stmt.results[0].1);
                let at = self.places(dims_of(from)[dim], dims_of(to)[0], factor, offset);
                let (a, from, to) = (vars(&stmt.operands), self.ty(from), self.ty(to));
                let unique = if unique { " unique" } else { "" };
                self.line(format!(
                    "{} = tensor.gather {a}[{}] gather_dims([{dim}]){unique} : ({from}, {}) -> {to}",
                    vars(&stmt.results), at.0, at.1
                ));
            }
            ShapeOp::Scatter { offset } => self.scatter_parts(stmt, offset),
        }
    }

    fn expand(&mut self, stmt: &Stmt) {
        let (v, ty) = &stmt.operands[0];
        let dims = dims_of(&stmt.results[0].1);
        let (mut from, to) = (self.ty(ty), self.types(&stmt.results));
        let mut source = var(*v);
        if from.contains('?') && !to.contains('?') {
            // Of two static sizes, the size is static too.
            let n: usize = dims.iter().map(|&s| self.tree.symbols[s].size).product();
            let (fixed, name) = (format!("tensor<{n}x{}>", self.float()), self.fresh());
            self.line(format!("{name} = tensor.cast {source} : {from} to {fixed}"));
            (source, from) = (name, fixed);
        }
        let shape: Vec<String> = dims.iter().map(|&s| self.extent(s)).collect();
        self.line(format!(
            "{} = tensor.expand_shape {source} [[0, 1]] output_shape [{}] : {from} into {to}",
            vars(&stmt.results),
            shape.join(", ")
        ));
    }

    fn collapse(&mut self, stmt: &Stmt) {
        let (v, ty) = &stmt.operands[0];
        let dims = dims_of(ty);
        let (from, to) = (self.ty(ty), self.types(&stmt.results));
        let groups = if dims.len() == 2 { "[[0, 1]]" } else { "[[0, 1], [2]]" };
        let text = format!("tensor.collapse_shape {} {groups} : {from} into", var(*v));
        let result = vars(&stmt.results);
        if !self.dims(&dims[..2]).contains('?') {
            return self.line(format!("{result} = {text} {to}"));
        }
        let name = self.fresh();
        let unknown = format!("tensor<?x{}{}>", self.dims(&dims[2..]), self.float());
        self.line(format!("{name} = {text} {unknown}"));
        self.line(format!("{result} = tensor.cast {name} : {unknown} to {to}"));
    }

    fn reshape(&mut self, stmt: &Stmt) {
        let dims = dims_of(&stmt.results[0].1);
        let shape = self.fresh();
        let sizes: Vec<String> = dims.iter().map(|s| format!("%n{s}")).collect();
        let ty = format!("tensor<{}xindex>", dims.len());
        self.line(format!("{shape} = tensor.from_elements {} : {ty}", sizes.join(", ")));
        let (a, from, to) =
            (vars(&stmt.operands), self.types(&stmt.operands), self.types(&stmt.results));
        self.line(format!(
            "{} = tensor.reshape {a}({shape}) : ({from}, {ty}) -> {to}",
            vars(&stmt.results)
        ));
    }

    /// Indices along `count` that are in bounds of `symbol`, in a trailing dimension of one,
    /// and their type.
    fn places(
        &mut self,
        symbol: usize,
        count: usize,
        factor: usize,
        offset: usize,
    ) -> (String, String) {
        let at = self.spaced(&format!("%n{symbol}"), count, factor, offset);
        let (name, flat) = (self.fresh(), self.ty(&Ty::Indices(count)));
        let ty = format!("tensor<{}1xindex>", self.dims(&[count]));
        let size = self.extent(count);
        self.line(format!(
            "{name} = tensor.expand_shape {at} [[0, 1]] output_shape [{size}, 1] : {flat} into {ty}"
        ));
        (name, ty)
    }

    fn scatter_parts(&mut self, stmt: &Stmt, offset: usize) {
        let [(a, ty), (parts, from)] = &stmt.operands[..] else { return };
        let at = self.places(dims_of(ty)[0], dims_of(from)[0], 1, offset);
        let (ty, from) = (self.ty(ty), self.ty(from));
        self.line(format!(
            "{} = tensor.scatter {} into {}[{}] scatter_dims([0]) unique : ({from}, {ty}, {}) -> {ty}",
            vars(&stmt.results), var(*parts), var(*a), at.0, at.1
        ));
    }
}
