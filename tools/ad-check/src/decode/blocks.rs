//! Regions with several blocks.

use super::{Decoder, located, name_of, opcode, types};
use crate::fault::{Fault, fault};
use crate::program::{Block, Edge, End, Operand, Pick, Region};
use ad_dialect::blocks::{block_handle, cases, handed_on, in_order, is_branch, successors};
use ad_dialect::ir::{OpExt, handle};
use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, BlockRef, RegionLike, RegionRef, ValueLike};

impl Decoder {
    /// A region, whose blocks are decoded in an order in which values come before their uses.
    pub(super) fn region(&mut self, region: RegionRef) -> Result<Region, Fault> {
        let Some(first) = region.first_block() else { return Ok(Region::default()) };
        if first.next_in_region().is_none() {
            return self.block(first);
        }
        let order = in_order(block_handle(first));
        let mut whole = Region::default();
        for &block in &order {
            let body = self.block(block)?;
            let end = self.end(block, &order)?;
            whole.graph.push(Block { body, end });
        }
        let entry = &whole.graph[0].body;
        (whole.arguments, whole.argument_types) =
            (entry.arguments.clone(), entry.argument_types.clone());
        // Every block that ends the region puts what it yields into the same new slots.
        let ends =
            order.iter().zip(&whole.graph).find(|(_, block)| matches!(block.end, End::Yield));
        if let Some(end) = ends.and_then(|(block, _)| block.terminator()) {
            for value in end.operands() {
                let ty = types::decode_type(value.r#type(), self.options.promote)?;
                whole.yields.push(Operand { slot: self.new_slot(&ty), last: false });
            }
        }
        Ok(whole)
    }

    /// How a block ends, with the numbers of the blocks that it leads to.
    fn end(&self, block: BlockRef, order: &[BlockRef]) -> Result<End, Fault> {
        let Some(end) = block.terminator() else { return fault("has a block without an end") };
        let end = handle(end);
        let targets = successors(end);
        let pick = match end.op_name() {
            "ub.unreachable" => return Ok(End::Nowhere),
            _ if targets.is_empty() => return Ok(End::Yield),
            "cf.br" => Pick::Only,
            "cf.cond_br" => Pick::Bit,
            "cf.switch" => Pick::Case(cases(end)),
            name => return fault(format!("has a block that ends with '{name}'")),
        };
        let mut first = usize::from(!matches!(pick, Pick::Only));
        let mut edges = vec![];
        for (to, handed) in targets.into_iter().zip(handed_on(end)) {
            let operands = first..first + handed.len();
            first = operands.end;
            let Some(to) = order.iter().position(|block| *block == to) else {
                return fault("internal error: a branch to an unknown block");
            };
            edges.push(Edge { to, operands });
        }
        Ok(End::Branch(pick, edges))
    }

    fn block(&mut self, block: BlockRef) -> Result<Region, Fault> {
        let mut decoded = Region::default();
        for i in 0..block.argument_count() {
            let Ok(argument) = block.argument(i) else { continue };
            let ty = types::decode_type(argument.r#type(), self.options.promote)?;
            decoded.arguments.push(self.define(argument.into(), &ty));
            decoded.argument_types.push(ty);
        }
        let mut next = block.first_operation();
        while let Some(op) = next {
            next = op.next_in_block();
            let is_end = opcode::is_terminator(&name_of(op)) || is_branch(handle(op));
            if is_end {
                decoded.yields = self.operands(op).map_err(|f| located(f, op))?;
            } else if name_of(op) != "ub.unreachable" {
                let op = self.op(op).map_err(|f| located(f, op))?;
                decoded.ops.push(op);
            }
        }
        Ok(decoded)
    }
}
