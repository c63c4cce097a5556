//! Tensor SSA [ATL 5.4 and Figure 10]: bindings of one operation each.

use crate::affine::{Affine, Index};
use crate::expr::{
    Constant, Expr, Function, Names, Path, Type, Var, access_all, add, bind_all, bracket, call,
    constant, generate_all, mul, pair, project, sum_all, var,
};
use crate::predicate::{Predicate, Range};
use std::collections::HashMap;

/// What a binding binds. The indices have canonical names: those of the tensor's
/// dimensions count from 0, those of sums go on from there.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
    /// A part of an input.
    Input(Var, Path),
    /// A tensor of one number.
    Fill(Vec<Affine>, Constant),
    /// `[p0] X0 + [p1] X1`.
    Add(Vec<Affine>, [(Predicate, Var); 2]),
    /// `[p] f(X0, ...)`.
    Map(Vec<Affine>, Predicate, Function, Vec<Var>),
    /// A contraction of one or two tensors.
    Contract(Contraction),
}

/// A contraction: for each index of `sizes`, the sum over all indices of one or
/// two factors and of `rest`, for which `predicate` holds, of the product of
/// the factors. The indices of the sum are those of the first factor, those of
/// the second, those of `rest`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Contraction {
    /// The result's sizes.
    pub sizes: Vec<Affine>,
    /// What must hold for a term to be added.
    pub predicate: Predicate,
    /// One or two tensors.
    pub factors: Vec<Var>,
    /// The sizes of the other indices of the sum.
    pub rest: Vec<Affine>,
}

/// The results of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Results {
    /// A tensor or a number.
    One(Var),
    /// A pair of results.
    Pair(Box<Results>, Box<Results>),
}

impl Results {
    /// The results that `count` nested pairs list.
    pub fn list(&self, count: usize) -> Vec<&Results> {
        match self {
            Results::Pair(first, rest) if count > 1 => {
                [vec![&**first], rest.list(count - 1)].concat()
            }
            results => vec![results],
        }
    }

    /// The variables in pairs.
    pub fn to_expr(&self) -> Expr {
        match self {
            Results::One(name) => var(*name),
            Results::Pair(first, second) => pair(first.to_expr(), second.to_expr()),
        }
    }

    /// Nested pairs that list one or more results.
    pub fn nested(list: Vec<Results>) -> Results {
        let nested = list
            .into_iter()
            .rev()
            .reduce(|rest, next| Results::Pair(Box::new(next), Box::new(rest)));
        nested.expect("a result")
    }
}

/// Which derivative of a program.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The inputs to differentiate with respect to.
    pub wrt: &'a [Var],
    /// The number of results, which nested pairs list.
    pub count: usize,
    /// The positions of the results to differentiate.
    pub of: &'a [usize],
}

/// A program in Tensor SSA.
#[derive(Clone, Debug)]
pub struct Ssa {
    /// The inputs with their types.
    pub inputs: Vec<(Var, Type)>,
    /// The bindings, each of which reads inputs and bindings before it.
    pub bindings: Vec<(Var, Operation)>,
    /// The results.
    pub results: Results,
    pub(crate) sizes: HashMap<Var, Vec<Affine>>,
}

impl Ssa {
    /// The sizes of a binding's tensor, none for a number.
    pub fn sizes(&self, name: Var) -> &[Affine] {
        &self.sizes[&name]
    }

    /// The type of the results.
    pub fn result_type(&self) -> Type {
        self.type_of(&self.results)
    }

    /// The type of some of the results.
    pub fn type_of(&self, results: &Results) -> Type {
        match results {
            Results::One(name) => Type::tensor(self.sizes(*name), Type::Number),
            Results::Pair(first, second) => {
                Type::Pair(Box::new(self.type_of(first)), Box::new(self.type_of(second)))
            }
        }
    }

    /// The program as an expression.
    pub fn to_expr(&self, names: &mut Names) -> Expr {
        let bindings = self.bindings.iter();
        let lets = bindings.map(|(name, operation)| {
            (*name, operation.to_expr(names, &|name| self.sizes(name).to_vec()))
        });
        bind_all(lets.collect(), self.results.to_expr())
    }
}

impl Operation {
    /// The variables that are read.
    pub fn operands(&self) -> Vec<Var> {
        match self {
            Operation::Input(..) | Operation::Fill(..) => vec![],
            Operation::Add(_, [(_, left), (_, right)]) => vec![*left, *right],
            Operation::Map(_, _, _, arguments) => arguments.clone(),
            Operation::Contract(contraction) => contraction.factors.clone(),
        }
    }

    /// The operation as an expression.
    pub fn to_expr(&self, names: &mut Names, sizes_of: &dyn Fn(Var) -> Vec<Affine>) -> Expr {
        let ranges = |names: &mut Names, sizes: &[Affine]| -> Vec<Range> {
            sizes.iter().map(|size| names.range(size)).collect()
        };
        let at = |name: Var, ranges: &[Range]| access_all(var(name), &places(ranges));
        match self {
            Operation::Input(name, path) => {
                let path = path.iter();
                path.fold(var(*name), |inner, half| project(*half, inner))
            }
            Operation::Fill(sizes, value) => {
                generate_all(&ranges(names, sizes), constant(value.value()))
            }
            Operation::Add(sizes, operands) => {
                let outer = ranges(names, sizes);
                let [left, right] = operands.clone().map(|(predicate, name)| {
                    bracket(named(&predicate, &outer, names), at(name, &outer))
                });
                generate_all(&outer, add(left, right))
            }
            Operation::Map(sizes, predicate, function, arguments) => {
                let outer = ranges(names, sizes);
                let arguments = arguments.iter().map(|name| at(*name, &outer));
                let value = call(*function, arguments.collect());
                let value = bracket(named(predicate, &outer, names), value);
                generate_all(&outer, value)
            }
            Operation::Contract(contraction) => {
                let outer = ranges(names, &contraction.sizes);
                let mut inner = Vec::new();
                let factors = contraction.factors.iter().map(|factor| {
                    let own = ranges(names, &sizes_of(*factor));
                    inner.extend(own.clone());
                    at(*factor, &own)
                });
                let product = factors.reduce(mul).expect("a contraction has a factor");
                inner.extend(ranges(names, &contraction.rest));
                let all = [outer.clone(), inner.clone()].concat();
                let product = bracket(named(&contraction.predicate, &all, names), product);
                generate_all(&outer, sum_all(&inner, product))
            }
        }
    }
}

/// The indices of ranges.
pub fn places(ranges: &[Range]) -> Vec<Affine> {
    let ranges = ranges.iter();
    ranges.map(|range| Affine::index(range.index)).collect()
}

/// `predicate`, in which canonical names are those of `ranges`.
fn named(predicate: &Predicate, ranges: &[Range], names: &mut Names) -> Predicate {
    let renamed = predicate.rename_bound(&mut || names.index());
    renamed.substitute(&|index| {
        let range = ranges.get(index.0 as usize);
        range.map(|range| Affine::index(range.index))
    })
}

/// Names for what is bound inside of predicates with canonical names.
const FIRST_BOUND: u32 = 1 << 20;

/// `predicate` with the index of each range called as its position.
pub fn canonical(predicate: &Predicate, ranges: &[Range]) -> Predicate {
    let position = |index: Index| ranges.iter().position(|range| range.index == index);
    shifted(predicate, &|index| position(index).map(|place| place as u32))
}

/// `predicate` with other canonical names.
pub fn shifted(predicate: &Predicate, place_of: &dyn Fn(Index) -> Option<u32>) -> Predicate {
    let rename_from = |predicate: &Predicate, first: u32| {
        let mut next = first;
        predicate.rename_bound(&mut || {
            next += 1;
            Index(next - 1)
        })
    };
    let apart = rename_from(predicate, 2 * FIRST_BOUND);
    let placed =
        apart.substitute(&|index| place_of(index).map(|place| Affine::index(Index(place))));
    rename_from(&placed, FIRST_BOUND)
}

/// That the indices at two canonical places are equal.
pub fn equal_places(left: u32, right: u32) -> Predicate {
    Predicate::equal(&Affine::index(Index(left)), &Affine::index(Index(right)))
}
