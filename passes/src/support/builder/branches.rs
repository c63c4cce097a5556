//! Branches between blocks.

use ad_dialect::ir::{Blk, Op, OpParts, Val, create_op, vector_type};
use melior::ir::{Attribute, ValueLike, attribute::DenseElementsAttribute};

use super::{Attrs, Builder};

/// Where a branch goes, with the values of the block's arguments.
pub type Edge<'c> = (Blk<'c>, Vec<Val<'c>>);

impl<'c> Builder<'c> {
    /// Goes to a block.
    pub fn branch(&self, (to, arguments): &Edge<'c>) -> Op<'c> {
        self.terminator("cf.br", arguments, &[], &[*to])
    }

    /// Goes to the first block if the condition holds, else to the second.
    pub fn cond_branch(&self, condition: Val<'c>, edges: [&Edge<'c>; 2]) -> Op<'c> {
        let [yes, no] = edges;
        let operands = [&[condition], &yes.1[..], &no.1[..]].concat();
        let segments = self.i32s_attr(&[1, yes.1.len() as i32, no.1.len() as i32]);
        self.terminator(
            "cf.cond_br",
            &operands,
            &[("operandSegmentSizes", segments)],
            &[yes.0, no.0],
        )
    }

    /// Goes to the block whose number the flag, an `i32`, is, and to the last block by default. There is at least one.
    pub fn switch(&self, flag: Val<'c>, edges: &[Edge<'c>]) -> Op<'c> {
        match edges {
            [] => unreachable!("a switch has a default"),
            [only] => self.branch(only),
            [zero, one] => {
                let is_zero = self.compare(super::CMP_EQ, flag, self.i32(0));
                self.cond_branch(is_zero, [zero, one])
            }
            [cases @ .., default] => self.table(flag, cases, default),
        }
    }

    fn table(&self, flag: Val<'c>, cases: &[Edge<'c>], default: &Edge<'c>) -> Op<'c> {
        let handed = cases.iter().flat_map(|(_, arguments)| arguments);
        let operands: Vec<_> = [flag].iter().chain(&default.1).chain(handed).copied().collect();
        let counts: Vec<_> = cases.iter().map(|(_, arguments)| arguments.len() as i32).collect();
        let total = counts.iter().sum();
        let numbers: Vec<_> = (0..cases.len()).map(|i| self.i32_attr(i as i64)).collect();
        let lanes = vector_type(&[cases.len() as i64], flag.r#type());
        let numbers = DenseElementsAttribute::new(lanes, &numbers);
        let mut attributes = vec![
            ("case_operand_segments", self.i32s_attr(&counts)),
            ("operandSegmentSizes", self.i32s_attr(&[1, default.1.len() as i32, total])),
        ];
        attributes.extend(numbers.map(|numbers| ("case_values", Attribute::from(numbers))));
        let blocks: Vec<_> = [default].into_iter().chain(cases).map(|(block, _)| *block).collect();
        self.terminator("cf.switch", &operands, &attributes, &blocks)
    }

    fn terminator(
        &self,
        name: &str,
        operands: &[Val<'c>],
        attributes: Attrs<'_, 'c>,
        successors: &[Blk<'c>],
    ) -> Op<'c> {
        let location = self.location();
        let parts = OpParts {
            name,
            location,
            operands,
            results: &[],
            attributes,
            regions: &[],
            successors,
        };
        let op = create_op(self.context(), parts);
        self.insert(op);
        op
    }
}
