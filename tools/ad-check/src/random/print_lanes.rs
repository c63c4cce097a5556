//! Statements on vectors as MLIR text.

use super::ops::LanesOp;
use super::print::{Printer, var, vars};
use super::tree::{Fold, Stmt, Ty};

impl Printer<'_> {
    pub(super) fn lanes(&mut self, stmt: &Stmt, op: LanesOp) {
        let (operands, result) = (&stmt.operands, vars(&stmt.results));
        let Some((first, ty)) = operands.first().map(|(v, ty)| (var(*v), self.ty(ty))) else {
            return;
        };
        let (to, float) = (self.ty(&stmt.results[0].1), self.float());
        let text = match op {
            LanesOp::Broadcast => format!("vector.broadcast {first} : {ty} to {to}"),
            LanesOp::FromElements => format!("vector.from_elements {} : {to}", vars(operands)),
            LanesOp::ToElements => format!("vector.to_elements {first} : {ty}"),
            LanesOp::Extract => {
                let at = self.lane(stmt, 1);
                format!("vector.extract {first}[{at}] : {to} from {ty}")
            }
            LanesOp::Insert => {
                let at = self.lane(stmt, 2);
                format!("vector.insert {}, {first}[{at}] : {float} into {ty}", var(operands[1].0))
            }
            LanesOp::Reduction(fold) => {
                let kind = match fold {
                    Fold::Mul => "mul",
                    Fold::Max => "maximumf",
                    Fold::Min => "minimumf",
                    _ => "add",
                };
                format!("vector.reduction <{kind}>, {} : {ty} into {to}", vars(operands))
            }
            LanesOp::Shuffle => self.shuffle(&first, &stmt.operands[0].1),
            LanesOp::Rows(row) => self.rows(stmt, row),
        };
        self.line(format!("{result} = {text}"));
    }

    /// An index operand reduced to be a lane of the first operand.
    fn lane(&mut self, stmt: &Stmt, position: usize) -> String {
        let Ty::Lanes(lanes) = stmt.operands[0].1 else { return String::new() };
        let (count, at) = (self.index(lanes), self.fresh());
        self.line(format!(
            "{at} = arith.remui {}, {count} : index",
            var(stmt.operands[position].0)
        ));
        at
    }

    fn shuffle(&mut self, v: &str, ty: &Ty) -> String {
        let Ty::Lanes(lanes) = ty else { return String::new() };
        let (flat, float, half) = (self.ty(ty), self.float(), lanes / 2);
        let (wide, tall) =
            (format!("vector<2x{half}x{float}>"), format!("vector<{half}x2x{float}>"));
        let [rows, columns] = [(); 2].map(|()| self.fresh());
        self.line(format!("{rows} = vector.shape_cast {v} : {flat} to {wide}"));
        self.line(format!("{columns} = vector.transpose {rows}, [1, 0] : {wide} to {tall}"));
        format!("vector.shape_cast {columns} : {tall} to {flat}")
    }

    fn rows(&mut self, stmt: &Stmt, row: usize) -> String {
        let [(v, ty), (w, _)] = &stmt.operands[..] else { return String::new() };
        let Ty::Lanes(lanes) = ty else { return String::new() };
        let (v, w, flat) = (var(*v), var(*w), self.ty(ty));
        let wide = format!("vector<2x{lanes}x{}>", self.float());
        let [copies, mixed, products] = [(); 3].map(|()| self.fresh());
        self.line(format!("{copies} = vector.broadcast {v} : {flat} to {wide}"));
        self.line(format!("{mixed} = vector.insert {w}, {copies}[0] : {flat} into {wide}"));
        self.line(format!("{products} = arith.mulf {mixed}, {copies} : {wide}"));
        format!("vector.extract {products}[{row}] : {flat} from {wide}")
    }
}
