//! Ops of the tensor language.

use super::attributes::integer;
use super::{Decoder, Handle};
use crate::eval::atl::{Affine, Atl, Member};
use crate::fault::{Fault, fault};
use crate::program::{Elem, Opcode, Type};
use ad_dialect::{atl, ir};
use melior::ir::operation::OperationLike;

impl Decoder {
    pub(super) fn atl(
        &self,
        op: Handle,
        name: &str,
        results: &[Type],
    ) -> Result<Option<Opcode>, Fault> {
        Ok(Some(Opcode::Atl(Box::new(match name {
            "atl.gen" => Atl::Gen,
            "atl.sum" => Atl::Sum(results.first().map_or(Elem::Index, Type::elem).float_kind()),
            "atl.exists" => Atl::Exists,
            "atl.bracket" => Atl::Bracket,
            "atl.access" => Atl::Access(expressions(op)?),
            "atl.compare" => match atl::comparison(ir::handle(op)) {
                Some(comparison) => Atl::Compare(comparison, expressions(op)?),
                None => return fault("has no comparison"),
            },
            "atl.member" => {
                let types = self.operand_types(op)?;
                let tensors = types.iter().filter(|ty| matches!(ty, Type::Tensor(_))).count();
                Atl::Member(Member {
                    tensors,
                    is_dense: types.first().is_some_and(|ty| ty.elem() == Elem::Int(1)),
                    at: op.has_attribute("at"),
                    is_compressed: op.has_attribute("compressed"),
                    places: expressions(op)?,
                })
            }
            "atl.pair" => Atl::Pair,
            "atl.project" => match integer(op, "number") {
                Some(number @ 0..=1) => Atl::Project(usize::from(number == 1)),
                _ => return fault("has no number of a half"),
            },
            _ => return Ok(None),
        }))))
    }
}

/// The affine expressions of an op, over the numbers of its operands.
fn expressions(op: Handle) -> Result<Vec<Affine>, Fault> {
    use ir::{OpExt, ValExt};
    let op = ir::handle(op);
    let operands = op.operand_list();
    let number = |value: ir::Val| operands.iter().position(|other| other.key() == value.key());
    let affine = |expression: atl::Affine| {
        let terms = expression.terms.iter().map(|&(value, factor)| Some((number(value)?, factor)));
        Some(Affine { terms: terms.collect::<Option<_>>()?, constant: expression.constant })
    };
    let expressions =
        atl::expressions(op).and_then(|all| all.into_iter().map(affine).collect::<Option<_>>());
    expressions.map_or_else(|| fault("has an expression that is too large"), Ok)
}
