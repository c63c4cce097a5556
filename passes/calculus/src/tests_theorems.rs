//! The theorems about the cost of derivatives in the paper's own terms
//! \[ATL 6.1, 6.35\], on random programs: of the total derivative of Figure 13,
//! and of each step that rewrites inner products.

use crate::adjoint::{Product, Step, Target, differentiate_watched};
use crate::affine::Affine;
use crate::convert::Builder;
use crate::cost::{cost, cost_of_type};
use crate::eval::{Environment, evaluate};
use crate::expr::{Expr, Names, Type, Var, project, var};
use crate::functions::Functions;
use crate::inner::{Inner, Linear, count as places_where};
use crate::predicate::{Predicate, Range};
use crate::ssa::{Operation, Request};
use crate::testing::FourierMotzkin;
use crate::testing::random::{Random, TestWorld, program, value};
use crate::testing::{MOST_STEPS, Run, count, normalise, steps};
use crate::total::Total;
use std::collections::HashMap;

/// No meaning is compared if a value is larger, since sums of products would be
/// rounded.
const LARGEST: f64 = 1e6;

/// Sees the steps that make the adjoint of a program whose inputs, differentials of
/// inputs and cotangents of results have values.
struct Watch {
    seed: u64,
    environment: Environment,
    world: TestWorld,
    names: Names,
    /// The program.
    bindings: Vec<(Var, Operation)>,
    /// The differentials of inputs and bindings.
    differentials: HashMap<Var, Var>,
    /// The cost of the differential of each binding.
    costs: Vec<u64>,
    is_exact: bool,
    /// How many bindings have been seen, and their cost.
    bound: (usize, u64),
    /// What functions of several arguments may have added.
    of_calls: u64,
    /// How many differentials were left in the last step, its cost and meaning.
    last: Option<(usize, u64, f64)>,
}

impl Watch {
    /// Evaluates a let; returns its cost.
    fn bind(&mut self, name: Var, value: &Expr) -> u64 {
        let found = evaluate(value, &mut self.environment, &mut self.world).unwrap();
        self.is_exact &= found.numbers().iter().all(|number| number.abs() < LARGEST);
        let spent = cost(value, &mut self.environment, &mut self.world).unwrap();
        let of = self.environment.type_of(value);
        self.environment.vars.insert(name, (of, found));
        spent
    }

    /// Gives all bindings values, and their differentials.
    fn begin(&mut self, sizes_of: &dyn Fn(Var) -> Vec<Affine>, functions: &mut Functions) {
        for (name, operation) in self.bindings.clone() {
            let value = operation.to_expr(&mut self.names, sizes_of);
            self.bind(name, &value);
            let types = self.environment.vars.iter();
            let types = types.map(|(name, (of, _))| (*name, of.clone())).collect();
            let mut total = Total { types, functions, names: self.names.clone() };
            let differential = total.derive(&value, &self.differentials);
            self.names = total.names;
            let spent = differential.map_or(0, |differential| {
                let own = self.names.var();
                self.differentials.insert(name, own);
                self.bind(own, &differential)
            });
            self.costs.push(spent);
        }
    }

    /// `predicate` with canonical names for the places of a binding.
    fn places(
        &mut self,
        builder: &Builder,
        name: Var,
        predicate: &Predicate,
    ) -> (Vec<Range>, Predicate) {
        let sizes = builder.sizes(name).iter();
        let ranges: Vec<Range> = sizes.map(|size| self.names.range(size)).collect();
        let renamed = predicate.rename_bound(&mut || self.names.index());
        let renamed = renamed.substitute(&|index| {
            let range = ranges.get(index.0 as usize);
            range.map(|range| Affine::index(range.index))
        });
        (ranges, renamed)
    }

    fn inner(&mut self, builder: &Builder, product: &Product) -> Inner {
        let cotangent = var(product.cotangent);
        match &product.of {
            Target::Binding(name) => {
                let (ranges, predicate) = self.places(builder, *name, &product.predicate);
                Inner::Where(ranges, predicate, cotangent, var(self.differentials[name]))
            }
            Target::Input(name, path) => {
                let differential = var(self.differentials[name]);
                let part = path.iter().fold(differential, |part, half| project(*half, part));
                Inner::Whole(cotangent, part)
            }
        }
    }

    /// What an operation's rule may add to the cost. 6.17 makes the inner product
    /// with a part of an input whole. The paper has 6.27 for one argument only: with
    /// several, the cotangent of each is a call and an inner product, while the
    /// tangent is one call.
    fn allowance(&mut self, builder: &Builder, place: usize) -> u64 {
        let (name, operation) = self.bindings[place].clone();
        match operation {
            Operation::Input(..) => {
                let of = Type::tensor(builder.sizes(name), Type::Number);
                cost_of_type(&of, &self.environment, &self.world)
            }
            Operation::Map(_, predicate, _, arguments) => {
                let active = arguments.iter().filter(|name| self.differentials.contains_key(name));
                let extra = (2 * active.count() as u64).saturating_sub(2);
                let (ranges, predicate) = self.places(builder, name, &predicate);
                let places =
                    places_where(&ranges, &predicate, &mut self.environment, &mut self.world);
                let extra = extra * places.unwrap();
                self.of_calls += extra;
                extra
            }
            _ => 0,
        }
    }

    /// A step costs no more than the one before, and means the same.
    fn see(&mut self, step: &Step<'_>) {
        let builder = step.builder;
        for (name, operation) in &builder.bindings()[self.bound.0..] {
            let value = operation.to_expr(&mut self.names, &|name| builder.sizes(name).to_vec());
            self.bound.1 += self.bind(*name, &value);
        }
        self.bound.0 = builder.bindings().len();
        let terms = step.sum();
        let terms = terms.iter().map(|product| self.inner(builder, product)).collect();
        let sum = Linear::Sum(terms);
        let interface = sum.cost(&mut self.environment, &mut self.world).unwrap();
        let cost = self.bound.1 + self.costs[..step.open].iter().sum::<u64>() + interface;
        let types = &self.environment.vars;
        let meaning = sum.desugared(&|name| types[&name].0.clone(), &mut self.names);
        let meaning = evaluate(&meaning, &mut self.environment, &mut self.world).unwrap().number();
        if let Some((open, budget, wanted)) = self.last {
            let seed = self.seed;
            let added = match step.open < open {
                true => self.allowance(builder, step.open),
                false => 0,
            };
            assert!(cost <= budget + added, "seed {seed}: {cost} > {budget} + {added}");
            assert!(!self.is_exact || meaning == wanted, "seed {seed}: {meaning} {wanted}");
        }
        self.last = Some((step.open, cost, meaning));
    }
}

/// T35, T37, T38, T41, T42: Theorems 6.1 and 6.35 with their proofs: no step that
/// makes the adjoint adds to the cost of Figure 17 but where inner products become
/// whole at the end, and each keeps what it means.
#[test]
fn derivatives_cost_what_the_theorems_say() {
    let (mut compared, mut exact) = (0, 0);
    for seed in 0..count() {
        let program = program(seed);
        let mut functions = program.functions.clone();
        let normal = normalise(&program);
        let ssa = &normal.ssa;
        // Every other program has inputs that are constant.
        let is_wrt =
            |place: usize| seed.is_multiple_of(2) || (seed >> (1 + place)).is_multiple_of(2);
        let inputs = program.inputs.iter().enumerate();
        let wrt: Vec<Var> =
            inputs.filter(|(place, _)| is_wrt(*place)).map(|(_, (name, _))| *name).collect();
        let request = Request { wrt: &wrt, count: 1, of: &[0] };
        let derive = |functions: &mut Functions, watch: &mut dyn FnMut(Step<'_>)| {
            differentiate_watched(
                ssa,
                request,
                &FourierMotzkin,
                functions,
                normal.names.clone(),
                watch,
            )
        };
        let (reverse, mut names) = derive(&mut functions, &mut |_| {});
        let reverse_expr = reverse.to_expr(&mut names);
        let run = Run::new(seed, &program.inputs);
        if steps(&reverse_expr, &run.sizes) > MOST_STEPS {
            continue;
        }

        // Values for the cotangent and the differentials.
        let mut random = Random::new(seed + 11);
        let mut environment = run.environment();
        let world = run.world(&functions);
        let mut differentials = HashMap::new();
        let (seed_name, seed_type) = reverse.inputs.last().unwrap().clone();
        let seed_value = value(&mut random, &seed_type, &world);
        environment.vars.insert(seed_name, (seed_type.clone(), seed_value));
        for (name, of) in program.inputs.iter().filter(|(name, _)| wrt.contains(name)) {
            let own = names.var();
            differentials.insert(*name, own);
            environment.vars.insert(own, (of.clone(), value(&mut random, of, &world)));
        }

        // Theorem 6.1.
        let program_expr = ssa.to_expr(&mut names);
        let types = environment.vars.iter();
        let types = types.map(|(name, (of, _))| (*name, of.clone())).collect();
        let mut total = Total { types, functions: &mut functions, names: names.clone() };
        let zero = total.zero(&ssa.result_type());
        let derivative = total.derive(&program_expr, &differentials).unwrap_or(zero);
        names = total.names;
        let mut names_of_lets = names.clone();
        let spend =
            |expr: &Expr| cost(expr, &mut environment.clone(), &mut run.world(&functions)).unwrap();
        let [primal, forward] = [&program_expr, &derivative].map(spend);
        assert!(forward <= 4 * primal, "seed {seed}: {forward} > 4 * {primal}");

        // The steps.
        let mut watch = Watch {
            seed,
            environment: environment.clone(),
            world: run.world(&functions),
            names,
            bindings: ssa.bindings.clone(),
            differentials: differentials.clone(),
            costs: vec![],
            is_exact: true,
            bound: (0, 0),
            of_calls: 0,
            last: None,
        };
        watch.begin(&|name| ssa.sizes(name).to_vec(), &mut functions);
        let mut first = None;
        derive(&mut functions.clone(), &mut |step| {
            watch.see(&step);
            first = first.or(watch.last);
        });
        let (_, begin, wanted) = first.unwrap();
        let (_, end, _) = watch.last.unwrap();

        // The beginning and the end as one term.
        let [input, output] = [&wrt_types(&program.inputs, &wrt), &vec![seed_type]]
            .map(|types| types.iter().map(|of| cost_of_type(of, &environment, &watch.world)).sum());
        let [input, output]: [u64; 2] = [input, output];
        let whole = |watch: &mut Watch, linear: &Linear| {
            let cost = linear.cost(&mut environment.clone(), &mut watch.world).unwrap();
            let types = &environment.vars;
            let meaning = linear.desugared(&|name| types[&name].0.clone(), &mut watch.names);
            let meaning = evaluate(&meaning, &mut environment.clone(), &mut watch.world).unwrap();
            (cost, meaning.number())
        };
        let product = Linear::Sum(vec![Inner::Whole(var(seed_name), derivative)]);
        let (cost, meaning) = whole(&mut watch, &product);
        assert_eq!(cost, forward + output);
        // (6.16), (6.22): results that are constant have no inner product.
        assert!(forward == 0 || begin <= cost, "seed {seed}: {begin} > {cost}");
        assert!(!watch.is_exact || meaning == wanted, "seed {seed}: {meaning} {wanted}");
        let lets = reverse.bindings.iter().map(|(name, operation)| {
            (*name, operation.to_expr(&mut names_of_lets, &|name| reverse.sizes(name).to_vec()))
        });
        let cotangents = reverse.results.list(1 + wrt.len()).into_iter().skip(1);
        let terms = cotangents
            .zip(&wrt)
            .map(|(cotangent, name)| Inner::Whole(cotangent.to_expr(), var(differentials[name])));
        let transposed = Linear::new(lets.collect(), terms.collect());
        let (cost, meaning) = whole(&mut watch, &transposed);
        assert!(cost <= end + input, "seed {seed}: {cost} > {end} + {input}");
        let most = begin + 2 * input + watch.of_calls;
        assert!(cost <= most, "seed {seed}: {cost} > {most}");
        assert!(!watch.is_exact || meaning == wanted, "seed {seed}: {meaning} {wanted}");
        // Theorem 6.35.
        let (reverse, budget) = (cost + output, primal + input + output);
        assert!(reverse <= 4 * budget, "seed {seed}: {reverse} > 4 * {budget}");
        compared += 1;
        exact += u64::from(watch.is_exact);
    }
    assert!(compared * 4 > count() * 3);
    assert!(exact * 2 > count());
}

fn wrt_types(inputs: &[(Var, Type)], wrt: &[Var]) -> Vec<Type> {
    let inputs = inputs.iter().filter(|(name, _)| wrt.contains(name));
    inputs.map(|(_, of)| of.clone()).collect()
}
