//! The total, or forward, derivative of programs in Tensor SSA [ATL 6.2].

use crate::affine::{Affine, Index};
use crate::convert::Builder;
use crate::expr::{Constant, Names, Var, type_of_input};
use crate::functions::Functions;
use crate::predicate::{Predicate, Range};
use crate::ssa::{Contraction, Operation, Request, Results, Ssa, equal_places};
use std::collections::HashMap;

/// The program that lists a program's results and then the tangents of those
/// that are asked for, with one more input for each of `wrt`, its tangent. Other
/// inputs are constant.
pub fn differentiate_forward(
    ssa: &Ssa,
    request: Request<'_>,
    functions: &mut Functions,
    names: Names,
) -> (Ssa, Names) {
    let mut builder = Builder::resume(ssa, names);
    let wrt = request.wrt.iter();
    let seeds =
        wrt.map(|name| (*name, builder.add_input(type_of_input(&ssa.inputs, *name)))).collect();
    let mut forward = Forward { seeds, tangents: HashMap::new(), functions };
    // (6.13)
    for (name, operation) in &ssa.bindings {
        if let Some(tangent) = forward.tangent(&mut builder, operation) {
            forward.tangents.insert(*name, tangent);
        }
    }
    let primal = ssa.results.list(request.count);
    let tangents = request.of.iter().map(|of| forward.results(&mut builder, primal[*of]));
    let tangents: Vec<Results> = tangents.collect();
    let all = primal.into_iter().cloned().chain(tangents).collect();
    builder.finish(Results::nested(all))
}

struct Forward<'a> {
    seeds: HashMap<Var, Var>,
    /// The tangents of variables; that of others is zero [ATL 6.2].
    tangents: HashMap<Var, Var>,
    functions: &'a mut Functions,
}

impl Forward<'_> {
    /// The tangent of what an operation computes, unless it is zero.
    fn tangent(&mut self, builder: &mut Builder, operation: &Operation) -> Option<Var> {
        match operation {
            // (6.1), (6.2), (6.8)
            Operation::Input(name, path) => {
                let seed = *self.seeds.get(name)?;
                Some(builder.push(Operation::Input(seed, path.clone())))
            }
            // (6.3)
            Operation::Fill(..) => None,
            // (6.4), (6.9), (6.12)
            Operation::Add(sizes, operands) => {
                let tangents = operands
                    .clone()
                    .map(|(predicate, name)| Some((predicate, *self.tangents.get(&name)?)));
                match tangents {
                    [Some(left), Some(right)] => {
                        Some(builder.push(Operation::Add(sizes.clone(), [left, right])))
                    }
                    [Some((predicate, name)), None] | [None, Some((predicate, name))] => {
                        Some(masked(builder, sizes, &predicate, name))
                    }
                    [None, None] => None,
                }
            }
            Operation::Map(sizes, predicate, function, arguments) => {
                self.tangent_of_map(builder, sizes, predicate, *function, arguments)
            }
            Operation::Contract(contraction) => self.tangent_of_product(builder, contraction),
        }
    }

    /// (6.6)
    fn tangent_of_map(
        &mut self,
        builder: &mut Builder,
        sizes: &[Affine],
        predicate: &Predicate,
        function: crate::expr::Function,
        arguments: &[Var],
    ) -> Option<Var> {
        let tangents = arguments.iter().map(|name| self.tangents.get(name).copied());
        let tangents: Vec<Option<Var>> = tangents.collect();
        tangents.iter().find(|tangent| tangent.is_some())?;
        if let ([argument], [Some(tangent)]) = (arguments, &tangents[..]) {
            let slope = slope(builder, self.functions, sizes, predicate, function, *argument);
            return Some(pointwise(builder, sizes, predicate, slope, *tangent));
        }
        let zero = builder.push(Operation::Fill(sizes.to_vec(), Constant::new(0.0)));
        let tangents = tangents.iter().map(|tangent| tangent.unwrap_or(zero));
        let arguments = arguments.iter().copied().chain(tangents).collect();
        let function = self.functions.tangent(function);
        let map = Operation::Map(sizes.to_vec(), predicate.clone(), function, arguments);
        Some(builder.push(map))
    }

    /// (6.5), (6.10), (6.11): the sum of two products is two sums.
    fn tangent_of_product(&self, builder: &mut Builder, of: &Contraction) -> Option<Var> {
        let parts = (0..of.factors.len()).filter_map(|position| {
            let mut part = of.clone();
            part.factors[position] = *self.tangents.get(&of.factors[position])?;
            Some(builder.push(Operation::Contract(part)))
        });
        match parts.collect::<Vec<Var>>()[..] {
            [part] => Some(part),
            [left, right] => {
                // An addition only where there is something to be added.
                let is_there = is_there(builder, of);
                let operands = [(is_there.clone(), left), (is_there, right)];
                Some(builder.push(Operation::Add(of.sizes.clone(), operands)))
            }
            _ => None,
        }
    }

    /// (6.7)
    fn results(&mut self, builder: &mut Builder, of: &Results) -> Results {
        match of {
            Results::One(name) => Results::One(match self.tangents.get(name) {
                Some(tangent) => *tangent,
                None => {
                    let sizes = builder.sizes(*name).to_vec();
                    builder.push(Operation::Fill(sizes, Constant::new(0.0)))
                }
            }),
            Results::Pair(first, second) => {
                let first = Box::new(self.results(builder, first));
                Results::Pair(first, Box::new(self.results(builder, second)))
            }
        }
    }
}

/// Where a contraction adds something up.
fn is_there(builder: &Builder, of: &Contraction) -> Predicate {
    let outer = of.sizes.len();
    let factors = of.factors.iter();
    let sizes = factors.flat_map(|factor| builder.sizes(*factor).to_vec());
    let sizes = sizes.chain(of.rest.iter().cloned()).enumerate();
    let ranges = sizes.map(|(place, size)| Range::new(Index((outer + place) as u32), size));
    let ranges: Vec<Range> = ranges.collect();
    let exists = Predicate::exists(&ranges, of.predicate.clone());
    crate::ssa::shifted(&exists, &|_| None)
}

/// `[predicate] value`.
pub fn masked(builder: &mut Builder, sizes: &[Affine], predicate: &Predicate, value: Var) -> Var {
    if *predicate == Predicate::True {
        return value;
    }
    let rank = sizes.len() as u32;
    let same = (0..rank).map(|place| equal_places(place, rank + place));
    builder.push(Operation::Contract(Contraction {
        sizes: sizes.to_vec(),
        predicate: Predicate::and([vec![predicate.clone()], same.collect()].concat()),
        factors: vec![value],
        rest: vec![],
    }))
}

/// The derivative of a function of one argument at a value, where needed.
pub fn slope(
    builder: &mut Builder,
    functions: &mut Functions,
    sizes: &[Affine],
    predicate: &Predicate,
    function: crate::expr::Function,
    argument: Var,
) -> Var {
    let derivative = functions.derivative(function);
    let map = Operation::Map(sizes.to_vec(), predicate.clone(), derivative, vec![argument]);
    builder.push(map)
}

/// `[predicate] left * right`, element by element.
pub fn pointwise(
    builder: &mut Builder,
    sizes: &[Affine],
    predicate: &Predicate,
    left: Var,
    right: Var,
) -> Var {
    let rank = sizes.len() as u32;
    let same = (0..rank).flat_map(|place| {
        [equal_places(place, rank + place), equal_places(place, 2 * rank + place)]
    });
    builder.push(Operation::Contract(Contraction {
        sizes: sizes.to_vec(),
        predicate: Predicate::and([vec![predicate.clone()], same.collect()].concat()),
        factors: vec![left, right],
        rest: vec![],
    }))
}
