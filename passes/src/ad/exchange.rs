//! Derivatives of derivatives in reverse mode, as those in reverse mode of a derivative in forward mode.
//!
//! Of `f`, with cotangents `v`, with `s` and `w` how `x` and `v` move, or the cotangents of `f'(x)^T v` and of `f(x)`:
//! ```text
//! d/ds (f'(x) s . v)  =  f'(x)^T v         the derivative in reverse mode
//! d/dx (f'(x) s . v + f(x) . w)            how it moves;     or the cotangent of x
//! f'(x) s                                  how f(x) moves;   or the cotangent of v
//! ```
//! All of them are results of one derivative in reverse mode, of `x, s -> f(x), f'(x) s`.
//!
//! That is how derivatives are differentiated which hand tapes to each other (`recursion`), or which keep buffers on tapes, as
//! it is not known later which these are.
//!
//! Edge cases: a rule of its own in a function says more about one of the orders than about the other one, and buffers that
//! are given have shadows: then derivatives are differentiated as they are.
//! Tests: test/ad/numeric/recursive-second-order.mlir, test/ad/numeric/memory-chosen.mlir.

use ad_dialect::ir::{BlkExt, Op, OpExt, Val};
use melior::ir::operation::OperationLike;

use super::{Derivative, Mode, Session, memory::is_buffer_type, rules, signature};
use crate::support::{builder::Builder, diag::Result};

/// Two derivatives that change places: one in reverse mode of a function, and one of that, in either mode.
pub struct Exchange {
    /// How many arguments and results the function has.
    pub counts: [usize; 2],
    /// The one in reverse mode, of the function.
    pub inner: Derivative,
    /// The one of that.
    pub outer: Derivative,
}

impl Exchange {
    fn is_forward(&self) -> bool {
        self.outer.mode == Mode::Jvp
    }

    /// The derivative of the function in forward mode.
    pub fn forward(&self) -> Derivative {
        let [inputs, results] = self.counts;
        let or = |some: &[usize], others: &[usize], end: usize| -> Vec<usize> {
            let is_in = |i: &usize| some.contains(i) || self.is_forward() && others.contains(i);
            (0..end).filter(is_in).collect()
        };
        let wrt = or(&self.inner.wrt, &self.outer.wrt, inputs);
        Derivative { mode: Mode::Jvp, wrt, of: or(&self.inner.of, &self.outer.of, results) }
    }

    /// The derivative of that in reverse mode: by arguments and the tangents of those that the inner one is by; of results
    /// and the tangents of those that it is of.
    pub fn back(&self) -> Derivative {
        let ([inputs, results], forward) = (self.counts, self.forward());
        let after = |start: usize, all: &[usize], some: &[usize]| -> Vec<usize> {
            let places = (0..all.len()).filter(|&i| some.contains(&all[i]));
            places.map(|i| start + i).collect()
        };
        let tangents = after(inputs, &forward.wrt, &self.inner.wrt);
        let slopes = after(results, &forward.of, &self.inner.of);
        let wrt = [self.arguments(), tangents].concat();
        Derivative { mode: Mode::Vjp, wrt, of: [self.seeded(), slopes].concat() }
    }

    /// The arguments that `back` is by.
    fn arguments(&self) -> Vec<usize> {
        let own = self.outer.wrt.iter().copied().filter(|&i| i < self.counts[0]);
        if self.is_forward() { self.inner.wrt.clone() } else { own.collect() }
    }

    /// The results that `back` is of.
    fn seeded(&self) -> Vec<usize> {
        let own = self.outer.of.iter().copied().filter(|&p| p < self.counts[1]);
        if self.is_forward() { self.inner.of.clone() } else { own.collect() }
    }

    /// The results of the outer derivative for its arguments, by a call of `back`.
    pub fn results<'c>(
        &self,
        b: &Builder<'c>,
        arguments: &[Val<'c>],
        call: &dyn Fn(&[Val<'c>]) -> Vec<Val<'c>>,
    ) -> Vec<Val<'c>> {
        let [inputs, made] = self.counts;
        let forward = self.forward();
        let (xs, rest) = arguments.split_at(inputs);
        let (seeds, moves) = rest.split_at(self.inner.of.len());
        let place = |all: &[usize], wanted: usize| all.iter().position(|&other| other == wanted);
        // The tangent of an argument, or the cotangent of that of its cotangent.
        let tangent = |i: usize| {
            let found = match self.is_forward() {
                true => place(&self.outer.wrt, i),
                false => place(&self.inner.wrt, i).and_then(|q| place(&self.outer.of, made + q)),
            };
            found.map_or_else(|| b.zeros_like(xs[i]), |k| moves[k])
        };
        let seed = |p: usize| match self.is_forward() {
            true => {
                let k = place(&self.inner.of, p);
                let moved = k.and_then(|k| place(&self.outer.wrt, inputs + k)).map(|k| moves[k]);
                moved.or_else(|| Some(b.zeros_like(seeds[k?])))
            }
            false => place(&self.outer.of, p).map(|k| moves[k]),
        };
        let mut given = xs.to_vec();
        given.extend(forward.wrt.iter().map(|&i| tangent(i)));
        given.extend(self.seeded().into_iter().filter_map(seed));
        given.extend(seeds);
        let found = call(&given);
        let (ys, rest) = found.split_at(made);
        let (slopes, rest) = rest.split_at(forward.of.len());
        let own = self.arguments();
        let (own_bars, bars) = rest.split_at(own.len());
        let slope = |p: usize| place(&forward.of, p).map(|k| slopes[k]);
        let asked: Vec<_> = match self.is_forward() {
            true => {
                let moved = |&p: &usize| match p.checked_sub(made) {
                    Some(q) => own_bars.get(q).copied(),
                    None => slope(p),
                };
                self.outer.of.iter().filter_map(moved).collect()
            }
            false => {
                let bar = |&i: &usize| match i.checked_sub(inputs) {
                    Some(k) => slope(self.inner.of[k]),
                    None => place(&own, i).map(|k| own_bars[k]),
                };
                self.outer.wrt.iter().filter_map(bar).collect()
            }
        };
        [ys, bars, &asked].concat()
    }
}

impl<'c> Session<'c> {
    /// The derivative of a derivative in halves, or of one that keeps buffers; none of any other.
    pub(super) fn exchanged(
        &mut self,
        at: Op<'c>,
        name: &str,
        derivative: &Derivative,
    ) -> Result<Option<String>> {
        let inner = self.halved.get(name).or_else(|| self.keeping.get(name)).cloned();
        let Some((callee, inner)) = inner else { return Ok(None) };
        let (Some(&source), Some(&whole)) = (self.names.get(&callee), self.names.get(name)) else {
            return Ok(None);
        };
        if !self.commutes(&callee) {
            return Ok(None);
        }
        let (inputs, results) = signature(source).unwrap_or_default();
        let counts = [inputs.len(), results.len()];
        let exchange = Exchange { counts, inner, outer: derivative.clone() };
        let forward = self.derivative(at, &callee, exchange.forward())?;
        let back = self.derivative(at, &forward, exchange.back())?;
        let types = self.names.get(&back).and_then(|op| signature(*op)).unwrap_or_default().1;
        let new = self.unused_name(&self.derivative_name(name, derivative));
        let target = self.declare(whole, &new, derivative)?;
        self.derivatives.insert((name.to_owned(), derivative.clone()), new.clone());
        self.statistics.functions += 1;
        if let Some(body) = target.body(0) {
            let b = Builder::at_end(self.context, body, target.location());
            let call = |given: &[Val<'c>]| rules::call(&b, &back, given, &types);
            b.op("func.return", &exchange.results(&b, &body.arg_list(), &call), &[]);
        }
        Ok(Some(new))
    }

    /// Whether a function has the same derivatives in whichever order they are taken: it has no rules of its own, nor does what
    /// it calls, and it takes and returns no buffers.
    pub(super) fn commutes(&self, callee: &str) -> bool {
        let types = self.names.get(callee).and_then(|op| signature(*op)).unwrap_or_default();
        let modes = [Mode::Jvp, Mode::Vjp];
        let has_rule = |name: &String| modes.iter().any(|&m| self.custom_rule(name, m).is_some());
        !types.0.into_iter().chain(types.1).any(is_buffer_type)
            && !self.calls_from(callee).0.iter().any(has_rule)
    }
}
