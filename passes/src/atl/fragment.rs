//! Functions of the tensor language between MLIR and the calculus: what the
//! calculus knows by name only.

use ad_calculus::{
    affine::{Affine, Size},
    expr::{Expr, Function, Half, Names, Path, Type as Kind, Var},
    functions::Functions,
};
use ad_dialect::{
    capi,
    ir::{DYNAMIC, Op, TyExt, Val},
};
use melior::ir::{Attribute, Type};

use crate::support::builder::Builder;

/// What a size is.
#[derive(Clone, PartialEq)]
pub enum SizeOf<'c> {
    /// A value of type `index`.
    Value(Val<'c>),
    /// That of a dimension of a part of an argument.
    Dimension(Val<'c>, Path, usize),
}

/// What a relation is.
#[derive(Clone, PartialEq)]
pub enum RelationOf<'c> {
    /// A truth value.
    Truth(Val<'c>),
    /// `atl.member` of tensors, with the number of the tuple if `at`.
    Member {
        /// The mask, or the arrays of the list.
        tensors: Vec<Val<'c>>,
        /// Whether the last place is the number of the tuple.
        at: bool,
        /// Whether the first array says where the tuples of each first place begin.
        compressed: bool,
    },
}

/// What a black-box function is.
#[derive(Clone, PartialEq)]
pub enum FunctionOf<'c> {
    /// An operation on numbers with its attributes.
    Operation(String, Vec<(String, Attribute<'c>)>),
    /// A call.
    Call(String),
}

impl<'c> FunctionOf<'c> {
    /// The value for numbers.
    pub fn emit(&self, b: &Builder<'c>, arguments: &[Val<'c>], number: Type<'c>) -> Val<'c> {
        match self {
            FunctionOf::Operation(name, attributes) => {
                let attributes: Vec<_> =
                    attributes.iter().map(|(name, value)| (name.as_str(), *value)).collect();
                b.val_with(name, arguments, number, &attributes)
            }
            FunctionOf::Call(name) => {
                let callee = b.symbol_attr(name);
                b.val_with("func.call", arguments, number, &[("callee", callee)])
            }
        }
    }
}

/// The body of a function in the calculus.
pub struct Fragment<'c> {
    /// The function.
    pub function: Op<'c>,
    /// The arguments that are values of the language.
    pub inputs: Vec<(Var, Kind)>,
    /// The values of the inputs.
    pub values: Vec<Val<'c>>,
    /// The results, nested pairs of them if there are several.
    pub body: Expr,
    /// The types of the results.
    pub results: Vec<Type<'c>>,
    /// The type of all numbers.
    pub number: Type<'c>,
    /// The names that are free.
    pub names: Names,
    /// The functions as the calculus knows them.
    pub functions: Functions,
    /// What sizes are.
    pub sizes: Vec<SizeOf<'c>>,
    /// What relations are.
    pub relations: Vec<RelationOf<'c>>,
    /// What functions are.
    pub known_functions: Vec<FunctionOf<'c>>,
    /// The expressions that operations of the function became.
    pub made: Vec<(Expr, Op<'c>)>,
}

/// The name of one of `known`, to which the function is added if it is new.
pub fn known_function<'c>(
    known: &mut Vec<FunctionOf<'c>>,
    functions: &mut Functions,
    function: FunctionOf<'c>,
    arity: usize,
) -> Function {
    let place = position_of(known, function);
    if place == functions.len() {
        functions.given(arity);
    }
    Function(place as u32)
}

/// The position of an entry, which is added if it is not there yet.
pub fn position_of<T: PartialEq>(entries: &mut Vec<T>, entry: T) -> usize {
    entries.iter().position(|other| *other == entry).unwrap_or_else(|| {
        entries.push(entry);
        entries.len() - 1
    })
}

/// The type of a value in the calculus. A dynamic size is that of a dimension of
/// the value at the end of the path.
pub fn kind_of<'c>(
    of: Type<'c>,
    value: Val<'c>,
    path: &mut Path,
    sizes: &mut Vec<SizeOf<'c>>,
) -> Option<Kind> {
    if of.is_float_type() {
        return Some(Kind::Number);
    }
    if capi::is_pair(of) {
        let (first, second) = capi::pair_types(of);
        path.push(Half::First);
        let first = kind_of(first, value, path, sizes)?;
        path.pop();
        path.push(Half::Second);
        let second = kind_of(second, value, path, sizes)?;
        path.pop();
        return Some(Kind::Pair(Box::new(first), Box::new(second)));
    }
    of.as_tensor()?;
    let own = of.shape().into_iter().enumerate().map(|(dimension, size)| match size {
        DYNAMIC => {
            let entry = SizeOf::Dimension(value, path.clone(), dimension);
            Affine::size(Size(position_of(sizes, entry) as u32))
        }
        size => Affine::constant(size),
    });
    let own: Vec<Affine> = own.collect();
    // Sizes inside of the elements of a tensor must be static: no value has them.
    let element = match of.scalar() {
        scalar if capi::is_pair(scalar) => static_kind(scalar)?,
        _ => Kind::Number,
    };
    Some(Kind::tensor(&own, element))
}

/// The type in the calculus, if all sizes are static.
fn static_kind(of: Type<'_>) -> Option<Kind> {
    if capi::is_pair(of) {
        let (first, second) = capi::pair_types(of);
        return Some(Kind::Pair(Box::new(static_kind(first)?), Box::new(static_kind(second)?)));
    }
    if of.as_tensor().is_none() {
        return Some(Kind::Number);
    }
    let shape = of.shape();
    if shape.contains(&DYNAMIC) {
        return None;
    }
    let sizes: Vec<Affine> = shape.into_iter().map(Affine::constant).collect();
    Some(Kind::tensor(&sizes, static_kind(of.scalar())?))
}

/// The MLIR type of a type of the calculus.
pub fn type_of_kind<'c>(kind: &Kind, number: Type<'c>) -> Type<'c> {
    match kind {
        Kind::Number => number,
        Kind::Pair(first, second) => {
            capi::pair_type(type_of_kind(first, number), type_of_kind(second, number))
        }
        Kind::Tensor(size, element) => {
            let size = size.as_constant().unwrap_or(DYNAMIC);
            let element = type_of_kind(element, number);
            let shape = match element.as_tensor() {
                Some(_) => [vec![size], element.shape()].concat(),
                None => vec![size],
            };
            let scalar = match element.as_tensor() {
                Some(_) => element.scalar(),
                None => element,
            };
            ad_dialect::ir::tensor_type(&shape, scalar)
        }
    }
}
