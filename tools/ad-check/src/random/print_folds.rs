//! Reductions, scans, histograms and scatters as MLIR text.

use super::generate::element_type;
use super::print::{Printer, vars};
use super::print_arrays::dims_of;
use super::tree::{Fold, Op, Stmt, Ty};

impl Printer<'_> {
    pub(super) fn combination(&mut self, stmt: &Stmt) {
        match &stmt.op {
            Op::Reduce(fold) => {
                let ins = self.arguments(&stmt.operands);
                let element = stmt.results[0].1.clone();
                self.folded(stmt, *fold, &element, &format!("soac.reduce ins({ins})"), "");
            }
            Op::Scan { fold, exclusive, reverse } => {
                let ins = self.arguments(&stmt.operands);
                let element = element_type(dims_of(&stmt.results[0].1));
                let flags = match (exclusive, reverse) {
                    (false, false) => "",
                    (true, false) => " attributes {exclusive}",
                    (false, true) => " attributes {reverse}",
                    (true, true) => " attributes {exclusive, reverse}",
                };
                self.folded(stmt, *fold, &element, &format!("soac.scan ins({ins})"), flags);
            }
            Op::Hist { fold, factor, offset } => {
                let (bins, values) = stmt.operands.split_at(stmt.results.len());
                let at = self.positions(&bins[0].1, &values[0].1, *factor, *offset);
                let (ins, into) = (self.arguments(values), self.arguments(bins));
                let element = element_type(dims_of(&stmt.results[0].1));
                let head = format!("soac.hist at({at}) ins({ins}) into({into})");
                self.folded(stmt, *fold, &element, &head, "");
            }
            Op::Scatter { factor, offset } => {
                let [target, values] = &stmt.operands[..] else { return };
                let at = self.positions(&target.1, &values.1, *factor, *offset);
                let (ins, into) =
                    (self.arguments(&stmt.operands[1..]), self.arguments(&stmt.operands[..1]));
                let result = vars(&stmt.results);
                self.line(format!("{result} = soac.scatter at({at}) ins({ins}) into({into})"));
            }
            _ => {}
        }
    }

    /// Where values go: an array of indices, some of them past the end of the target.
    fn positions(&mut self, target: &Ty, values: &Ty, factor: usize, offset: usize) -> String {
        let (bins, symbol) = (dims_of(target)[0], dims_of(values)[0]);
        let one = self.index(1);
        let count = self.fresh();
        self.line(format!("{count} = arith.addi %n{bins}, {one} : index"));
        let all = self.spaced(&count, symbol, factor, offset);
        format!("{all} : {}", self.ty(&Ty::Indices(symbol)))
    }

    /// The numbers `(i * factor + offset) mod count` along a symbol.
    pub(super) fn spaced(
        &mut self,
        count: &str,
        symbol: usize,
        factor: usize,
        offset: usize,
    ) -> String {
        let [factor, offset] = [factor, offset].map(|n| self.index(n));
        let [iota, all, i, scaled, moved, bin] = [(); 6].map(|()| self.fresh());
        let ty = self.ty(&Ty::Indices(symbol));
        let size = self.dynamic_sizes(&[symbol]);
        self.line(format!("{iota} = soac.iota {size} : {ty}"));
        self.open(format!("{all} = soac.map ins({iota} : {ty}) ({i}: index) -> {ty} {{"));
        self.line(format!("{scaled} = arith.muli {i}, {factor} : index"));
        self.line(format!("{moved} = arith.addi {scaled}, {offset} : index"));
        self.line(format!("{bin} = arith.remui {moved}, {count} : index"));
        self.line(format!("soac.yield {bin} : index"));
        self.close("}");
        all
    }

    /// A combinator with an operator: `head` is its name and operands.
    fn folded(&mut self, stmt: &Stmt, fold: Fold, element: &Ty, head: &str, flags: &str) {
        let neutral = match fold {
            Fold::Mul => vec![1.0],
            Fold::Add | Fold::Twisted => vec![0.0],
            Fold::Max => vec![-1e3],
            Fold::Min => vec![1e3],
            Fold::Affine => vec![1.0, 0.0],
        };
        let mut neutrals = Vec::new();
        for x in neutral {
            let scalar = self.constant(x);
            neutrals.push(self.spread(scalar, element));
        }
        let ty = self.ty(element);
        let types = vec![ty.clone(); neutrals.len()].join(", ");
        let names: Vec<String> = (0..2 * neutrals.len()).map(|_| self.fresh()).collect();
        let params: Vec<String> = names.iter().map(|n| format!("{n}: {ty}")).collect();
        self.open(format!(
            "{} = {head} neutral({} : {types}) ({}){flags} {{",
            vars(&stmt.results),
            neutrals.join(", "),
            params.join(", ")
        ));
        let results = self.operator(fold, &names, element);
        self.line(format!("soac.yield {} : {types}", results.join(", ")));
        self.close("}");
    }

    /// A scalar as a value of the type: itself, or an array of copies.
    pub(super) fn spread(&mut self, scalar: String, ty: &Ty) -> String {
        let (name, float) = (self.fresh(), self.float());
        if let Ty::Lanes(_) = ty {
            let text = self.ty(ty);
            self.line(format!("{name} = vector.broadcast {scalar} : {float} to {text}"));
            return name;
        }
        let Ty::Array(dims) = ty else { return scalar };
        let (sizes, text) = (self.dynamic_sizes(dims), self.ty(ty));
        let sizes = if sizes.is_empty() { sizes } else { format!("[{sizes}]") };
        self.line(format!("{name} = tensor.splat {scalar}{sizes} : {text}"));
        name
    }

    /// The operator on scalars, or on each element of rows.
    pub(super) fn operator(&mut self, fold: Fold, names: &[String], element: &Ty) -> Vec<String> {
        let float = self.float();
        if let Ty::Array(dims) = element {
            let part = element_type(dims);
            let (ty, inner_type) = (self.ty(element), self.ty(&part));
            let (out, l, r) = (self.fresh(), self.fresh(), self.fresh());
            let (a, b) = (&names[0], &names[1]);
            self.open(format!("{out} = soac.map ins({a}, {b} : {ty}, {ty}) ({l}: {inner_type}, {r}: {inner_type}) -> {ty} {{"));
            let inner = self.operator(fold, &[l, r], &part);
            self.line(format!("soac.yield {} : {inner_type}", inner[0]));
            self.close("}");
            return vec![out];
        }
        let mut emit = |op: &str, x: &str, y: &str| {
            let name = self.fresh();
            self.line(format!("{name} = arith.{op} {x}, {y} : {float}"));
            name
        };
        match (fold, names) {
            (Fold::Add, [l, r]) => vec![emit("addf", l, r)],
            (Fold::Mul, [l, r]) => vec![emit("mulf", l, r)],
            (Fold::Max, [l, r]) => vec![emit("maximumf", l, r)],
            (Fold::Min, [l, r]) => vec![emit("minimumf", l, r)],
            (Fold::Twisted, [l, r]) => {
                let product = emit("mulf", l, r);
                let sum = emit("addf", l, r);
                vec![emit("addf", &sum, &product)]
            }
            (Fold::Affine, [a1, b1, a2, b2]) => {
                let a = emit("mulf", a1, a2);
                let scaled = emit("mulf", b1, a2);
                vec![a, emit("addf", &scaled, b2)]
            }
            _ => Vec::new(),
        }
    }
}
