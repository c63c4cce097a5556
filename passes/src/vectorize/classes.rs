//! Which values differ between the iterations of a loop.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, Val, ValExt};

use super::plan::{Class, Facts};
use crate::support::{fastmath::allows, memory};

impl<'c> Facts<'c> {
    /// Finds the classes of all values; none if iterations depend on each other by more than a little.
    pub fn find_classes(&mut self) -> Option<()> {
        let body = self.root.body(0)?;
        self.classes.insert(body.arg_list().first()?.key(), Class::Next);
        self.find_carried()?;
        while self.visit_block(body) {}
        Some(())
    }

    /// Raises a class; says whether that is new.
    fn raise(&mut self, value: Val<'c>, class: Class) -> bool {
        let old = self.class(value);
        if class > old {
            self.classes.insert(value.key(), class);
        }
        class > old
    }

    fn visit_block(&mut self, block: Blk<'c>) -> bool {
        let mut is_new = false;
        for op in block.body_ops() {
            is_new |= self.visit(op);
        }
        is_new
    }

    /// Looks at one operation; says whether anything is new.
    fn visit(&mut self, op: Op<'c>) -> bool {
        let classes: Vec<_> = op.operand_list().iter().map(|&v| self.class(v)).collect();
        match op.op_name() {
            "scf.for" => self.visit_loop(op),
            "scf.if" => self.visit_branch(op),
            "memref.load" => {
                let Some(array) = op.opnd(0) else { return false };
                let at = &op.operand_list()[1..];
                let is_same = match self.is_private(array) {
                    true => self.elements(array) == Class::Same && all_same(&classes[1..]),
                    false => self.place(array, at).is_some_and(|place| {
                        place.at.iter().all(|i| self.class_of_index(i) == Class::Same)
                    }),
                };
                op.res(0).is_some_and(|r| !is_same && self.raise(r, Class::Each))
            }
            "memref.store" => {
                let (Some(array), is_same) = (op.opnd(1), all_same(&classes)) else { return false };
                !is_same && self.raise_elements(array)
            }
            name if name.starts_with("memref.") || name == "cf.assert" => false,
            name => {
                let class = match (name, classes.as_slice()) {
                    (_, classes) if all_same(classes) => Class::Same,
                    ("arith.addi", [Class::Next, Class::Same] | [Class::Same, Class::Next])
                    | ("arith.subi", [Class::Next, Class::Same]) => Class::Next,
                    _ => Class::Each,
                };
                let mut is_new = false;
                for result in op.result_list() {
                    is_new |= self.raise(result, class);
                }
                is_new
            }
        }
    }

    fn visit_loop(&mut self, op: Op<'c>) -> bool {
        let Some(body) = op.body(0) else { return false };
        let (arguments, operands) = (body.arg_list(), op.operand_list());
        let ends = body.ends();
        let mut is_new = self.visit_block(body);
        for (i, &end) in ends.iter().enumerate() {
            if memory::is_array(end) {
                continue;
            }
            let (argument, result) = (arguments[i + 1], op.result_list()[i]);
            if !all_same(&[self.class(operands[i + 3]), self.class(end), self.class(argument)]) {
                is_new |= self.raise(argument, Class::Each) | self.raise(result, Class::Each);
            }
        }
        is_new
    }

    fn visit_branch(&mut self, op: Op<'c>) -> bool {
        let mut is_new = false;
        for block in op.blocks() {
            is_new |= self.visit_block(block);
        }
        let differs = op.opnd(0).is_some_and(|c| self.class(c) != Class::Same);
        for (i, result) in op.result_list().into_iter().enumerate() {
            let blocks = op.blocks();
            let ends: Vec<_> = blocks.iter().filter_map(|b| b.term()?.opnd(i)).collect();
            if memory::is_array(result) {
                if self.elements(result) != Class::Same {
                    is_new |= self.raise_elements(result);
                }
            } else if differs || ends.iter().any(|&end| self.class(end) != Class::Same) {
                is_new |= self.raise(result, Class::Each);
            }
        }
        is_new
    }

    /// The elements of an array differ: those of all allocations that it may be.
    fn raise_elements(&mut self, array: Val<'c>) -> bool {
        let mut is_new = false;
        for key in self.own_roots(array).into_iter().flatten() {
            is_new |= self.classes.insert(key, Class::Each) != Some(Class::Each);
        }
        is_new
    }
}

fn all_same(classes: &[Class]) -> bool {
    classes.iter().all(|&class| class == Class::Same)
}

/// Whether an operation is a sum that may be computed in any order.
pub fn is_free_sum(op: Op<'_>) -> bool {
    op.op_name() == "arith.addf" && allows(op, "reassoc")
}
