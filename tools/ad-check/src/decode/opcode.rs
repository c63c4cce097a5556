//! Which opcode an op is, with its attributes decoded.

use super::attributes::{
    complex_constant, constant, extents, groups, integer, numbers, string, symbol,
};
use super::types::decode_type;
use super::{Decoder, Handle};
use crate::eval::scalar::ops::{
    Cast, CastOp, Complex, FloatBinary, FloatCompare, FloatTest, FloatUnary, IntBinary, IntCompare,
    IntUnary, Wide,
};
use crate::fault::{Fault, fault};
use crate::program::{
    Elem, Extent, GenericSpec, Opcode, RecordOp, RelayoutSpec, ScanSpec, SliceSpec, TapeOp, Type,
    UpdateSpec, VectorOp,
};
use ad_dialect::linalg::Structured;
use melior::ir::ValueLike;
use melior::ir::operation::OperationLike;

pub fn is_terminator(name: &str) -> bool {
    matches!(
        name,
        "func.return"
            | "scf.yield"
            | "scf.condition"
            | "scf.reduce"
            | "scf.reduce.return"
            | "soac.yield"
            | "tensor.yield"
            | "linalg.yield"
            | "atl.yield"
            | "ad.yield"
            | "memref.atomic_yield"
    )
}

/// Ops whose regions are run; that of a lambda is a function of its own, and the body of `linalg.fill` only repeats what its name says.
pub fn has_regions(code: &Opcode) -> bool {
    !matches!(code, Opcode::Fill | Opcode::Closure(_))
}

impl Decoder {
    pub(super) fn opcode(
        &mut self,
        op: Handle,
        name: &str,
        results: &[Type],
    ) -> Result<Opcode, Fault> {
        let dialect = name.split('.').next().unwrap_or_default();
        let code = match dialect {
            "arith" | "math" | "complex" => self.scalar(op, name, results)?,
            "vector" if matches!(name, "vector.load" | "vector.store") => {
                self.memory(op, name, results)?
            }
            "vector" => self.vector(op, name, results)?,
            "scf" | "func" | "cf" | "ub" => self.control(op, name)?,
            "tensor" => self.tensor(op, name, results)?,
            "linalg" => self.linalg(op, name)?,
            "soac" | "ad" => self.soac(op, name, results)?,
            "atl" => self.atl(op, name, results)?,
            "memref" | "bufferization" => self.memory(op, name, results)?,
            _ => None,
        };
        match code {
            Some(code) => Ok(code),
            None if matches!(name, "ad.vjp" | "ad.jvp") => {
                fault("must be differentiated before the program can run")
            }
            None => fault("has no meaning in the interpreter"),
        }
    }

    /// The type of an operand.
    fn operand_type(&self, op: Handle, i: usize) -> Result<Type, Fault> {
        match op.operand(i) {
            Ok(value) => decode_type(value.r#type(), self.options.promote),
            Err(_) => fault(format!("has no operand {i}")),
        }
    }

    pub(super) fn operand_types(&self, op: Handle) -> Result<Vec<Type>, Fault> {
        (0..op.operand_count()).map(|i| self.operand_type(op, i)).collect()
    }

    fn scalar(&self, op: Handle, name: &str, results: &[Type]) -> Result<Option<Opcode>, Fault> {
        if name == "arith.constant" {
            let Ok(value) = op.attribute("value") else { return fault("has no value") };
            return Ok(Some(Opcode::Constant(constant(value, self.options.promote)?)));
        }
        if name == "complex.constant" {
            let Ok(value) = op.attribute("value") else { return fault("has no value") };
            return Ok(Some(Opcode::Constant(complex_constant(value)?)));
        }
        let from = self.operand_type(op, 0)?.elem();
        let to = results.first().map_or(from, Type::elem);
        let (kind, width) = (to.float_kind(), to.int_width());
        let code = FloatBinary::from_name(name)
            .map(|f| Opcode::FloatBinary(f, kind))
            .or_else(|| FloatUnary::from_name(name).map(|f| Opcode::FloatUnary(f, kind)))
            .or_else(|| IntBinary::from_name(name).map(|f| Opcode::IntBinary(f, width)))
            .or_else(|| IntUnary::from_name(name).map(|f| Opcode::IntUnary(f, width)))
            .or_else(|| FloatTest::from_name(name).map(|f| Opcode::FloatTest(f, from.float_kind())))
            .or_else(|| Complex::from_name(name).map(|f| Opcode::Complex(f, kind)))
            .or_else(|| Wide::from_name(name).map(|f| Opcode::Wide(f, width)))
            .or_else(|| CastOp::from_name(name).map(|f| Opcode::Cast(Cast { op: f, from, to })));
        let predicate = integer(op, "predicate").unwrap_or(-1);
        Ok(code.or_else(|| match name {
            "math.fma" | "vector.fma" => Some(Opcode::Fma(kind)),
            "math.clampf" => Some(Opcode::Clamp),
            "math.fpowi" => Some(Opcode::FloatPower(kind)),
            "math.sincos" => Some(Opcode::SinCos(kind)),
            "arith.select" => Some(Opcode::Select),
            "arith.cmpf" => FloatCompare::from_number(predicate).map(Opcode::FloatCompare),
            "arith.cmpi" => {
                IntCompare::from_number(predicate).map(|f| Opcode::IntCompare(f, from.int_width()))
            }
            _ => None,
        }))
    }

    fn control(&mut self, op: Handle, name: &str) -> Result<Option<Opcode>, Fault> {
        Ok(Some(match name {
            "scf.if" => Opcode::If,
            "scf.for" => {
                let unsigned = op.has_attribute("unsignedCmp");
                Opcode::For { unsigned, width: self.operand_type(op, 0)?.elem().int_width() }
            }
            "scf.while" => Opcode::While,
            "scf.parallel" => Opcode::Parallel,
            "scf.forall" => Opcode::Forall(Box::new([
                extents(op, "staticLowerBound")?,
                extents(op, "staticUpperBound")?,
                extents(op, "staticStep")?,
            ])),
            "scf.execute_region" | "scf.forall.in_parallel" => Opcode::Execute,
            "scf.index_switch" => Opcode::IndexSwitch(numbers(op, "cases")?),
            "func.call" => match symbol(op, "callee") {
                Some(callee) => Opcode::Call(self.function_index(callee)),
                None => return fault("has no callee"),
            },
            "func.constant" => match symbol(op, "value") {
                Some(callee) => Opcode::Closure(self.function_index(callee)),
                None => return fault("has no value"),
            },
            "func.call_indirect" => Opcode::CallValue,
            "ub.poison" => Opcode::Poison,
            "cf.assert" => Opcode::Assert(string(op, "msg").unwrap_or_default().to_string()),
            _ => return Ok(None),
        }))
    }

    fn tensor(&self, op: Handle, name: &str, results: &[Type]) -> Result<Option<Opcode>, Fault> {
        Ok(Some(match name {
            "tensor.extract" => Opcode::Extract,
            "tensor.insert" => Opcode::Insert,
            "tensor.extract_slice" => {
                let reduced = results.first().map(Type::dims).unwrap_or_default();
                Opcode::ExtractSlice(Box::new(slice(
                    op,
                    self.operand_type(op, 0)?.dims(),
                    reduced,
                )?))
            }
            "tensor.insert_slice" => {
                let (small, full) = (self.operand_type(op, 0)?, self.operand_type(op, 1)?);
                Opcode::InsertSlice(Box::new(slice(op, full.dims(), small.dims())?))
            }
            "tensor.parallel_insert_slice" => {
                let (small, full) = (self.operand_type(op, 0)?, self.operand_type(op, 1)?);
                Opcode::ParallelInsert(Box::new(slice(op, full.dims(), small.dims())?))
            }
            "tensor.dim" => Opcode::Dim,
            "tensor.rank" => Opcode::Rank,
            "tensor.empty" => Opcode::Empty,
            "tensor.splat" => Opcode::Splat,
            "tensor.from_elements" => Opcode::FromElements,
            "tensor.generate" => Opcode::Generate,
            "tensor.collapse_shape" => Opcode::Collapse(groups(op, "reassociation")?),
            "tensor.expand_shape" => {
                Opcode::Expand(extents(op, "static_output_shape")?, groups(op, "reassociation")?)
            }
            "tensor.cast" => Opcode::TensorCast,
            "tensor.reshape" => Opcode::Reshape,
            "tensor.gather" => Opcode::GatherSlices(dimensions(op, "gather_dims")?),
            "tensor.scatter" => Opcode::ScatterSlices(dimensions(op, "scatter_dims")?),
            "tensor.concat" => Opcode::Concat(
                usize::try_from(integer(op, "dim").unwrap_or(-1)).unwrap_or(usize::MAX),
            ),
            "tensor.pad" => {
                Opcode::Pad { low: extents(op, "static_low")?, high: extents(op, "static_high")? }
            }
            "tensor.bitcast" => return self.scalar(op, name, results),
            _ => return Ok(None),
        }))
    }

    fn vector(&self, op: Handle, name: &str, results: &[Type]) -> Result<Option<Opcode>, Fault> {
        Ok(Some(Opcode::Vector(match name {
            "vector.fma" => return self.scalar(op, name, results),
            "vector.broadcast" => VectorOp::Broadcast,
            "vector.extract" => VectorOp::Extract(extents(op, "static_position")?),
            "vector.insert" => VectorOp::Insert(extents(op, "static_position")?),
            "vector.from_elements" => VectorOp::FromElements,
            "vector.to_elements" => VectorOp::ToElements,
            "vector.shape_cast" => VectorOp::ShapeCast,
            "vector.transpose" => {
                let permutation = numbers(op, "permutation")?.into_iter();
                VectorOp::Transpose(permutation.map(|p| usize::try_from(p).unwrap_or(0)).collect())
            }
            "vector.reduction" => {
                let elem = results.first().map_or(Elem::Index, Type::elem);
                VectorOp::Reduce(Box::new(combining(op, elem)?))
            }
            _ => return Ok(None),
        })))
    }

    fn linalg(&self, op: Handle, name: &str) -> Result<Option<Opcode>, Fault> {
        Ok(Some(match name {
            "linalg.fill" => Opcode::Fill,
            "linalg.softmax" if op.result_count() == 1 => {
                let along = usize::try_from(integer(op, "dimension").unwrap_or(-1));
                let kind = self.operand_type(op, 0)?.elem().float_kind();
                Opcode::Softmax(along.unwrap_or(usize::MAX), kind)
            }
            "linalg.pack" | "linalg.unpack" if op.result_count() == 1 => {
                Opcode::Relayout(Box::new(self.relayout(op, name == "linalg.unpack")?))
            }
            "linalg.index" => Opcode::PointIndex(
                usize::try_from(integer(op, "dim").unwrap_or(-1)).unwrap_or(usize::MAX),
            ),
            _ => return Ok(structured(op)),
        }))
    }

    fn relayout(&self, op: Handle, unpacks: bool) -> Result<RelayoutSpec, Fault> {
        let types = self.operand_types(op)?;
        let padded = !unpacks && types.get(2).is_some_and(|ty| ty.elem() != Elem::Index);
        let positions = dimensions(op, "inner_dims_pos")?;
        let order = match dimensions(op, "outer_dims_perm") {
            Ok(order) if !order.is_empty() => order,
            _ => (0..types.get(usize::from(unpacks)).map_or(0, |ty| ty.dims().len())).collect(),
        };
        Ok(RelayoutSpec { unpacks, padded, order, positions })
    }

    fn soac(&mut self, op: Handle, name: &str, results: &[Type]) -> Result<Option<Opcode>, Fault> {
        Ok(Some(match name {
            "soac.map" => {
                let accumulators =
                    self.operand_types(op)?.iter().filter(|t| matches!(t, Type::Acc(_))).count();
                Opcode::Map(op.operand_count() - accumulators)
            }
            "soac.reduce" => Opcode::Reduce(op.operand_count() / 2),
            "soac.scan" => Opcode::Scan(ScanSpec {
                arrays: op.operand_count() / 2,
                exclusive: op.has_attribute("exclusive"),
                reverse: op.has_attribute("reverse"),
            }),
            "soac.hist" => Opcode::Hist(update(op, 3)),
            "soac.scatter" => Opcode::Scatter(update(op, 2)),
            "soac.iota" => Opcode::Iota(results.first().map_or(64, |t| t.elem().int_width())),
            "soac.replicate" => Opcode::Replicate,
            "soac.with_acc" => Opcode::WithAcc,
            "soac.update_acc" => Opcode::UpdateAcc,
            "soac.null_acc" => Opcode::NullAcc,
            "ad.stop_gradient" | "soac.row_major" => Opcode::Identity,
            "ad.closure" => match symbol(op, "callee") {
                Some(callee) => Opcode::Closure(self.function_index(callee)),
                None => return fault("has no callee"),
            },
            "ad.lambda" => Opcode::Closure(self.lambda(op)?),
            "ad.call" => Opcode::CallValue,
            "ad.record" => Opcode::Record(RecordOp::Make),
            "ad.get" => Opcode::Record(RecordOp::Get(position(op))),
            "ad.set" => Opcode::Record(RecordOp::Set(position(op))),
            "ad.tape_create" => Opcode::Tape(TapeOp::Create),
            "ad.tape_push" => Opcode::Tape(TapeOp::Push),
            "ad.tape_pop" => Opcode::Tape(TapeOp::Pop),
            "ad.tape_free" => Opcode::Tape(TapeOp::Free),
            _ => return Ok(None),
        }))
    }
}

/// Which field of a record is meant.
fn position(op: Handle) -> usize {
    integer(op, "position").and_then(|position| position.try_into().ok()).unwrap_or(usize::MAX)
}

/// The operands of a hist or scatter, which has `groups` operands per array.
fn update(op: Handle, groups: usize) -> UpdateSpec {
    let arrays = op.result_count();
    UpdateSpec { indices: op.operand_count().saturating_sub(groups * arrays), arrays }
}

/// Dimensions of a tensor, as an attribute lists them.
fn dimensions(op: Handle, name: &str) -> Result<Vec<usize>, Fault> {
    let numbers = numbers(op, name)?.into_iter();
    Ok(numbers.map(|d| usize::try_from(d).unwrap_or(usize::MAX)).collect())
}

/// The scalar operation that a `#vector.kind<...>` names.
fn combining(op: Handle, elem: Elem) -> Result<Opcode, Fault> {
    use FloatBinary as F;
    use IntBinary as I;
    let text = op.attribute("kind").map(|kind| kind.to_string()).unwrap_or_default();
    let kind = text.trim_start_matches("#vector.kind<").trim_end_matches('>');
    let float = |f| Ok(Opcode::FloatBinary(f, elem.float_kind()));
    let int = |f| Ok(Opcode::IntBinary(f, elem.int_width()));
    match (kind, elem.is_float()) {
        ("add", true) => float(F::Add),
        ("mul", true) => float(F::Mul),
        ("minimumf", true) => float(F::Minimum),
        ("maximumf", true) => float(F::Maximum),
        ("minnumf", true) => float(F::MinNum),
        ("maxnumf", true) => float(F::MaxNum),
        ("add", false) => int(I::Add),
        ("mul", false) => int(I::Mul),
        ("minsi", false) => int(I::MinS),
        ("maxsi", false) => int(I::MaxS),
        ("minui", false) => int(I::MinU),
        ("maxui", false) => int(I::MaxU),
        ("and", false) => int(I::And),
        ("or", false) => int(I::Or),
        ("xor", false) => int(I::Xor),
        _ => fault(format!("combines by '{kind}', which the interpreter does not do")),
    }
}

/// A structured operation of `linalg` on tensors, if it is one.
fn structured(op: Handle) -> Option<Opcode> {
    let s = Structured::of(ad_dialect::ir::handle(op))
        .filter(|s| op.result_count() == 0 || s.inits.len() == op.result_count())?;
    let parallel = s.output_maps().iter().flat_map(|map| Structured::plain_loops(map)).collect();
    let (inputs, loops) = (s.inputs.len(), s.loops);
    Some(Opcode::Generic(Box::new(GenericSpec { inputs, loops, maps: s.maps, parallel })))
}

/// The numbers of a slice, and which of its dimensions the small type drops. A slice of a tensor of vectors has all of
/// each, which are the innermost dimensions here.
pub(super) fn slice(
    op: Handle,
    full: &[Option<usize>],
    reduced: &[Option<usize>],
) -> Result<SliceSpec, Fault> {
    let mut offsets = extents(op, "static_offsets")?;
    let mut sizes = extents(op, "static_sizes")?;
    let mut strides = extents(op, "static_strides")?;
    for width in full.iter().skip(sizes.len()).flatten() {
        offsets.push(Extent::Static(0));
        sizes.push(Extent::Static(i64::try_from(*width).unwrap_or(i64::MAX)));
        strides.push(Extent::Static(1));
    }
    let mut kept = reduced.iter().peekable();
    let mut dropped = Vec::with_capacity(sizes.len());
    for &size in &sizes {
        let size = match size {
            Extent::Static(n) => usize::try_from(n).ok(),
            Extent::Dynamic => None,
        };
        dropped.push(kept.next_if(|&&d| d == size).is_none());
    }
    if kept.next().is_some() {
        return fault("has a slice whose dimensions do not match its type");
    }
    Ok(SliceSpec { offsets, sizes, strides, dropped })
}
