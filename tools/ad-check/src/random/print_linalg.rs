//! `linalg` operations as MLIR text.

use super::ops::LinalgOp;
use super::print::{Printer, var, vars};
use super::print_arrays::dims_of;
use super::tree::{Fold, Stmt, Ty};
use super::vocabulary::NAMED;

impl Printer<'_> {
    pub(super) fn linalg(&mut self, stmt: &Stmt, op: LinalgOp) {
        let rank = dims_of(&stmt.results[0].1).len();
        match op {
            LinalgOp::Dot => self.dot(stmt),
            LinalgOp::Vecmat => self.summed(stmt, "vecmat"),
            LinalgOp::Batch if rank == 3 => self.summed(stmt, "batch_matmul"),
            LinalgOp::Batch => self.summed(stmt, "batch_matvec"),
            LinalgOp::Conv => self.summed(stmt, &format!("conv_{rank}d")),
            LinalgOp::ConvChannels { stride, dilation } => {
                let sizes = spacing(stride, dilation);
                self.summed(stmt, &format!("conv_1d_nwc_wcf {sizes}"));
            }
            LinalgOp::Pool { fold, window, stride, dilation } => {
                self.pool(stmt, fold, window, &spacing(stride, dilation))
            }
            LinalgOp::Broadcast(position) => {
                let (ins, init) = (self.arguments(&stmt.operands), self.uninitialised(stmt));
                let to = self.types(&stmt.results);
                self.line(format!("{} = linalg.broadcast ins({ins}) outs({init} : {to}) dimensions = [{position}]", vars(&stmt.results)));
            }
            LinalgOp::Named(f) => self.named(stmt, f),
            LinalgOp::Map => self.elementwise(stmt),
            LinalgOp::Softmax(dim) => {
                let (ins, init) = (self.arguments(&stmt.operands), self.uninitialised(stmt));
                let (to, parts) = (self.types(&stmt.results), self.fresh());
                self.line(format!("{parts} = linalg.softmax dimension({dim}) ins({ins}) outs({init} : {to}) -> {to}"));
                // Their sum is constant, and its derivative nothing but rounding.
                let (x, result) = (vars(&stmt.operands), vars(&stmt.results));
                self.line(format!("{result} = arith.mulf {parts}, {x} : {to}"));
            }
        }
    }

    /// An operation that adds to its output, here to a constant.
    fn summed(&mut self, stmt: &Stmt, name: &str) {
        let init = self.filled(stmt, 0.5);
        let (ins, to) = (self.arguments(&stmt.operands), self.types(&stmt.results));
        let result = vars(&stmt.results);
        self.line(format!("{result} = linalg.{name} ins({ins}) outs({init} : {to}) -> {to}"));
    }

    fn dot(&mut self, stmt: &Stmt) {
        let (ins, float) = (self.arguments(&stmt.operands), self.float());
        let [init, sum] = [(); 2].map(|()| self.fresh());
        let ty = format!("tensor<{float}>");
        self.line(format!("{init} = arith.constant dense<0.0> : {ty}"));
        self.line(format!("{sum} = linalg.dot ins({ins}) outs({init} : {ty}) -> {ty}"));
        self.line(format!("{} = tensor.extract {sum}[] : {ty}", vars(&stmt.results)));
    }

    fn pool(&mut self, stmt: &Stmt, fold: Fold, window: usize, spacing: &str) {
        let (name, start) = match fold {
            Fold::Max => ("max", -1e3),
            Fold::Min => ("min", 1e3),
            _ => ("sum", 0.0),
        };
        let init = self.filled(stmt, start);
        let (a, from) = (vars(&stmt.operands), self.types(&stmt.operands));
        let (shape, to) = (self.fresh(), self.types(&stmt.results));
        let ty = format!("tensor<{window}x{}>", self.float());
        self.line(format!("{shape} = tensor.empty() : {ty}"));
        self.line(format!("{} = linalg.pooling_nwc_{name} {spacing} ins({a}, {shape} : {from}, {ty}) outs({init} : {to}) -> {to}", vars(&stmt.results)));
    }

    fn named(&mut self, stmt: &Stmt, f: usize) {
        let (name, domains) = NAMED[f];
        let moved: Vec<String> = (stmt.operands.iter().zip(domains))
            .map(|((v, ty), domain)| self.moved_into(*domain, var(*v), ty))
            .collect();
        let init = self.uninitialised(stmt);
        let (from, to) = (self.types(&stmt.operands), self.types(&stmt.results));
        self.line(format!(
            "{} = {name} ins({} : {from}) outs({init} : {to}) -> {to}",
            vars(&stmt.results),
            moved.join(", ")
        ));
    }

    fn elementwise(&mut self, stmt: &Stmt) {
        let (ins, init) = (self.arguments(&stmt.operands), self.uninitialised(stmt));
        let (to, float, body) = (self.types(&stmt.results), self.float(), &stmt.bodies[0]);
        let (params, old) = (self.typed(&body.params), self.fresh());
        let result = vars(&stmt.results);
        self.open(format!(
            "{result} = linalg.map ins({ins}) outs({init} : {to}) ({params}, {old}: {float}) {{"
        ));
        self.body_end("linalg.yield", stmt, 0);
    }

    /// A reduction of a dimension of a matrix, in the short form where there is one.
    pub(super) fn reduced(&mut self, stmt: &Stmt, fold: Fold, dim: usize) {
        let (start, name) = match fold {
            Fold::Mul => (1.0, Some("mulf")),
            Fold::Max => (-1e3, Some("maximumf")),
            Fold::Min => (1e3, None),
            Fold::Twisted => (0.0, None),
            _ => (0.0, Some("addf")),
        };
        let init = self.filled(stmt, start);
        let (ins, to) = (self.arguments(&stmt.operands), self.types(&stmt.results));
        let result = vars(&stmt.results);
        let ends = format!("ins({ins}) outs({init} : {to}) dimensions = [{dim}]");
        if let Some(name) = name {
            return self.line(format!("{result} = linalg.reduce {{ arith.{name} }} {ends}"));
        }
        let ([l, r], float) = ([(); 2].map(|()| self.fresh()), self.float());
        self.line(format!("{result} = linalg.reduce {ends}"));
        self.open(format!("({l}: {float}, {r}: {float}) {{"));
        let combined = self.operator(fold, &[l, r], &Ty::Float);
        self.line(format!("linalg.yield {} : {float}", combined[0]));
        self.close("}");
    }
}

/// The attributes of an operation with windows in one dimension.
fn spacing(stride: usize, dilation: usize) -> String {
    format!(
        "{{strides = dense<{stride}> : tensor<1xi64>, dilations = dense<{dilation}> : tensor<1xi64>}}"
    )
}
