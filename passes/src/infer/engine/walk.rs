//! What holds of the values of one instance: operation by operation, along the edges of control flow.

use ad_dialect::{
    blocks::{deciding, handed_on, is_branch, successors},
    ir::{Blk, BlkExt, Op, OpExt, Val},
};
use melior::ir::{Type, ValueLike};

use super::{Engine, Walk};
use crate::infer::{
    constants::known,
    property::{Conflict, Known},
};

impl<'c> Engine<'c> {
    pub(super) fn conflict(&mut self, walk: &Walk<'c>, op: Op<'c>, conflict: Conflict) {
        if let Some(conflicts) = &mut self.conflicts {
            conflicts.push((op, walk.number, conflict));
        }
    }

    /// Adds what flows to a value.
    pub(super) fn flow(&mut self, walk: &mut Walk<'c>, op: Op<'c>, to: Val<'c>, known: &Known) {
        let mut refined = self.refine(walk, op, known, to.r#type());
        if let Some(old) = walk.facts.all(to) {
            refined = self.refine(walk, op, &self.join(old, &refined), to.r#type());
        }
        let is_new = walk.facts.all(to).is_none_or(|old| !self.is_same(old, &refined));
        if is_new {
            walk.facts.set(to, refined);
            walk.changes = true;
        }
    }

    /// What is known of a value of a type; what contradicts the type is wrong with the operation.
    pub(super) fn refine(
        &mut self,
        walk: &Walk<'c>,
        op: Op<'c>,
        known: &Known,
        r#type: Type<'c>,
    ) -> Known {
        let (mut refined, mut conflicts) = (vec![], vec![]);
        for (property, fact) in self.properties.iter().zip(known) {
            refined.push(property.refine(fact, r#type).unwrap_or_else(|conflict| {
                conflicts.push(conflict);
                property.of_type(r#type)
            }));
        }
        conflicts.into_iter().for_each(|conflict| self.conflict(walk, op, conflict));
        refined
    }

    pub(super) fn flow_all(
        &mut self,
        walk: &mut Walk<'c>,
        op: Op<'c>,
        from: &[Val<'c>],
        to: &[Val<'c>],
    ) {
        for (from, to) in from.iter().zip(to) {
            if let Some(known) = walk.facts.all(*from).cloned() {
                self.flow(walk, op, *to, &known);
            }
        }
    }

    pub(super) fn flow_types(&mut self, walk: &mut Walk<'c>, op: Op<'c>, to: &[Val<'c>]) {
        for value in to {
            let known = self.of_type(value.r#type());
            self.flow(walk, op, *value, &known);
        }
    }

    pub(super) fn visit(&mut self, walk: &mut Walk<'c>, op: Op<'c>) {
        if !op.operand_list().into_iter().all(|operand| walk.facts.all(operand).is_some()) {
            return;
        }
        match op.op_name() {
            "func.call" | "ad.vjp" | "ad.jvp" => self.call(walk, op),
            "func.return" => self.returns(walk, op),
            "scf.if" | "scf.for" | "scf.while" | "scf.index_switch" | "scf.execute_region" => {
                self.control(walk, op);
            }
            _ if is_branch(op) => self.branch(walk, op),
            _ => self.plain(walk, op),
        }
    }

    pub(super) fn returns(&mut self, walk: &mut Walk<'c>, op: Op<'c>) {
        let outputs = self.outputs(self.instances[walk.number].function);
        let mut returned = vec![];
        for (i, (value, r#type)) in op.operand_list().into_iter().zip(outputs).enumerate() {
            let Some(known) = walk.facts.all(value).cloned() else { return };
            let joined = match walk.results.as_ref().and_then(|results| results.get(i)) {
                Some(old) => self.join(old, &known),
                None => known,
            };
            let facts = self.properties.iter().zip(&joined).map(|(property, fact)| {
                property.refine(fact, r#type).unwrap_or_else(|_| property.of_type(r#type))
            });
            returned.push(facts.collect());
        }
        walk.results = Some(returned);
    }

    /// An operation that is no control flow.
    pub(super) fn plain(&mut self, walk: &mut Walk<'c>, op: Op<'c>) {
        for body in op.blocks() {
            self.enter(walk, op, body);
            self.visit_all(walk, body);
        }
        let results = op.result_list();
        if results.is_empty() {
            return;
        }
        let mut known: Vec<Known> =
            results.iter().map(|result| self.of_type(result.r#type())).collect();
        for position in 0..self.properties.len() {
            match self.properties[position].transfer(op, &walk.facts) {
                Ok(Some(facts)) => {
                    for (known, fact) in known.iter_mut().zip(facts) {
                        known[position] = fact;
                    }
                }
                Ok(None) => {}
                Err(conflict) => self.conflict(walk, op, conflict),
            }
        }
        for (result, known) in results.into_iter().zip(known) {
            self.flow(walk, op, result, &known);
        }
    }

    pub(super) fn enter(&mut self, walk: &mut Walk<'c>, op: Op<'c>, body: Blk<'c>) {
        let arguments = body.arg_list();
        let mut known: Vec<Known> = arguments.iter().map(|a| self.of_type(a.r#type())).collect();
        for (position, property) in self.properties.iter().enumerate() {
            for (known, fact) in
                known.iter_mut().zip(property.enter(op, body, &walk.facts).unwrap_or_default())
            {
                known[position] = fact;
            }
        }
        for (argument, known) in arguments.into_iter().zip(known) {
            self.flow(walk, op, argument, &known);
        }
    }

    pub(super) fn visit_all(&mut self, walk: &mut Walk<'c>, body: Blk<'c>) {
        if !walk.facts.reached.contains(&body) {
            walk.facts.reached.push(body);
        }
        body.ops().into_iter().for_each(|op| self.visit(walk, op));
    }

    pub(super) fn branch(&mut self, walk: &mut Walk<'c>, op: Op<'c>) {
        let decided = deciding(op).and_then(|value| known(value, &walk.facts));
        let taken = match (op.op_name(), decided) {
            ("cf.cond_br", Some(bit)) => Some(usize::from(bit == 0)),
            _ => None,
        };
        for (edge, (to, values)) in successors(op).into_iter().zip(handed_on(op)).enumerate() {
            if taken.is_some_and(|taken| taken != edge) {
                continue;
            }
            if !walk.facts.reached.contains(&to) {
                walk.facts.reached.push(to);
                walk.changes = true;
            }
            self.flow_all(walk, op, &values, &to.arg_list());
        }
    }

    /// Structured control flow.
    pub(super) fn control(&mut self, walk: &mut Walk<'c>, op: Op<'c>) {
        let (operands, results, blocks) = (op.operand_list(), op.result_list(), op.blocks());
        match (op.op_name(), &blocks[..]) {
            ("scf.for", &[body]) => {
                let arguments = body.arg_list();
                self.flow_types(walk, op, &arguments[..1]);
                self.flow_all(walk, op, &operands[3..], &arguments[1..]);
                self.visit_all(walk, body);
                self.flow_all(walk, op, &body.ends(), &arguments[1..]);
                self.flow_all(walk, op, &arguments[1..], &results);
            }
            ("scf.while", &[before, after]) => {
                self.flow_all(walk, op, &operands, &before.arg_list());
                self.visit_all(walk, before);
                let handed: Vec<_> = before.ends().into_iter().skip(1).collect();
                self.flow_all(walk, op, &handed, &after.arg_list());
                self.flow_all(walk, op, &handed, &results);
                self.visit_all(walk, after);
                self.flow_all(walk, op, &after.ends(), &before.arg_list());
            }
            ("scf.if", &[yes, no]) => {
                let decided = operands.first().and_then(|value| known(*value, &walk.facts));
                for (branch, bit) in [(yes, true), (no, false)] {
                    if decided.is_none_or(|decided| (decided != 0) == bit) {
                        self.visit_all(walk, branch);
                        self.flow_all(walk, op, &branch.ends(), &results);
                    }
                }
            }
            _ => {
                for &block in &blocks {
                    self.visit_all(walk, block);
                    if block.term().is_some_and(|end| end.op_name() == "scf.yield") {
                        self.flow_all(walk, op, &block.ends(), &results);
                    }
                }
            }
        }
    }
}
