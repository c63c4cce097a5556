//! Structured `linalg` operations, named or generic, seen in one way.
//!
//! Every structured operation has a body for one point of its iteration space, also
//! a named one such as `linalg.matmul`, and an indexing map per operand. So whoever
//! reads the body and the maps needs no table of names.

use melior::{
    Context,
    ir::{
        Attribute,
        attribute::{ArrayAttribute, AttributeLike},
        operation::OperationLike,
    },
};
use mlir_sys as sys;

use crate::ir::{Blk, Op, OpExt, Val};

/// An index as a function of the loops.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// The number of a loop.
    Loop(usize),
    /// A constant.
    Constant(i64),
    /// A sum.
    Add(Box<[Expr; 2]>),
    /// A product.
    Mul(Box<[Expr; 2]>),
    /// A remainder, not negative.
    Mod(Box<[Expr; 2]>),
    /// A quotient, rounded down.
    FloorDiv(Box<[Expr; 2]>),
    /// A quotient, rounded up.
    CeilDiv(Box<[Expr; 2]>),
}

/// A structured operation on tensors or buffers.
pub struct Structured<'c> {
    /// The number of loops.
    pub loops: usize,
    /// The inputs.
    pub inputs: Vec<Val<'c>>,
    /// The arrays that the outputs start from.
    pub inits: Vec<Val<'c>>,
    /// The body: the elements of the inputs, then of the outputs.
    pub body: Blk<'c>,
    /// The indexing map of every operand, as an attribute.
    pub map_attributes: Vec<Attribute<'c>>,
    /// The indexing map of every operand.
    pub maps: Vec<Vec<Expr>>,
}

impl<'c> Structured<'c> {
    /// The operation, if it is a structured one.
    pub fn of(op: Op<'c>) -> Option<Self> {
        if !op.op_name().starts_with("linalg.") {
            return None;
        }
        // SAFETY: the operation is valid; one that is not structured gives null.
        let maps = unsafe {
            let maps = sys::mlirLinalgGetIndexingMapsAttribute(op.to_raw());
            ArrayAttribute::try_from(Attribute::from_option_raw(maps)?).ok()?
        };
        let map_attributes =
            (0..maps.len()).map(|i| maps.element(i).ok()).collect::<Option<Vec<_>>>()?;
        let body = op.body(0)?;
        let mut inputs = op.operand_list();
        let outputs = crate::ir::BlkExt::term(&body)?.operand_count();
        let inits = inputs.split_off(inputs.len().checked_sub(outputs)?);
        let decoded: Option<Vec<_>> = map_attributes.iter().map(|map| index_map(*map)).collect();
        let (loops, maps) = decoded.map(|maps| {
            let loops = maps.first().map_or(0, |(loops, _)| *loops);
            (loops, maps.into_iter().map(|(_, map)| map).collect())
        })?;
        Some(Self { loops, inputs, inits, body, map_attributes, maps })
    }

    /// The indexing maps of the outputs.
    pub fn output_maps(&self) -> &[Vec<Expr>] {
        self.maps.get(self.inputs.len()..).unwrap_or_default()
    }

    /// For each loop, whether an output has an index that is its number: it goes over elements, not over terms of one.
    pub fn written(&self) -> Vec<bool> {
        let is_written = |l| self.output_maps().iter().any(|map| map.contains(&Expr::Loop(l)));
        (0..self.loops).map(is_written).collect()
    }

    /// The loops that are an index by themselves in a map.
    pub fn plain_loops(map: &[Expr]) -> Vec<usize> {
        map.iter().filter_map(|e| if let Expr::Loop(l) = e { Some(*l) } else { None }).collect()
    }
}

/// The number of dimensions and symbols, and the results of an affine map; symbols are counted
/// behind the dimensions.
pub fn index_map(map: Attribute<'_>) -> Option<(usize, Vec<Expr>)> {
    // SAFETY: the attribute is an affine map, which the C interface takes apart.
    unsafe {
        if !sys::mlirAttributeIsAAffineMap(map.to_raw()) {
            return None;
        }
        let map = sys::mlirAffineMapAttrGetValue(map.to_raw());
        let loops = sys::mlirAffineMapGetNumDims(map) as usize;
        let results = (0..sys::mlirAffineMapGetNumResults(map))
            .map(|i| expression(sys::mlirAffineMapGetResult(map, i), loops))
            .collect::<Option<_>>()?;
        Some((loops + sys::mlirAffineMapGetNumSymbols(map) as usize, results))
    }
}

/// # Safety
///
/// The expression must be valid.
unsafe fn expression(expr: sys::MlirAffineExpr, dims: usize) -> Option<Expr> {
    // SAFETY: an expression is taken apart as what it says it is.
    unsafe {
        if sys::mlirAffineExprIsADim(expr) {
            return Some(Expr::Loop(sys::mlirAffineDimExprGetPosition(expr) as usize));
        }
        if sys::mlirAffineExprIsASymbol(expr) {
            let position = sys::mlirAffineSymbolExprGetPosition(expr) as usize;
            return Some(Expr::Loop(dims + position));
        }
        if sys::mlirAffineExprIsAConstant(expr) {
            return Some(Expr::Constant(sys::mlirAffineConstantExprGetValue(expr)));
        }
        if !sys::mlirAffineExprIsABinary(expr) {
            return None;
        }
        let both = Box::new([
            expression(sys::mlirAffineBinaryOpExprGetLHS(expr), dims)?,
            expression(sys::mlirAffineBinaryOpExprGetRHS(expr), dims)?,
        ]);
        if sys::mlirAffineExprIsAAdd(expr) {
            Some(Expr::Add(both))
        } else if sys::mlirAffineExprIsAMul(expr) {
            Some(Expr::Mul(both))
        } else if sys::mlirAffineExprIsAMod(expr) {
            Some(Expr::Mod(both))
        } else if sys::mlirAffineExprIsAFloorDiv(expr) {
            Some(Expr::FloorDiv(both))
        } else {
            Some(Expr::CeilDiv(both))
        }
    }
}

impl Expr {
    /// Whether the index depends on the number of a loop.
    pub fn mentions(&self, l: usize) -> bool {
        match self {
            Expr::Loop(other) => *other == l,
            Expr::Constant(_) => false,
            Expr::Add(pair)
            | Expr::Mul(pair)
            | Expr::Mod(pair)
            | Expr::FloorDiv(pair)
            | Expr::CeilDiv(pair) => pair.iter().any(|part| part.mentions(l)),
        }
    }

    /// The index where each loop is replaced by an index of other loops.
    pub fn with_loops(&self, of: &dyn Fn(usize) -> Expr) -> Expr {
        let both = |pair: &[Expr; 2]| Box::new(pair.each_ref().map(|part| part.with_loops(of)));
        match self {
            Expr::Loop(l) => of(*l),
            Expr::Constant(number) => Expr::Constant(*number),
            Expr::Add(pair) => Expr::Add(both(pair)),
            Expr::Mul(pair) => Expr::Mul(both(pair)),
            Expr::Mod(pair) => Expr::Mod(both(pair)),
            Expr::FloorDiv(pair) => Expr::FloorDiv(both(pair)),
            Expr::CeilDiv(pair) => Expr::CeilDiv(both(pair)),
        }
    }

    /// The value at a point of the iteration space; none on division by zero.
    pub fn at(&self, point: &[usize]) -> Option<i64> {
        let both = |pair: &[Expr; 2]| Some((pair[0].at(point)?, pair[1].at(point)?));
        match self {
            Expr::Loop(l) => point.get(*l).map(|&i| i as i64),
            Expr::Constant(c) => Some(*c),
            Expr::Add(pair) => both(pair).and_then(|(a, b)| a.checked_add(b)),
            Expr::Mul(pair) => both(pair).and_then(|(a, b)| a.checked_mul(b)),
            Expr::Mod(pair) => both(pair).and_then(|(a, b)| a.checked_rem_euclid(b)),
            Expr::FloorDiv(pair) => both(pair).and_then(|(a, b)| a.checked_div_euclid(b)),
            Expr::CeilDiv(pair) => both(pair).and_then(|(a, b)| Some(-(-a).checked_div_euclid(b)?)),
        }
    }
}

/// An indexing map; one without indices is that of a scalar.
pub fn map_attribute<'c>(
    context: &'c Context,
    loops: usize,
    indices: &[Expr],
) -> Option<Attribute<'c>> {
    // SAFETY: the context is valid, and the list has the length that is given.
    unsafe {
        let mut results: Vec<_> = indices.iter().map(|index| affine(context, index)).collect();
        let map = sys::mlirAffineMapGet(
            context.to_raw(),
            loops as isize,
            0,
            results.len() as isize,
            results.as_mut_ptr(),
        );
        Attribute::from_option_raw(sys::mlirAffineMapAttrGet(map))
    }
}

fn affine(context: &Context, expr: &Expr) -> sys::MlirAffineExpr {
    type Make =
        unsafe extern "C" fn(sys::MlirAffineExpr, sys::MlirAffineExpr) -> sys::MlirAffineExpr;
    // SAFETY: the context and all expressions are valid.
    unsafe {
        let (make, [a, b]): (Make, _) = match expr {
            Expr::Loop(l) => return sys::mlirAffineDimExprGet(context.to_raw(), *l as isize),
            Expr::Constant(c) => return sys::mlirAffineConstantExprGet(context.to_raw(), *c),
            Expr::Add(pair) => (sys::mlirAffineAddExprGet, &**pair),
            Expr::Mul(pair) => (sys::mlirAffineMulExprGet, &**pair),
            Expr::Mod(pair) => (sys::mlirAffineModExprGet, &**pair),
            Expr::FloorDiv(pair) => (sys::mlirAffineFloorDivExprGet, &**pair),
            Expr::CeilDiv(pair) => (sys::mlirAffineCeilDivExprGet, &**pair),
        };
        make(affine(context, a), affine(context, b))
    }
}

/// The `iterator_types` of a generic operation: parallel or reduction, per loop.
pub fn iterator_types<'c>(context: &'c Context, parallel: &[bool]) -> Option<Attribute<'c>> {
    let kinds: Vec<_> = parallel
        .iter()
        .map(|parallel| if *parallel { "parallel" } else { "reduction" })
        .map(|kind| format!("#linalg.iterator_type<{kind}>"))
        .collect();
    Attribute::parse(context, &format!("[{}]", kinds.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::Expr::{Add, CeilDiv, Constant, FloorDiv, Loop, Mod, Mul};

    #[test]
    fn expressions_have_the_values_of_affine_maps() {
        let pair = |a, b| Box::new([a, b]);
        let strided = Add(pair(Mul(pair(Loop(0), Constant(2))), Loop(1)));
        assert_eq!(strided.at(&[3, 1]), Some(7));
        assert_eq!(Mod(pair(Loop(0), Constant(3))).at(&[7]), Some(1));
        assert_eq!(FloorDiv(pair(Loop(0), Constant(3))).at(&[7]), Some(2));
        assert_eq!(CeilDiv(pair(Loop(0), Constant(3))).at(&[7]), Some(3));
        assert_eq!(Mod(pair(Loop(0), Constant(0))).at(&[7]), None);
        assert_eq!(Loop(1).at(&[7]), None);
    }
}
