//! The adjoint, or reverse, derivative of programs in Tensor SSA [ATL 6.3].
//!
//! An inner product `<e|dX>_[p]` says that `e` contributes to the cotangent of
//! `X` where `p` holds. Bindings are visited backwards; each turns the inner
//! product with its tangent into inner products with those of its operands.

use crate::affine::{Affine, Index};
use crate::convert::Builder;
use crate::expr::{Constant, Half, Names, Path, Type, Var, type_of_input};
use crate::forward::{masked, pointwise, slope};
use crate::functions::Functions;
use crate::known::Known;
use crate::oracle::Oracle;
use crate::predicate::{Predicate, Range};
use crate::ssa::{Contraction, Operation, Request, Results, Ssa, shifted};
use std::collections::{HashMap, HashSet};

/// The program that lists a program's results and then the cotangents of `wrt`,
/// with one more input for each result that is asked for, its cotangent. That of
/// other results is zero. The oracle is for where cotangents are not zero: of a chain
/// of generations that read each other at several places, that is twice as long a
/// predicate with each of them if nobody simplifies it.
pub fn differentiate_reverse(
    ssa: &Ssa,
    request: Request<'_>,
    oracle: &dyn Oracle,
    functions: &mut Functions,
    names: Names,
) -> (Ssa, Names) {
    differentiate_watched(ssa, request, oracle, functions, names, &mut |_| {})
}

/// Where the rewriting of inner products stands between two rules.
pub struct Step<'a> {
    /// The program so far, and what has been bound for cotangents.
    pub builder: &'a Builder,
    /// How many bindings of the program still have a differential.
    pub open: usize,
    adjoint: &'a Adjoint<'a>,
}

/// The inner product of a cotangent and a differential where a predicate, whose
/// indices have canonical names, holds.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Product {
    /// Whose differential.
    pub of: Target,
    /// The variable on the left.
    pub cotangent: Var,
    /// Where the product counts.
    pub predicate: Predicate,
}

/// What has a differential.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Target {
    /// A binding.
    Binding(Var),
    /// A part of an input, whose cotangent is complete.
    Input(Var, Path),
}

/// The same; `watch` sees every step.
pub fn differentiate_watched(
    ssa: &Ssa,
    request: Request<'_>,
    oracle: &dyn Oracle,
    functions: &mut Functions,
    names: Names,
    watch: &mut dyn FnMut(Step<'_>),
) -> (Ssa, Names) {
    let mut builder = Builder::resume(ssa, names);
    let mut adjoint = Adjoint {
        active: active(ssa, request.wrt),
        pending: HashMap::new(),
        inputs: HashMap::new(),
        oracle,
        functions,
    };
    let primal = ssa.results.list(request.count);
    for of in request.of {
        let seed = builder.add_input(ssa.type_of(primal[*of]));
        adjoint.seed(&mut builder, primal[*of], seed, &mut Path::new());
    }
    watch(Step { builder: &builder, open: ssa.bindings.len(), adjoint: &adjoint });
    // (6.14), (6.15), (6.19), (6.20)
    for (place, (name, operation)) in ssa.bindings.iter().enumerate().rev() {
        adjoint.merge(&mut builder, *name);
        watch(Step { builder: &builder, open: place + 1, adjoint: &adjoint });
        for (cotangent, predicate) in adjoint.pending.remove(name).into_iter().flatten() {
            adjoint.distribute(&mut builder, operation, cotangent, &predicate);
        }
        watch(Step { builder: &builder, open: place, adjoint: &adjoint });
    }
    let cotangents = request.wrt.iter().map(|name| {
        let input = type_of_input(&ssa.inputs, *name);
        adjoint.assemble(&mut builder, *name, &input, &mut Path::new())
    });
    let cotangents: Vec<Results> = cotangents.collect();
    let all = primal.into_iter().cloned().chain(cotangents).collect();
    builder.finish(Results::nested(all))
}

/// The variables that depend on `wrt`.
fn active(ssa: &Ssa, wrt: &[Var]) -> HashSet<Var> {
    let mut active = HashSet::new();
    for (name, operation) in &ssa.bindings {
        let is_active = match operation {
            Operation::Input(input, _) => wrt.contains(input),
            _ => operation.operands().iter().any(|operand| active.contains(operand)),
        };
        if is_active {
            active.insert(*name);
        }
    }
    active
}

impl Step<'_> {
    /// The sum of inner products.
    pub fn sum(&self) -> Vec<Product> {
        let pending = self.adjoint.pending.iter().flat_map(|(name, all)| {
            all.iter().map(|(cotangent, predicate)| Product {
                of: Target::Binding(*name),
                cotangent: *cotangent,
                predicate: predicate.clone(),
            })
        });
        let inputs = self.adjoint.inputs.iter();
        let inputs = inputs.map(|((name, path), cotangent)| Product {
            of: Target::Input(*name, path.clone()),
            cotangent: *cotangent,
            predicate: Predicate::True,
        });
        let mut sum: Vec<Product> = pending.chain(inputs).collect();
        sum.sort();
        sum
    }
}

struct Adjoint<'a> {
    active: HashSet<Var>,
    /// What is known to contribute to the cotangents of variables, and where.
    pending: HashMap<Var, Vec<(Var, Predicate)>>,
    /// The cotangents of parts of inputs.
    inputs: HashMap<(Var, Path), Var>,
    oracle: &'a dyn Oracle,
    functions: &'a mut Functions,
}

impl Adjoint<'_> {
    /// (6.16)
    fn seed(&mut self, builder: &mut Builder, results: &Results, seed: Var, path: &mut Path) {
        match results {
            Results::One(name) => {
                let cotangent = builder.push(Operation::Input(seed, path.clone()));
                self.contribute(*name, cotangent, Predicate::True);
            }
            Results::Pair(first, second) => {
                for (half, results) in [(Half::First, first), (Half::Second, second)] {
                    path.push(half);
                    self.seed(builder, results, seed, path);
                    path.pop();
                }
            }
        }
    }

    /// (6.21)-(6.24): what is not active has no cotangent.
    fn contribute(&mut self, to: Var, cotangent: Var, predicate: Predicate) {
        if self.active.contains(&to) && predicate != Predicate::False {
            self.pending.entry(to).or_default().push((cotangent, predicate));
        }
    }

    /// (6.25): at most one inner product with the differential is left.
    fn merge(&mut self, builder: &mut Builder, name: Var) {
        let Some(all) = self.pending.remove(&name) else {
            return;
        };
        let sizes = builder.sizes(name).to_vec();
        let ranges = sizes.iter().cloned().enumerate();
        let ranges = ranges.map(|(place, size)| Range::new(Index(place as u32), size));
        let known = Known::nothing(self.oracle).inside_all(&ranges.collect::<Vec<_>>());
        let all = all.into_iter().map(|(name, predicate)| (name, known.simplify(&predicate)));
        let all = all.filter(|(_, predicate)| *predicate != Predicate::False);
        let merged = all.reduce(|left, right| {
            let either = known.simplify(&Predicate::or([left.1.clone(), right.1.clone()]));
            let operands = [left, right].map(|(name, predicate)| (predicate, name));
            (builder.push(Operation::Add(sizes.clone(), operands)), either)
        });
        self.pending.insert(name, merged.into_iter().collect());
    }

    /// Turns `<cotangent|D operation>_[predicate]` into inner products with the
    /// tangents of the operands.
    fn distribute(
        &mut self,
        builder: &mut Builder,
        operation: &Operation,
        cotangent: Var,
        predicate: &Predicate,
    ) {
        match operation {
            Operation::Input(input, path) => {
                let sizes = builder.sizes(cotangent).to_vec();
                let cotangent = masked(builder, &sizes, predicate, cotangent);
                self.inputs.insert((*input, path.clone()), cotangent);
            }
            Operation::Fill(..) => {}
            // (6.26)
            Operation::Add(_, operands) => {
                for (own, name) in operands {
                    let both = Predicate::and([own.clone(), predicate.clone()]);
                    self.contribute(*name, cotangent, both);
                }
            }
            // (6.27)
            Operation::Map(sizes, own, function, arguments) => {
                let both = Predicate::and([own.clone(), predicate.clone()]);
                for (position, name) in arguments.iter().enumerate() {
                    if !self.active.contains(name) {
                        continue;
                    }
                    let part = if arguments.len() == 1 {
                        let functions = &mut *self.functions;
                        let slope = slope(builder, functions, sizes, &both, *function, *name);
                        pointwise(builder, sizes, &both, slope, cotangent)
                    } else {
                        let function = self.functions.cotangent(*function, position);
                        let arguments = [arguments.clone(), vec![cotangent]].concat();
                        let map = Operation::Map(sizes.clone(), both.clone(), function, arguments);
                        builder.push(map)
                    };
                    self.contribute(*name, part, both.clone());
                }
            }
            Operation::Contract(contraction) => {
                for position in 0..contraction.factors.len() {
                    self.transpose(builder, contraction, position, cotangent, predicate);
                }
            }
        }
    }

    /// (6.28), (6.29): the contraction in which a factor and the result have
    /// changed places. (The paper's 6.29 reads the cotangent at the factor's
    /// indices; it has the result's.)
    fn transpose(
        &mut self,
        builder: &mut Builder,
        of: &Contraction,
        position: usize,
        cotangent: Var,
        predicate: &Predicate,
    ) {
        let name = of.factors[position];
        if !self.active.contains(&name) {
            return;
        }
        let ranges = ranges_of(builder, of);
        let mut first = of.sizes.len();
        let mut places = Vec::new();
        for factor in &of.factors {
            let rank = builder.sizes(*factor).len();
            places.push(first..first + rank);
            first += rank;
        }
        let own = &ranges[places[position].clone()];
        let result = &ranges[..of.sizes.len()];
        let other = (0..of.factors.len()).find(|other| *other != position);
        let other_ranges = other.map_or(&[][..], |other| &ranges[places[other].clone()]);
        let rest = &ranges[first..];
        let both = Predicate::and([of.predicate.clone(), predicate.clone()]);
        // The sums are over the result's indices, the other factor's and the rest.
        let sums = [result, other_ranges, rest].concat();
        let order: Vec<Range> = [own.to_vec(), sums.clone()].concat();
        let place_of = |index: Index| {
            let place = order.iter().position(|range| range.index == index);
            place.map(|place| place as u32)
        };
        let factors = [Some(cotangent), other.map(|other| of.factors[other])];
        let part = builder.push(Operation::Contract(Contraction {
            sizes: own.iter().map(|range| range.size.clone()).collect(),
            predicate: shifted(&both, &place_of),
            factors: factors.into_iter().flatten().collect(),
            rest: rest.iter().map(|range| range.size.clone()).collect(),
        }));
        let is_there = Predicate::exists(&sums, both);
        self.contribute(name, part, shifted(&is_there, &place_of));
    }

    /// (6.17), (6.18)
    fn assemble(
        &mut self,
        builder: &mut Builder,
        name: Var,
        of: &Type,
        path: &mut Path,
    ) -> Results {
        match of.leaves().len() {
            1 if of.leaves()[0].is_empty() => {
                let cotangent = self.inputs.get(&(name, path.clone()));
                Results::One(cotangent.copied().unwrap_or_else(|| {
                    builder.push(Operation::Fill(of.sizes(), Constant::new(0.0)))
                }))
            }
            _ => {
                let [first, second] = [Half::First, Half::Second].map(|half| {
                    path.push(half);
                    let results = self.assemble(builder, name, &of.half(half), path);
                    path.pop();
                    Box::new(results)
                });
                Results::Pair(first, second)
            }
        }
    }
}

/// All ranges of a contraction with their canonical names.
pub fn ranges_of(builder: &Builder, of: &Contraction) -> Vec<Range> {
    let factors = of.factors.iter();
    let factors = factors.flat_map(|factor| builder.sizes(*factor).to_vec());
    let sizes: Vec<Affine> =
        of.sizes.iter().cloned().chain(factors).chain(of.rest.clone()).collect();
    let sizes = sizes.into_iter().enumerate();
    sizes.map(|(place, size)| Range::new(Index(place as u32), size)).collect()
}
