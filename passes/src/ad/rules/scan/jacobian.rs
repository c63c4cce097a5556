//! Differentiates: `soac.scan` with an operator on few numbers: a tuple of scalars and
//! small static tensors, of which some components may have no derivative.
//!
//! Primal: `ys = scan (op) e as`, with the state `s_i` before element i and
//! `s_(i+1) = s_i op a_i` (in a reversed scan `a_i op s_i`, from the last i down)
//! Forward sweep: the scan itself; `s_i` is `ys[i]` of an exclusive scan, and the
//! neighbour of `ys[i]`, or e, of an inclusive one.
//! Return sweep, with `t_i` the cotangent of `s_i` without `ys_bar[i]` of an exclusive scan:
//! ```text
//! Ms = map (\s_i a_i -> d (s_i op a_i) / d s_i) as            -- by vjps at unit seeds
//! ds = if inclusive then map (\M y_bar -> M y_bar) Ms ys_bar else ys_bar
//! ts = exclusive scan of linear functions (0, I) ds Ms        -- against the primal's direction
//! (as_bar, fvs_bar) += map (\s_i a_i t y_bar -> vjp of (s_i op a_i) with respect to a_i and
//!                             free variables, at t if exclusive, at y_bar + t if inclusive) as ts ys_bar
//! e_bar += vjp of (e op a_0) with respect to e at the same seed, + y_bar[0] if exclusive
//! ```
//! Source: [FUT 5.2], for d numbers as in its generalisation. The paper pairs `ys_bar[i]`
//! with the Jacobian of element i + 1 and treats the last element apart; here both
//! belong to element i, and an exclusive scan, which starts at the neutral element
//! (0, I), leaves nothing to treat apart at that end. At the other end e is the state
//! before element 0, so that e counts as used once.
//! Requires: the operator is associative.
//! Ensures: O(n) work and O(log n) span. Entries of the Jacobian that are zero by the
//! structure of the operator (`structure`) are not computed; entries that are one, and
//! blocks with the same entries, are not stored (`linear`). One vjp of the operator
//! serves results that have no number of the state in common.
//! Edge cases: of the empty array all adjoints are empty or zero; of one element
//! `as_bar` is the vjp of `e op a_0`. An infinite cotangent is multiplied by Jacobians
//! that are zero, so that it spoils the sweep where the loop of `general` would not.
//! Tests: test/ad/vjp/scan-jacobian.mlir, test/ad/vjp/scan-jacobian-tensor.mlir,
//! test/ad/numeric/scan-jacobian.mlir, test/ad/numeric/scan-jacobian-tensor.mlir.

use std::collections::HashMap;

use ad_dialect::ir::{BlkExt, Op, OpExt, TyExt, Val, ValExt, array_of};
use melior::ir::{Type, ValueLike};

use super::{
    super::{Rule, reduce::reduce_flows},
    Parts, compare,
    linear::Linear,
    scan_jvp,
    structure::Structure,
    symbolic::{Name, Symbols},
};
use crate::{
    ad::{
        activity::{Activity, Flows},
        jvp::Jvp,
        vjp::Vjp,
    },
    support::{builder::Builder, diag::Result, row_major::position},
};

/// The rule for operators on few numbers.
pub struct ScanJacobian;

impl Rule for ScanJacobian {
    fn applies(&self, op: Op<'_>) -> bool {
        Structure::of(op).is_some()
    }

    fn flows<'c>(&self, op: Op<'c>, flows: &mut Flows) {
        reduce_flows(op, flows);
    }

    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        scan_jvp(op, jvp)
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let (Some(body), Some(all)) = (op.body(0), Structure::of(op)) else { return Ok(()) };
        let parts = Parts::of(op, body, vjp);
        let structure = wanted(&parts, &all, vjp);
        let sweep = Sweep { parts, structure };
        let (ds, matrices, linear) = sweep.coefficients(vjp)?;
        let ts = linear.solve(&vjp.b, &ds, &matrices, !sweep.parts.reverse)?;
        sweep.contributions(vjp, &ts)?;
        sweep.neutral_cotangents(vjp, &ts)
    }
}

/// The numbers whose cotangents are not zero and matter: results that are active and
/// that reach a result with a cotangent.
fn wanted<'c>(parts: &Parts<'c>, all: &Structure, vjp: &Vjp<'_, 'c>) -> Structure {
    let yielded = parts.body.ends();
    let is_seeded = |q: usize| parts.y_bars[all.coordinates[q].component].is_some();
    all.restrict(|p| {
        let is_active =
            yielded.get(all.coordinates[p].component).is_some_and(|&value| vjp.is_active(value));
        is_active && (0..all.coordinates.len()).any(|q| all.has(p, q) && is_seeded(q))
    })
}

/// The return sweep of one scan.
struct Sweep<'c> {
    parts: Parts<'c>,
    structure: Structure,
}

/// What one iteration of a map sees.
struct Step<'c> {
    states: Vec<Val<'c>>,
    elements: Vec<Val<'c>>,
    y_bars: Vec<Option<Val<'c>>>,
    /// The numbers of t, where they are inputs.
    t: Vec<Val<'c>>,
}

impl<'c> Sweep<'c> {
    /// The inputs of the maps: the elements, the cotangents of the results and what
    /// gives the states.
    fn map_inputs(&self, b: &Builder<'c>) -> Vec<Val<'c>> {
        let parts = &self.parts;
        let mut inputs = parts.a.clone();
        inputs.extend(parts.y_bars.iter().flatten());
        if parts.exclusive {
            inputs.extend(&parts.y);
        } else {
            let size = parts.a[0].r#type().shape()[0];
            inputs.push(b.iota(b.dim(parts.a[0], 0), size));
        }
        inputs
    }

    /// Takes one iteration's part of the inputs apart; `n` is the size of the scan.
    fn step(&self, b: &Builder<'c>, n: Val<'c>, rows: &[Val<'c>]) -> Step<'c> {
        let parts = &self.parts;
        let (elements, rows) = rows.split_at(parts.a.len());
        let seeded = parts.y_bars.iter().flatten().count();
        let (seeds, rows) = rows.split_at(seeded);
        let mut seeds = seeds.iter().copied();
        let y_bars = parts.y_bars.iter().map(|bar| bar.and_then(|_| seeds.next())).collect();
        let (states, t) = if parts.exclusive {
            let (states, t) = rows.split_at(parts.y.len());
            (states.to_vec(), t)
        } else {
            (parts.state_before(b, rows[0], n), &rows[1..])
        };
        Step { states, elements: elements.to_vec(), y_bars, t: t.to_vec() }
    }

    /// The scalar type of a number.
    fn scalar(&self, p: usize) -> Type<'c> {
        self.parts.e[self.structure.coordinates[p].component].r#type().scalar()
    }

    /// A number of a tuple.
    fn number(&self, b: &Builder<'c>, tuple: &[Option<Val<'c>>], p: usize) -> Option<Val<'c>> {
        let at = self.structure.coordinates[p];
        let value = tuple[at.component]?;
        if value.r#type().as_tensor().is_none() {
            return Some(value);
        }
        let place = position(at.element as i64, &value.r#type().shape());
        let indices: Vec<_> = place.into_iter().map(|index| b.index(index)).collect();
        Some(b.extract(value, &indices))
    }

    /// The tuple with the given numbers; the others are zero.
    fn tuple(
        &self,
        b: &Builder<'c>,
        number: impl Fn(usize) -> Option<Val<'c>>,
    ) -> Vec<Option<Val<'c>>> {
        let tuple = self.parts.e.iter().enumerate().map(|(component, e)| {
            let coordinates = self.structure.coordinates.iter().enumerate();
            let numbers: HashMap<_, _> = coordinates
                .filter(|(_, at)| at.component == component)
                .filter_map(|(p, at)| Some((at.element, number(p)?)))
                .collect();
            let full = e.r#type();
            if full.as_tensor().is_none() || numbers.is_empty() {
                return numbers.into_values().next();
            }
            let zero = b.zero_scalar(full.scalar());
            let count = full.shape().into_iter().product::<i64>() as usize;
            let elements: Vec<_> =
                (0..count).map(|i| numbers.get(&i).copied().unwrap_or(zero)).collect();
            Some(b.val("tensor.from_elements", &elements, full))
        });
        tuple.collect()
    }

    /// The cotangent of `s_i op a_i`.
    fn seeds(&self, b: &Builder<'c>, step: &Step<'c>) -> Vec<Option<Val<'c>>> {
        self.tuple(b, |p| {
            let t = step.t[p];
            if self.parts.exclusive {
                return Some(t);
            }
            Some(self.number(b, &step.y_bars, p).map_or(t, |y_bar| b.add(y_bar, t)))
        })
    }

    /// The map that computes the linear functions `(d_i, M_i)`, and what is known about
    /// the matrices.
    #[allow(clippy::type_complexity)]
    fn coefficients(
        &self,
        vjp: &mut Vjp<'_, 'c>,
    ) -> Result<(Vec<Val<'c>>, HashMap<(usize, usize), Val<'c>>, Linear)> {
        let b = vjp.b;
        let inputs = self.map_inputs(&b);
        let structure = &self.structure;
        let d = structure.coordinates.len();
        let direct: Vec<_> =
            structure.entries().filter(|&(p, q)| structure.is_direct(p, q)).collect();
        let n = b.dim(self.parts.a[0], 0);
        let size = self.parts.a[0].r#type().shape()[0];
        let numbers = (0..d).chain(direct.iter().map(|&(p, _)| p));
        let types: Vec<_> = numbers.map(|p| array_of(size, self.scalar(p))).collect();
        let results = b.map(&inputs, &[], &types, |b, rows| {
            let step = self.step(&b, n, rows);
            let matrix = vjp.at(b, |vjp| self.matrix(vjp, &step))?;
            let mut yielded: Vec<_> = (0..d).map(|p| self.offset(&b, &step, &matrix, p)).collect();
            yielded.extend(direct.iter().map(|&(p, q)| {
                matrix.get(&(p, q)).copied().unwrap_or_else(|| b.zero_scalar(self.scalar(p)))
            }));
            Ok(yielded)
        })?;
        let (mut symbols, mut names) = (Symbols::default(), HashMap::new());
        if let Some(body) =
            results.first().and_then(ValExt::defining_op).and_then(|map| map.body(0))
        {
            symbols.block(body);
            let yielded = body.ends();
            for (&at, &value) in direct.iter().zip(yielded.iter().skip(d)) {
                names.extend(symbols.of(value).first().map(|&name: &Name| (at, name)));
            }
        }
        let linear = Linear::new(structure, &names, &symbols);
        let (ds, entries) = results.split_at(d);
        let matrices = direct.into_iter().zip(entries.iter().copied()).collect();
        Ok((ds.to_vec(), matrices, linear))
    }

    /// A number of `d_i`.
    fn offset(
        &self,
        b: &Builder<'c>,
        step: &Step<'c>,
        matrix: &HashMap<(usize, usize), Val<'c>>,
        p: usize,
    ) -> Val<'c> {
        let sum = if self.parts.exclusive {
            self.number(b, &step.y_bars, p)
        } else {
            let terms = (0..self.structure.coordinates.len()).filter_map(|q| {
                let entry = *matrix.get(&(p, q))?;
                Some(b.mul(entry, self.number(b, &step.y_bars, q)?))
            });
            terms.reduce(|sum, term| b.add(sum, term))
        };
        sum.unwrap_or_else(|| b.zero_scalar(self.scalar(p)))
    }

    /// The Jacobian of `s_i op a_i` with respect to `s_i`, without the entries that are
    /// zero.
    fn matrix(
        &self,
        vjp: &mut Vjp<'_, 'c>,
        step: &Step<'c>,
    ) -> Result<HashMap<(usize, usize), Val<'c>>> {
        let mut matrix = HashMap::new();
        for color in self.structure.colors() {
            let b = vjp.b;
            let seeds = self.tuple(&b, |q| color.contains(&q).then(|| b.one(self.scalar(q))));
            let bars = self.state_cotangents(vjp, step, &seeds)?;
            for p in 0..self.structure.coordinates.len() {
                let Some(&q) = color.iter().find(|&&q| self.structure.is_direct(p, q)) else {
                    continue;
                };
                if let Some(entry) = self.number(&vjp.b, &bars, p) {
                    matrix.insert((p, q), entry);
                }
            }
        }
        Ok(matrix)
    }

    /// The vjp of `s_i op a_i` with respect to `s_i` alone.
    fn state_cotangents(
        &self,
        vjp: &mut Vjp<'_, 'c>,
        step: &Step<'c>,
        seeds: &[Option<Val<'c>>],
    ) -> Result<Vec<Option<Val<'c>>>> {
        let body = self.parts.body;
        let (states, elements) = self.parts.operands();
        let yielded = body.ends();
        vjp.with_activity(Activity::between(&[body], &states, &yielded), |vjp| {
            vjp.set_primals(&states, &step.states);
            vjp.set_primals(&elements, &step.elements);
            vjp.body(body, seeds)?;
            Ok(states.iter().map(|&state| vjp.cotangents.take(state)).collect())
        })
    }

    /// The map that computes what the elements and the free variables receive.
    fn contributions(&self, vjp: &mut Vjp<'_, 'c>, ts: &[Val<'c>]) -> Result<()> {
        let (b, parts, body) = (vjp.b, &self.parts, self.parts.body);
        let inputs = [self.map_inputs(&b), ts.to_vec()].concat();
        let types: Vec<_> = parts.active.iter().map(|&i| parts.inputs[i].r#type()).collect();
        let n = b.dim(parts.a[0], 0);
        let (states, elements) = parts.operands();
        let yielded = body.ends();
        let sources = [&elements[..], &parts.free].concat();
        let bars = vjp.adjoint_map(&inputs, &types, &parts.free, |vjp, rows| {
            let step = self.step(&vjp.b, n, rows);
            let seeds = self.seeds(&vjp.b, &step);
            vjp.with_activity(Activity::between(&[body], &sources, &yielded), |vjp| {
                vjp.set_primals(&states, &step.states);
                vjp.set_primals(&elements, &step.elements);
                vjp.body(body, &seeds)?;
                Ok(parts.active.iter().map(|&i| vjp.take_or_zero(elements[i])).collect())
            })
        })?;
        for (&i, bar) in parts.active.iter().zip(bars) {
            vjp.add_dense(parts.inputs[i], bar)?;
        }
        Ok(())
    }

    /// What active neutral elements receive: nothing from the empty scan.
    fn neutral_cotangents(&self, vjp: &mut Vjp<'_, 'c>, ts: &[Val<'c>]) -> Result<()> {
        let (b, parts) = (vjp.b, &self.parts);
        let active: Vec<_> =
            (0..parts.e.len()).filter(|&k| vjp.is_active(parts.neutrals[k])).collect();
        if active.is_empty() {
            return Ok(());
        }
        let (n, zero) = (b.dim(parts.a[0], 0), b.index(0));
        const GREATER: i64 = 4;
        let condition = compare(&b, GREATER, n, zero);
        let types: Vec<_> = active.iter().map(|&k| parts.e[k].r#type()).collect();
        let branch = b.if_else(condition, &types, |b, is_full| {
            if !is_full {
                return Ok(active.iter().map(|&k| b.zeros_like(parts.e[k])).collect());
            }
            vjp.at(b, |vjp| {
                let first = parts.first(&b, n);
                let row = |&array: &Val<'c>| b.row(array, first);
                let step = Step {
                    states: parts.e.clone(),
                    elements: parts.a.iter().map(row).collect(),
                    y_bars: parts.y_bars.iter().map(|bar| bar.as_ref().map(row)).collect(),
                    t: ts.iter().map(row).collect(),
                };
                let seeds = self.seeds(&b, &step);
                let mut bars = self.state_cotangents(vjp, &step, &seeds)?;
                let b = vjp.b;
                Ok(active
                    .iter()
                    .map(|&k| {
                        let direct = step.y_bars[k].filter(|_| parts.exclusive);
                        match (bars[k].take(), direct) {
                            (Some(bar), Some(direct)) => b.add(bar, direct),
                            (bar, direct) => {
                                bar.or(direct).unwrap_or_else(|| b.zeros_like(parts.e[k]))
                            }
                        }
                    })
                    .collect())
            })
        })?;
        for (k, bar) in active.into_iter().zip(branch.result_list()) {
            vjp.add_dense(parts.neutrals[k], bar)?;
        }
        Ok(())
    }
}
