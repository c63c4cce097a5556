//! Structured operations of `linalg`, named or generic.
//!
//! ```text
//! y[i, j] = f(xs, y0[i, j])                  => gen (i, j) f(..)
//! y[i, j] += f(xs) for all k, l              => gen (i, j) y0[i, j] + sum (k, l) f(..)
//! y[2 i, j] += f(xs) for all i, k            => gen (a, j) y0[a, j] + sum (i, k) [a = 2 i] . f(..)
//! ```

use ad_dialect::{
    atl::{Affine, Comparison, affine},
    ir::{BlkExt, DYNAMIC, OpExt, TyExt, Val, ValExt},
    linalg::{Expr, Structured},
};
use melior::ir::{Type, ValueLike, operation::OperationLike};

use super::{
    body::{Body, Element},
    site::{Raised, Site, is_blank, number_of, sum},
    truth::Truth,
};
use crate::support::{builder::Builder, structured::reached};

/// What is added to an output, and where.
struct Term<'c> {
    value: Val<'c>,
    is_negative: bool,
    /// Conditions, and whether they are to hold.
    guards: Vec<(Val<'c>, bool)>,
}

struct Nest<'s, 'c> {
    site: &'s Site<'c>,
    s: Structured<'c>,
    /// The sizes of the loops.
    sizes: Vec<Val<'c>>,
}

/// Any structured operation on tensors.
pub fn structured<'c>(site: &Site<'c>) -> Raised<Vec<Val<'c>>> {
    let s = Structured::of(site.root).ok_or("is no structured operation")?;
    if site.root.result_count() != s.inits.len() {
        return Err("works on buffers".to_owned());
    }
    Body::refuse_effects(site.root)?;
    let sizes = loop_sizes(site, &s)?;
    let nest = Nest { site, s, sizes };
    (0..nest.s.inits.len()).map(|output| nest.output(output)).collect()
}

/// The size of each loop: that of a dimension that is indexed by it alone.
fn loop_sizes<'c>(site: &Site<'c>, s: &Structured<'c>) -> Raised<Vec<Val<'c>>> {
    let operands: Vec<_> = s.inputs.iter().chain(&s.inits).copied().collect();
    let places = |l: usize| {
        operands.iter().zip(&s.maps).flat_map(move |(operand, map)| {
            let is_alone = move |d: &usize| map[*d] == Expr::Loop(l);
            (0..map.len()).filter(is_alone).map(|d| (*operand, d))
        })
    };
    let size = |l: usize| {
        let fixed = places(l).find(|(operand, d)| operand.r#type().shape()[*d] != DYNAMIC);
        let (operand, d) = fixed.or_else(|| places(l).next())?;
        Some(site.size(operand, d))
    };
    let sizes = (0..s.loops).map(size).collect::<Option<Vec<_>>>();
    sizes.ok_or_else(|| "has a loop whose size no dimension has".to_owned())
}

impl<'c> Nest<'_, 'c> {
    /// The tensor that an output becomes.
    fn output(&self, output: usize) -> Raised<Val<'c>> {
        let (init, map) = (self.s.inits[output], &self.s.output_maps()[output]);
        let of = init.r#type();
        let number = number_of(of)?;
        let yielded = self.s.body.ends()[output];
        // Loops that are an index of the output, with the first dimension that they are.
        let bound = |l: usize| map.iter().position(|expr| *expr == Expr::Loop(l));
        let open: Vec<usize> = (0..self.s.loops).filter(|l| bound(*l).is_none()).collect();
        let is_free = |d: &usize| match map[*d] {
            Expr::Loop(l) => bound(l) != Some(*d),
            _ => true,
        };
        let equations: Vec<usize> = (0..map.len()).filter(is_free).collect();
        let sizes: Vec<_> = (0..map.len())
            .map(|d| match map[d] {
                Expr::Loop(l) => self.sizes[l],
                _ => self.site.size(init, d),
            })
            .collect();
        let point = |at: &[Affine<'c>]| -> Vec<Affine<'c>> {
            let index = |l| bound(l).map_or_else(Affine::default, |d| at[d].clone());
            (0..self.s.loops).map(index).collect()
        };
        if open.is_empty() && equations.is_empty() {
            self.refuse_sums([yielded])?;
            return self
                .site
                .generate(of, &sizes, |b, at| self.body(number, point(at))?.number(b, yielded));
        }
        let terms = self.terms(yielded, output)?;
        let extents: Vec<_> = open.iter().map(|l| self.sizes[*l]).collect();
        self.site.generate(of, &sizes, |b, at| {
            let added = sum(b, number, &extents, |b, indices| {
                let mut point = point(at);
                for (l, index) in open.iter().zip(indices) {
                    point[*l] = index.clone();
                }
                let met = equations.iter().map(|d| {
                    let place =
                        affine(&map[*d], &point).ok_or("has an index that is not affine")?;
                    Ok(Truth::Compare(Comparison::Equal, at[*d].clone(), place))
                });
                let met = Truth::and(met.collect::<Raised<Vec<_>>>()?);
                let mut body = self.body(number, point)?;
                self.site.bracket(b, &met, number, |b| self.added(b, &mut body, number, &terms))
            })?;
            match is_blank(init) {
                true => Ok(added),
                false => Ok(b.add(self.site.access(b, init, at)?, added)),
            }
        })
    }

    /// The body at a point of the loops.
    fn body(&self, number: Type<'c>, point: Vec<Affine<'c>>) -> Raised<Body<'_, 'c>> {
        let mut body = Body::new(self.site, number);
        let operands = self.s.inputs.iter().chain(&self.s.inits);
        for ((operand, map), argument) in operands.zip(&self.s.maps).zip(self.s.body.arg_list()) {
            if argument.users().is_empty() {
                continue;
            }
            let at = map.iter().map(|expr| affine(expr, &point)).collect::<Option<Vec<_>>>();
            let at = at.ok_or("has an index that is not affine")?;
            let element: Element<'c> = (*operand, at);
            body.elements.insert(argument.key(), element);
        }
        body.points = point;
        Ok(body)
    }

    /// The sum of the terms at one point.
    fn added(
        &self,
        b: &Builder<'c>,
        body: &mut Body<'_, 'c>,
        number: Type<'c>,
        terms: &[Term<'c>],
    ) -> Raised<Val<'c>> {
        let mut parts = Vec::new();
        for term in terms {
            let guards = term.guards.iter().map(|(condition, holds)| {
                let truth = body.truth(*condition)?;
                Ok(if *holds { truth } else { truth.negated(&self.site.outer) })
            });
            let guard = Truth::and(guards.collect::<Raised<Vec<_>>>()?);
            let part = match guard {
                Truth::Known(true) => body.number(b, term.value)?,
                guard => self.site.bracket(b, &guard, number, |b| body.within(b, term.value))?,
            };
            parts.push(if term.is_negative { b.neg(part) } else { part });
        }
        Ok(super::site::total(b, number, parts))
    }

    /// Refuses what reads an element of an output that other points of the loops change.
    fn refuse_sums(&self, values: impl IntoIterator<Item = Val<'c>>) -> Raised<()> {
        let arguments = self.s.body.arg_list();
        let states = arguments[self.s.inputs.len()..].iter().enumerate();
        let is_sum = |number: usize| {
            let map = &self.s.output_maps()[number];
            let is_plain = (0..self.s.loops).all(|l| map.contains(&Expr::Loop(l)));
            !is_plain || map.len() != self.s.loops
        };
        let sums: Vec<_> = states.filter(|(number, _)| is_sum(*number)).collect();
        let reads = |value: Val<'c>| sums.iter().any(|(_, state)| self.depends(value, **state));
        match values.into_iter().any(reads) {
            true => Err("reads sums before they are complete".to_owned()),
            false => Ok(()),
        }
    }

    fn depends(&self, value: Val<'c>, on: Val<'c>) -> bool {
        reached(self.s.body, &[on]).contains(&value.key())
    }

    /// What is added to an output, if nothing else is done to it.
    fn terms(&self, yielded: Val<'c>, output: usize) -> Raised<Vec<Term<'c>>> {
        let arguments = self.s.body.arg_list();
        let states = &arguments[self.s.inputs.len()..];
        let mut terms = Vec::new();
        self.collect(yielded, states[output], &[], &mut terms)?;
        let read = |term: &Term<'c>| {
            let conditions = term.guards.iter().map(|(condition, _)| *condition);
            conditions.chain([term.value]).collect::<Vec<_>>()
        };
        self.refuse_sums(terms.iter().flat_map(read))?;
        Ok(terms)
    }

    fn collect(
        &self,
        value: Val<'c>,
        state: Val<'c>,
        guards: &[(Val<'c>, bool)],
        terms: &mut Vec<Term<'c>>,
    ) -> Raised<()> {
        if value.key() == state.key() {
            return Ok(());
        }
        let op = value.defining_op().filter(|_| self.depends(value, state));
        let op = op.ok_or(
            "overwrites elements: which of several values stays is not in the \
                           tensor language",
        )?;
        let operands = op.operand_list();
        let first = operands.first().is_some_and(|first| self.depends(*first, state));
        let mut add = |value, is_negative| {
            terms.push(Term { value, is_negative, guards: guards.to_vec() });
        };
        match op.op_name() {
            "arith.addf" => {
                let (sum, term) = (operands[usize::from(!first)], operands[usize::from(first)]);
                add(term, false);
                self.collect(sum, state, guards, terms)
            }
            "arith.subf" if first => {
                add(operands[1], true);
                self.collect(operands[0], state, guards, terms)
            }
            "arith.select" => {
                for (arm, holds) in [(operands[1], true), (operands[2], false)] {
                    let guards = [guards, &[(operands[0], holds)]].concat();
                    self.collect(arm, state, &guards, terms)?;
                }
                Ok(())
            }
            name => {
                Err(format!("combines elements by '{name}'; the tensor language has sums only"))
            }
        }
    }
}
