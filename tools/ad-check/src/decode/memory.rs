//! Operations on buffers: `memref`, and what `bufferization` has between tensors and buffers.

use super::attributes::{constant, extents, groups, integer, string, symbol};
use super::opcode::slice;
use super::{Decoder, Handle, name_of};
use crate::eval::scalar::ops::{FloatBinary, IntBinary};
use crate::fault::{Fault, fault};
use crate::program::{MemoryOp, Opcode, Type};
use crate::value::Value;
use ad_dialect::linalg::index_map;
use melior::ir::operation::OperationLike;

impl Decoder {
    /// Remembers what is in a `memref.global`.
    pub(super) fn global(&mut self, op: Handle) -> Result<(), Fault> {
        if name_of(op) != "memref.global" {
            return Ok(());
        }
        let Some(name) = string(op, "sym_name") else { return Ok(()) };
        let initial = match op.attribute("initial_value") {
            Ok(value) if !value.to_string().starts_with("unit") => {
                Some(constant(value, self.options.promote).unwrap_or_default())
            }
            _ => None,
        };
        self.globals.insert(name.to_string(), initial);
        Ok(())
    }

    pub(super) fn memory(
        &mut self,
        op: Handle,
        name: &str,
        results: &[Type],
    ) -> Result<Option<Opcode>, Fault> {
        let code = match name {
            "memref.alloc" | "memref.alloca" => {
                let has_symbols =
                    op.attribute("operandSegmentSizes").is_ok_and(|sizes| !ends_in_zero(&sizes));
                if has_symbols {
                    return fault("has symbols in its layout");
                }
                MemoryOp::Alloc { on_stack: name == "memref.alloca" }
            }
            "memref.get_global" => {
                let name = symbol(op, "name").unwrap_or_default().to_string();
                match self.globals.get(&name) {
                    None | Some(Some(Value::Empty)) => {
                        return fault(format!("'{name}' has a value that is not read"));
                    }
                    Some(initial) => MemoryOp::Global(name, initial.clone()),
                }
            }
            "memref.dealloc" => MemoryOp::Dealloc,
            "memref.load" => MemoryOp::Load,
            "memref.store" => MemoryOp::Store,
            "vector.load" => MemoryOp::LoadVector,
            "vector.store" => MemoryOp::StoreVector,
            "memref.copy" => MemoryOp::Copy,
            "memref.cast" | "memref.memory_space_cast" => MemoryOp::Cast,
            "memref.subview" => {
                let reduced = results.first().map(Type::dims).unwrap_or_default();
                MemoryOp::Subview(slice(op, self.operand_types(op)?[0].dims(), reduced)?)
            }
            "memref.reinterpret_cast" => MemoryOp::Reinterpret([
                extents(op, "static_offsets")?,
                extents(op, "static_sizes")?,
                extents(op, "static_strides")?,
            ]),
            "memref.expand_shape" => {
                MemoryOp::Expand(extents(op, "static_output_shape")?, groups(op, "reassociation")?)
            }
            "memref.collapse_shape" => MemoryOp::Collapse(groups(op, "reassociation")?),
            "memref.transpose" => {
                let map = op.attribute("permutation").ok();
                let Some((_, map)) = map.and_then(|map| index_map(map)) else {
                    return fault("has no permutation");
                };
                MemoryOp::Transpose(ad_dialect::linalg::Structured::plain_loops(&map))
            }
            "memref.extract_strided_metadata" => MemoryOp::Metadata,
            "memref.dim" => MemoryOp::Dim,
            "memref.rank" => MemoryOp::Rank,
            "memref.assume_alignment" if op.result_count() == 1 => MemoryOp::Cast,
            "memref.assume_alignment" | "memref.prefetch" => MemoryOp::Nothing,
            "memref.atomic_rmw" => MemoryOp::Update(Some(Box::new(self.updating(op)?))),
            "memref.generic_atomic_rmw" => MemoryOp::Update(None),
            "bufferization.to_tensor" => MemoryOp::ToTensor,
            "bufferization.to_buffer" | "bufferization.clone" => MemoryOp::Clone,
            "bufferization.materialize_in_destination" if op.result_count() == 0 => MemoryOp::Fill,
            "bufferization.materialize_in_destination" => return Ok(Some(Opcode::Identity)),
            "bufferization.alloc_tensor" => {
                let copies = matches!(self.operand_types(op)?.first(), Some(Type::Tensor(_)));
                return Ok(Some(if copies { Opcode::Identity } else { Opcode::Empty }));
            }
            _ => return Ok(None),
        };
        Ok(Some(Opcode::Memory(Box::new(code))))
    }

    /// The operation of a `memref.atomic_rmw`, of the element and the value.
    fn updating(&self, op: Handle) -> Result<Opcode, Fault> {
        let elem = self.operand_types(op)?[0].elem();
        let float = |f| Opcode::FloatBinary(f, elem.float_kind());
        let int = |f| Opcode::IntBinary(f, elem.int_width());
        Ok(match integer(op, "kind") {
            Some(0) => float(FloatBinary::Add),
            Some(1) => int(IntBinary::Add),
            Some(2) => int(IntBinary::And),
            Some(3) => Opcode::Identity,
            Some(4) => float(FloatBinary::Maximum),
            Some(5) => float(FloatBinary::MaxNum),
            Some(6) => int(IntBinary::MaxS),
            Some(7) => int(IntBinary::MaxU),
            Some(8) => float(FloatBinary::Minimum),
            Some(9) => float(FloatBinary::MinNum),
            Some(10) => int(IntBinary::MinS),
            Some(11) => int(IntBinary::MinU),
            Some(12) => float(FloatBinary::Mul),
            Some(13) => int(IntBinary::Mul),
            Some(14) => int(IntBinary::Or),
            Some(15) => int(IntBinary::Xor),
            _ => return fault("updates by an operation that the interpreter does not do"),
        })
    }
}

/// Whether the last of a list of numbers is 0.
fn ends_in_zero(sizes: &impl std::fmt::Display) -> bool {
    sizes.to_string().trim_end_matches('>').trim_end().ends_with(" 0")
}
