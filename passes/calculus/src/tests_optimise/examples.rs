//! The programs that \[ATL 2\] speaks of.

use crate::adjoint::differentiate_reverse;
use crate::affine::{Affine, Size};
use crate::convert::Builder;
use crate::cost::cost;
use crate::eval::{Environment, zero};
use crate::expr::{
    Expr, Function, Names, Type, Var, access, access_all, add, bind, bracket, call, constant,
    generate_all, mul, sum, var,
};
use crate::functions::Functions;
use crate::inline::optimise;
use crate::let_lift::lift_lets;
use crate::predicate::{Predicate, Range};
use crate::push_out::push_out_gens;
use crate::ssa::{Request, Ssa};
use crate::testing::FourierMotzkin;
use crate::testing::random::TestWorld;
use crate::testing::show::show;
use crate::testing::steps;

/// A program to differentiate with respect to all of its inputs, with a function.
struct Example {
    names: Names,
    inputs: Vec<(Var, Type)>,
    functions: Functions,
    f: Function,
}

impl Example {
    fn new(inputs: &[&[Affine]]) -> Example {
        let mut names = Names::default();
        let inputs = inputs.iter().map(|sizes| (names.var(), Type::tensor(sizes, Type::Number)));
        let inputs = inputs.collect();
        let mut functions = Functions::default();
        let f = functions.given(1);
        Example { names, inputs, functions, f }
    }

    fn range(&mut self, size: &Affine) -> (Range, Affine) {
        let range = self.names.range(size);
        let index = Affine::index(range.index);
        (range, index)
    }

    /// The optimised program, and its derivative.
    fn optimised(mut self, body: &Expr) -> [Shown; 2] {
        let lifted = push_out_gens(&lift_lets(body, &mut self.names), &mut self.names);
        let mut builder = Builder::new(self.inputs.clone(), self.names);
        let results = builder.convert(&lifted);
        let (ssa, mut names) = builder.finish(results);
        let wrt: Vec<Var> = self.inputs.iter().map(|(name, _)| *name).collect();
        let request = Request { wrt: &wrt, count: 1, of: &[0] };
        let (reverse, mut reverse_names) = differentiate_reverse(
            &ssa,
            request,
            &FourierMotzkin,
            &mut self.functions,
            names.clone(),
        );
        let functions = &self.functions;
        let shown = |ssa: &Ssa, names: &mut Names| {
            let expr = optimise(&ssa.to_expr(names), &FourierMotzkin, names);
            let (inputs, functions) = (ssa.inputs.clone(), functions.clone());
            Shown { text: show(&expr), expr, inputs, functions }
        };
        [shown(&ssa, &mut names), shown(&reverse, &mut reverse_names)]
    }
}

fn size(place: u32) -> Affine {
    Affine::size(Size(place))
}

fn at(name: Var, places: &[&Affine]) -> Expr {
    access_all(var(name), &places.iter().map(|place| (*place).clone()).collect::<Vec<_>>())
}

/// An expression as text, its cost and the steps it takes from above for sizes.
struct Shown {
    text: String,
    expr: Expr,
    inputs: Vec<(Var, Type)>,
    functions: Functions,
}

impl Shown {
    fn cost(&self, sizes: &[i64]) -> u64 {
        let mut world = TestWorld::new(sizes.to_vec(), self.functions.clone());
        let mut environment = Environment::default();
        for (name, of) in &self.inputs {
            let value = zero(of, &environment, &world);
            environment.vars.insert(*name, (of.clone(), value));
        }
        cost(&self.expr, &mut environment, &mut world).unwrap()
    }

    /// How many times as many steps twice the first size takes.
    fn growth(&self) -> f64 {
        let [small, large] = [1000, 2000].map(|size| steps(&self.expr, &[size, 3, 3]) as f64);
        large / small
    }
}

/// T02: the product of a row and a column of a diagonal takes linear time.
#[test]
fn row_times_column_of_diagonal() {
    let (n, first) = (size(0), Affine::constant(0));
    let mut of = Example::new(&[std::slice::from_ref(&n)]);
    let x = of.inputs[0].0;
    let ([i, j, k], a) = ([0; 3].map(|_| of.range(&n)), of.names.var());
    let diagonal = bracket(Predicate::equal(&i.1, &j.1), call(of.f, vec![at(x, &[&i.1])]));
    let diagonal = generate_all(&[i.0, j.0], diagonal);
    let product = mul(at(a, &[&k.1, &first]), at(a, &[&first, &k.1]));
    let [primal, derivative] = of.optimised(&bind(a, diagonal, sum(k.0, product)));
    assert_eq!(primal.text, "let t0 = gen i0<n0. f0(x0[i0]) in [0 <= n0 - 1] (t0[0] * t0[0])");
    assert_eq!(
        derivative.text,
        "let t0 = gen i0<n0. f0(x0[i0]) in \
         <[0 <= n0 - 1] (t0[0] * t0[0]); \
         gen i0<n0. [i0 = 0] (((t0[0] * x6) + (t0[0] * x6)) * f1(x0[0]))>"
    );
    // n functions and a product; two products, an addition, a function, a product.
    assert_eq!(primal.cost(&[10]), 11);
    assert_eq!(derivative.cost(&[10]), 16);
    assert!(derivative.growth() < 2.1);
}

/// T11, T12: the same trace several times is one trace, and one tensor.
#[test]
fn trace_several_times() {
    let n = size(0);
    let mut of = Example::new(&[&[n.clone(), n.clone()]]);
    let a = of.inputs[0].0;
    let trace = |of: &mut Example| {
        let (range, index) = of.range(&n);
        sum(range, at(a, &[&index, &index]))
    };
    let traces = [trace(&mut of), trace(&mut of), trace(&mut of)];
    let all = traces.into_iter().reduce(add).unwrap();
    let [primal, derivative] = of.optimised(&all);
    assert_eq!(primal.text, "let t0 = sum i0<n0. x0[i0][i0] in (t0 + (t0 * 2))");
    assert_eq!(
        derivative.text,
        "let t0 = sum i0<n0. x0[i0][i0] in let t1 = (x6 + (2 * x6)) in \
         <(t0 + (t0 * 2)); gen i0<n0. gen i1<n0. [i0 - i1 = 0] t1>"
    );
    assert_eq!(primal.cost(&[10]), 11);
    assert_eq!(derivative.cost(&[10]), 13);
}

/// The convolution of a signal and a kernel that [ATL 2.1] begins with.
fn convolution() -> (Example, Expr) {
    let (n, m) = (size(0), size(1));
    let mut of = Example::new(&[std::slice::from_ref(&n), std::slice::from_ref(&m)]);
    let (x, c) = (of.inputs[0].0, of.inputs[1].0);
    let (i, j) = (of.range(&n), of.range(&m));
    let place = i.1.minus(&j.1);
    let product = mul(at(x, &[&place]), at(c, &[&j.1]));
    let product = bracket(i.0.contains(&place), product);
    (of, generate_all(&[i.0], sum(j.0, product)))
}

/// T06: the adjoint of a convolution is a correlation.
#[test]
fn adjoint_of_convolution() {
    let (of, body) = convolution();
    let [primal, derivative] = of.optimised(&body);
    let convolution = "gen i0<n0. sum i1<n1. [0 <= i0 - i1] (x0[i0 - i1] * x1[i1])";
    assert_eq!(primal.text, convolution);
    assert_eq!(
        derivative.text,
        format!(
            "<{convolution}; \
             <gen i2<n0. sum i3<n1. [0 <= -i2 - i3 + n0 - 1] (x1[i3] * x5[i2 + i3]); \
             gen i4<n1. sum i5<n0. [0 <= -i4 + i5] (x0[-i4 + i5] * x5[i5])>>"
        )
    );
    // Each has 10 + 9 + 8 products, added up in 10, 10 and 3.
    assert_eq!(primal.cost(&[10, 3]), 27 + 17);
    assert_eq!(derivative.cost(&[10, 3]), 3 * 27 + 17 + 17 + 24);
    assert!(derivative.growth() < 2.1);
}

/// T09: the derivative of the sum of squares is a pipeline of two stencils.
#[test]
fn sum_of_squares_of_convolution() {
    let (mut of, convolution) = convolution();
    let (k, y) = (of.range(&size(0)), of.names.var());
    let squares = sum(k.0, mul(at(y, &[&k.1]), at(y, &[&k.1])));
    let [_, derivative] = of.optimised(&bind(y, convolution, squares));
    assert_eq!(
        derivative.text,
        "let t0 = gen i0<n0. sum i1<n1. [0 <= i0 - i1] (x0[i0 - i1] * x1[i1]) in \
         let t1 = gen i0<n0. ((t0[i0] * x7) * 2) in \
         <sum i0<n0. (t0[i0] * t0[i0]); \
         <gen i1<n0. sum i2<n1. [0 <= -i1 - i2 + n0 - 1] (x1[i2] * t1[i1 + i2]); \
         gen i3<n1. sum i4<n0. [0 <= -i3 + i4] (x0[-i3 + i4] * t1[i4])>>"
    );
    assert!(derivative.growth() < 2.1);
}

/// T33: the derivatives of a product of matrices are two of them, that of a
/// product of elements are two of those.
#[test]
fn products_of_matrices_and_of_elements() {
    let (n, m, l) = (size(0), size(1), size(2));
    let mut of = Example::new(&[&[n.clone(), m.clone()], &[m.clone(), l.clone()]]);
    let (a, b) = (of.inputs[0].0, of.inputs[1].0);
    let (i, j, k) = (of.range(&n), of.range(&l), of.range(&m));
    let product = sum(k.0, mul(at(a, &[&i.1, &k.1]), at(b, &[&k.1, &j.1])));
    let [_, derivative] = of.optimised(&generate_all(&[i.0, j.0], product));
    assert_eq!(
        derivative.text,
        "<gen i0<n0. gen i1<n2. sum i2<n1. (x0[i0][i2] * x1[i2][i1]); \
         <gen i3<n0. gen i4<n1. sum i5<n2. (x1[i4][i5] * x5[i3][i5]); \
         gen i6<n1. gen i7<n2. sum i8<n0. (x0[i8][i6] * x5[i8][i7])>>"
    );
    // Of each, n m l products, added up in the elements of the result.
    assert_eq!(derivative.cost(&[2, 3, 4]), 3 * 24 + (24 - 8) + (24 - 6) + (24 - 12));

    let mut of = Example::new(&[&[n.clone(), m.clone()], &[n.clone(), m.clone()]]);
    let (a, b) = (of.inputs[0].0, of.inputs[1].0);
    let (i, j) = (of.range(&n), of.range(&m));
    let product = mul(at(a, &[&i.1, &j.1]), at(b, &[&i.1, &j.1]));
    let [_, derivative] = of.optimised(&generate_all(&[i.0, j.0], product));
    assert_eq!(
        derivative.text,
        "<gen i0<n0. gen i1<n1. (x0[i0][i1] * x1[i0][i1]); \
         <gen i2<n0. gen i3<n1. (x1[i2][i3] * x5[i2][i3]); \
         gen i4<n0. gen i5<n1. (x0[i4][i5] * x5[i4][i5])>>"
    );
    assert!(derivative.growth() < 2.1);
}

/// T13: elements of a vector add up to one tensor, with no addition.
#[test]
fn sum_of_some_elements() {
    let of = Example::new(&[&[Affine::constant(7)]]);
    let x = of.inputs[0].0;
    let elements = [0, 2, 3].map(|place| access(var(x), Affine::constant(place)));
    let [primal, derivative] = of.optimised(&elements.into_iter().reduce(add).unwrap());
    assert_eq!(primal.text, "((x0[0] + x0[2]) + x0[3])");
    assert_eq!(
        derivative.text,
        "<((x0[0] + x0[2]) + x0[3]); gen i0<7. ([i0 = 0] x7 + \
         [0 <= -i0 + 3 and 0 <= i0 - 2] ([i0 - 3 = 0] x7 + [i0 - 2 = 0] x7))>"
    );
    assert_eq!(derivative.cost(&[]), primal.cost(&[]));
}

/// T05: the convolution of a vector of one 1 reads one place of the kernel.
#[test]
fn probe_of_convolution() {
    let (n, m) = (size(0), size(1));
    let mut of = Example::new(&[std::slice::from_ref(&m)]);
    let c = of.inputs[0].0;
    let (i, j, k) = (of.range(&n), of.range(&m), of.range(&n));
    let probe = bracket(Predicate::equal(&k.1, &Affine::constant(2)), constant(1.0));
    let place = i.1.minus(&j.1);
    let dx = of.names.var();
    let product = mul(at(dx, &[&place]), at(c, &[&j.1]));
    let product = bracket(i.0.contains(&place), product);
    let body = generate_all(&[i.0], sum(j.0, product));
    let [primal, _] = of.optimised(&bind(dx, generate_all(&[k.0], probe), body));
    assert_eq!(primal.text, "gen i0<n0. [0 <= -i0 + n1 + 1 and 0 <= i0 - 2] x0[i0 - 2]");
    assert_eq!(primal.cost(&[10, 3]), 0);
}
