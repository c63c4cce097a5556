//! Expressions and types of the tensor language [ATL Figure 3].

use crate::affine::{Affine, Index};
use crate::predicate::{Predicate, Range};
use std::rc::Rc;

/// The name of an input or of what a let binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Var(pub u32);

/// The name of a black-box scalar function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Function(pub u32);

/// A constant; equal if the bits are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Constant(u64);

impl Constant {
    /// The constant of a value.
    pub fn new(value: f64) -> Constant {
        Constant(value.to_bits())
    }

    /// The value.
    pub fn value(self) -> f64 {
        f64::from_bits(self.0)
    }
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
/// The type of an expression.
pub enum Type {
    /// A number.
    Number,
    /// A pair.
    Pair(Box<Type>, Box<Type>),
    /// A tensor: its outermost size, and the type of its elements.
    Tensor(Affine, Box<Type>),
}

/// A half of a pair.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Half {
    /// The first.
    First,
    /// The second.
    Second,
}

/// The halves to take of a value to come to one of its numbers or tensors of
/// numbers, the outermost first.
pub type Path = Vec<Half>;

/// An expression, shared by those that have it as an operand.
pub type Expr = Rc<Node>;

/// An expression. Each index is bound in one place only.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Node {
    /// A variable.
    Var(Var),
    /// A number.
    Constant(Constant),
    /// The sum of two numbers.
    Add(Expr, Expr),
    /// The product of two numbers.
    Mul(Expr, Expr),
    /// The value of a function of numbers.
    Call(Function, Vec<Expr>),
    /// A pair.
    Pair(Expr, Expr),
    /// Half of a pair; of a tensor of pairs, the tensor of the halves, as the
    /// types are isomorphic [ATL 5.2].
    Project(Half, Expr),
    /// The tensor of the values for each index.
    Gen(Range, Expr),
    /// The sum of the values for each index.
    Sum(Range, Expr),
    /// The element of a tensor at a place.
    Access(Expr, Affine),
    /// The value if the predicate holds, the zero of its type otherwise.
    Bracket(Predicate, Expr),
    /// The body, in which the variable is the first expression.
    Let(Var, Expr, Expr),
}

/// Makes names that no other has.
#[derive(Clone, Debug, Default)]
pub struct Names {
    vars: u32,
    indices: u32,
}

impl Names {
    /// A variable.
    pub fn var(&mut self) -> Var {
        self.vars += 1;
        Var(self.vars - 1)
    }

    /// An index.
    pub fn index(&mut self) -> Index {
        self.indices += 1;
        Index(self.indices - 1)
    }

    /// A range of the same size with an index of its own.
    pub fn range(&mut self, size: &Affine) -> Range {
        Range::new(self.index(), size.clone())
    }
}

/// A variable.
pub fn var(name: Var) -> Expr {
    Rc::new(Node::Var(name))
}

/// A number.
pub fn constant(value: f64) -> Expr {
    Rc::new(Node::Constant(Constant::new(value)))
}

/// The sum of two numbers.
pub fn add(left: Expr, right: Expr) -> Expr {
    Rc::new(Node::Add(left, right))
}

/// The product of two numbers.
pub fn mul(left: Expr, right: Expr) -> Expr {
    Rc::new(Node::Mul(left, right))
}

/// The value of a function.
pub fn call(function: Function, arguments: Vec<Expr>) -> Expr {
    Rc::new(Node::Call(function, arguments))
}

/// A pair.
pub fn pair(first: Expr, second: Expr) -> Expr {
    Rc::new(Node::Pair(first, second))
}

/// A half of a pair.
pub fn project(half: Half, inner: Expr) -> Expr {
    Rc::new(Node::Project(half, inner))
}

/// The tensor of the values for each index.
pub fn generate(range: Range, inner: Expr) -> Expr {
    Rc::new(Node::Gen(range, inner))
}

/// Generations of `ranges`, the outermost first.
pub fn generate_all(ranges: &[Range], inner: Expr) -> Expr {
    let ranges = ranges.iter().rev();
    ranges.fold(inner, |inner, range| generate(range.clone(), inner))
}

/// The sum of the values for each index.
pub fn sum(range: Range, inner: Expr) -> Expr {
    Rc::new(Node::Sum(range, inner))
}

/// Sums over `ranges`, the outermost first.
pub fn sum_all(ranges: &[Range], inner: Expr) -> Expr {
    let ranges = ranges.iter().rev();
    ranges.fold(inner, |inner, range| sum(range.clone(), inner))
}

/// The element of a tensor at a place.
pub fn access(inner: Expr, place: Affine) -> Expr {
    Rc::new(Node::Access(inner, place))
}

/// The element at places, those of the outermost dimension first.
pub fn access_all(inner: Expr, places: &[Affine]) -> Expr {
    let places = places.iter();
    places.fold(inner, |inner, place| access(inner, place.clone()))
}

/// The bracket, which is left out where the predicate is true.
pub fn bracket(predicate: Predicate, inner: Expr) -> Expr {
    match predicate {
        Predicate::True => inner,
        predicate => Rc::new(Node::Bracket(predicate, inner)),
    }
}

/// Values as nested pairs: the first, and the rest.
pub fn tuple(values: Vec<Expr>) -> Option<Expr> {
    values.into_iter().rev().reduce(|rest, next| pair(next, rest))
}

/// The `count` values of nested pairs.
pub fn untuple(expr: &Expr, count: usize) -> Vec<&Expr> {
    let mut values = Vec::new();
    let mut inner = expr;
    while let Node::Pair(first, rest) = &**inner
        && values.len() + 1 < count
    {
        values.push(first);
        inner = rest;
    }
    values.push(inner);
    values
}

/// `body`, in which `name` is `value`.
pub fn bind(name: Var, value: Expr, body: Expr) -> Expr {
    Rc::new(Node::Let(name, value, body))
}

/// `lets` around `body`, the first outermost.
pub fn bind_all(lets: Vec<(Var, Expr)>, body: Expr) -> Expr {
    let lets = lets.into_iter().rev();
    lets.fold(body, |body, (name, value)| bind(name, value, body))
}

/// The same operation with other operands: `change` is called for each, from
/// left to right.
pub fn map_operands(expr: &Expr, change: &mut dyn FnMut(&Expr) -> Expr) -> Expr {
    match &**expr {
        Node::Var(_) | Node::Constant(_) => expr.clone(),
        Node::Add(left, right) => {
            let left = change(left);
            add(left, change(right))
        }
        Node::Mul(left, right) => {
            let left = change(left);
            mul(left, change(right))
        }
        Node::Call(function, arguments) => call(*function, arguments.iter().map(change).collect()),
        Node::Pair(first, second) => {
            let first = change(first);
            pair(first, change(second))
        }
        Node::Project(half, inner) => project(*half, change(inner)),
        Node::Gen(range, inner) => generate(range.clone(), change(inner)),
        Node::Sum(range, inner) => sum(range.clone(), change(inner)),
        Node::Access(inner, place) => access(change(inner), place.clone()),
        Node::Bracket(predicate, inner) => bracket(predicate.clone(), change(inner)),
        Node::Let(name, value, body) => {
            let value = change(value);
            bind(*name, value, change(body))
        }
    }
}

/// The operands, from left to right.
pub fn operands(expr: &Expr) -> Vec<&Expr> {
    match &**expr {
        Node::Var(_) | Node::Constant(_) => vec![],
        Node::Add(left, right) | Node::Mul(left, right) | Node::Pair(left, right) => {
            vec![left, right]
        }
        Node::Call(_, arguments) => arguments.iter().collect(),
        Node::Project(_, inner)
        | Node::Gen(_, inner)
        | Node::Sum(_, inner)
        | Node::Access(inner, _)
        | Node::Bracket(_, inner) => vec![inner],
        Node::Let(_, value, body) => vec![value, body],
    }
}

/// `expr` with each variable as `value_of` says, where it says something.
pub fn substitute_vars(expr: &Expr, value_of: &dyn Fn(Var) -> Option<Expr>) -> Expr {
    match &**expr {
        Node::Var(name) => value_of(*name).unwrap_or_else(|| expr.clone()),
        _ => map_operands(expr, &mut |operand| substitute_vars(operand, value_of)),
    }
}

/// `expr` with each free index as `value_of` says, where it says something, and
/// with new names for the indices that are bound in it.
pub fn substitute_indices(
    expr: &Expr,
    value_of: &dyn Fn(Index) -> Option<Affine>,
    names: &mut Names,
) -> Expr {
    let bind_anew = |range: &Range, inner: &Expr, names: &mut Names| {
        let fresh = names.range(&range.size);
        let index = fresh.index;
        let value_of = |old| match old == range.index {
            true => Some(Affine::index(index)),
            false => value_of(old),
        };
        (fresh, substitute_indices(inner, &value_of, names))
    };
    match &**expr {
        Node::Gen(range, inner) => {
            let (range, inner) = bind_anew(range, inner, names);
            generate(range, inner)
        }
        Node::Sum(range, inner) => {
            let (range, inner) = bind_anew(range, inner, names);
            sum(range, inner)
        }
        Node::Access(inner, place) => {
            let inner = substitute_indices(inner, value_of, names);
            access(inner, place.substitute(value_of))
        }
        Node::Bracket(predicate, inner) => {
            let renamed = predicate.rename_bound(&mut || names.index());
            let inner = substitute_indices(inner, value_of, names);
            bracket(renamed.substitute(value_of), inner)
        }
        _ => map_operands(expr, &mut |operand| substitute_indices(operand, value_of, names)),
    }
}

/// `expr`, which is in the scope of `index`, with `value` in its place.
pub fn replace_index(expr: &Expr, index: Index, value: &Affine, names: &mut Names) -> Expr {
    let value_of = |old| (old == index).then(|| value.clone());
    substitute_indices(expr, &value_of, names)
}

impl Type {
    /// A tensor of `sizes`, the outermost first, of elements.
    pub fn tensor(sizes: &[Affine], element: Type) -> Type {
        let sizes = sizes.iter().rev();
        sizes.fold(element, |element, size| Type::Tensor(size.clone(), Box::new(element)))
    }

    /// The type of a half, or of a tensor of halves.
    pub fn half(&self, half: Half) -> Type {
        match (self, half) {
            (Type::Pair(first, _), Half::First) => (**first).clone(),
            (Type::Pair(_, second), Half::Second) => (**second).clone(),
            (Type::Tensor(size, element), half) => {
                Type::Tensor(size.clone(), Box::new(element.half(half)))
            }
            (Type::Number, _) => panic!("a number has no halves"),
        }
    }

    /// The type of nested pairs of values: the first, and the rest.
    pub fn tuple(kinds: Vec<Type>) -> Type {
        let nested = kinds.into_iter().rev();
        let nested = nested.reduce(|rest, next| Type::Pair(Box::new(next), Box::new(rest)));
        nested.expect("a type")
    }

    /// The types of the `count` values of nested pairs.
    pub fn untuple(&self, count: usize) -> Vec<Type> {
        let mut kinds = Vec::new();
        let mut rest = self.clone();
        for _ in 1..count {
            kinds.push(rest.half(Half::First));
            rest = rest.half(Half::Second);
        }
        kinds.push(rest);
        kinds
    }

    /// The ways to all numbers and tensors of numbers in a value of the type, as
    /// if tensors of pairs were pairs of tensors.
    pub fn leaves(&self) -> Vec<Path> {
        match self {
            Type::Number => vec![vec![]],
            Type::Tensor(_, element) => element.leaves(),
            Type::Pair(first, second) => {
                let below = |half: Half, inner: &Type| {
                    let paths = inner.leaves().into_iter();
                    let paths = paths.map(|path| [vec![half], path].concat());
                    paths.collect::<Vec<Path>>()
                };
                [below(Half::First, first), below(Half::Second, second)].concat()
            }
        }
    }

    /// The type of what is at the end of a path.
    pub fn leaf(&self, path: &[Half]) -> Type {
        path.iter().fold(self.clone(), |inner, half| inner.half(*half))
    }

    /// The sizes of a tensor of numbers, none for a number.
    pub fn sizes(&self) -> Vec<Affine> {
        match self {
            Type::Tensor(size, element) => [vec![size.clone()], element.sizes()].concat(),
            _ => vec![],
        }
    }
}

/// The type of an input.
pub fn type_of_input(inputs: &[(Var, Type)], name: Var) -> Type {
    let input = inputs.iter().find(|(input, _)| *input == name);
    input.expect("an input").1.clone()
}

/// What is multiplied by minus one.
pub fn negated(expr: &Expr) -> Option<&Expr> {
    match &**expr {
        Node::Mul(left, right) => match &**left {
            Node::Constant(value) if value.value() == -1.0 => Some(right),
            _ => None,
        },
        _ => None,
    }
}

/// A tensor and the places at which it is accessed, the outermost first.
pub fn accesses(expr: &Expr) -> (&Expr, Vec<Affine>) {
    let mut places = Vec::new();
    let mut inner = expr;
    while let Node::Access(tensor, place) = &**inner {
        places.push(place.clone());
        inner = tensor;
    }
    places.reverse();
    (inner, places)
}

/// The type of an expression whose variables have the types that `type_of_var`
/// says.
pub fn type_of(expr: &Expr, type_of_var: &dyn Fn(Var) -> Type) -> Type {
    match &**expr {
        Node::Var(name) => type_of_var(*name),
        Node::Constant(_) | Node::Add(..) | Node::Mul(..) | Node::Call(..) | Node::Sum(..) => {
            Type::Number
        }
        Node::Pair(first, second) => Type::Pair(
            Box::new(type_of(first, type_of_var)),
            Box::new(type_of(second, type_of_var)),
        ),
        Node::Project(half, inner) => type_of(inner, type_of_var).half(*half),
        Node::Gen(range, inner) => {
            Type::Tensor(range.size.clone(), Box::new(type_of(inner, type_of_var)))
        }
        Node::Access(inner, _) => match type_of(inner, type_of_var) {
            Type::Tensor(_, element) => *element,
            other => panic!("access of {other:?}"),
        },
        Node::Bracket(_, inner) => type_of(inner, type_of_var),
        Node::Let(name, value, body) => {
            let bound = type_of(value, type_of_var);
            type_of(body, &|other| match other == *name {
                true => bound.clone(),
                false => type_of_var(other),
            })
        }
    }
}
