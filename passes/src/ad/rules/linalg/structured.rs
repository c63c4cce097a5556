//! Differentiates: `linalg.generic` and the named structured operations on tensors.
//!
//! Primal: `y[o(p)] (+)= f(xs[i(p)], p)` for all points p of the iteration space.
//! Forward sweep: the operation itself.
//! Return sweep: a generic operation over the same iteration space, per input
//! ```text
//! x_bar[i(p)] += return sweep of f at y_bar[o(p)]     -- f again, from the inputs
//! init_bar    += y_bar                                -- where y starts from init
//! ```
//! whose output map is the input's own map; loops that are no index of it by
//! themselves are reductions. Inputs with the same reductions share one operation.
//! So a matmul has two contractions, a convolution two convolutions. A scalar that
//! the body reads from outside is an input of rank zero.
//! Forward mode: where f is a product of inputs, the operation once more per active
//! factor, so that a matmul stays a matmul, and the primal does not depend on the
//! tangents. Any other f: one generic operation over primals and tangents.
//! Source: [FUT 3] and [FUT 5.4], for a perfect nest of maps around a sum [FUT 5.1.1].
//! Requires: f does not read the outputs, and y is a sum over the points, or every
//! element of y is made once; anything else is raised to a nest of combinators.
//! Ensures: work and depth of the primal, once per group of inputs; nothing is stored
//! that the primal did not store. An adjoint that exists already is added to in place.
//! Sums of f16 and bf16 are f32, and are made shorter once.
//! Edge cases: an empty iteration space leaves y = init and contributes zeros; an
//! operand that is used twice gets both contributions; sizes that only other operands
//! determine stay determined, because all inputs stay.
//! Tests: test/ad/{jvp,vjp,numeric}/linalg-*.mlir.

use ad_dialect::{
    ir::{BlkExt, Op, OpExt, TyExt, Val, ValExt, tensor_type},
    linalg::{Expr, Structured, map_attribute},
};
use melior::ir::{Attribute, ValueLike, operation::OperationLike};

use super::{Payload, is_regular, payloads};
use crate::{
    ad::{
        activity::{Activity, Flows},
        jvp::Jvp,
        rules::{Rule, body_flows},
        vjp::Vjp,
    },
    support::{
        diag::{Result, internal_error},
        region::erase_dead_ops,
        structured::{covers_once, drop_unneeded, kept_unread},
    },
};

/// The rule for structured operations.
pub struct StructuredOp;

impl Rule for StructuredOp {
    fn applies(&self, op: Op<'_>) -> bool {
        op.result_count() > 0 && Structured::of(op).is_some()
    }

    fn flows<'c>(&self, op: Op<'c>, flows: &mut Flows) {
        body_flows(op, flows);
        if let Some(s) = Structured::of(op)
            && let (Some(end), arguments) = (s.body.term(), s.body.arg_list())
        {
            // From one point to the next.
            flows.edges(&end.operand_list(), arguments.get(s.inputs.len()..).unwrap_or_default());
            for j in kept_unread(&s) {
                flows.edges(&s.inits[j..=j], &op.result_list()[j..=j]);
            }
        }
    }

    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        let Some(s) = Structured::of(op) else { return Ok(()) };
        match linear_factors(&s, jvp) {
            Some(factors) => linear(op, &s, &factors, jvp),
            None => dual(op, &s, jvp),
        }
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let Some(s) = Structured::of(op) else { return Ok(()) };
        if !is_regular(op) {
            return Err(vjp.session.refuse(
                op,
                "has no vjp rule: its body neither adds to its outputs nor makes every \
                 element once; write it with 'soac.reduce' or 'scf.for'",
            ));
        }
        let payloads = payloads(&s);
        let bars: Vec<_> =
            op.result_list().iter().map(|&result| vjp.cotangents.take(result)).collect();
        for ((&init, bar), payload) in s.inits.iter().zip(&bars).zip(&payloads) {
            if let (Some(bar), Payload::Adds) = (bar, payload) {
                vjp.add_dense(init, *bar)?;
            }
        }
        let sweep = ReturnSweep { s, payloads, bars };
        let mut targets = sweep.targets(vjp);
        while let Some(first) = targets.first() {
            let loops = first.loops();
            let (group, rest) = targets.into_iter().partition(|t: &Target<'_>| t.loops() == loops);
            sweep.emit(vjp, group, &loops)?;
            targets = rest;
        }
        Ok(())
    }
}

/// Something that receives a cotangent.
struct Target<'c> {
    /// The operand, or the scalar from outside.
    value: Val<'c>,
    /// What stands for it in the body: an argument, or the scalar itself.
    inside: Val<'c>,
    map: Attribute<'c>,
    indices: Vec<Expr>,
}

impl Target<'_> {
    /// The loops that are not reductions, in order.
    fn loops(&self) -> Vec<usize> {
        let mut loops = Structured::plain_loops(&self.indices);
        loops.sort_unstable();
        loops.dedup();
        loops
    }
}

/// Where the contributions to a target go.
struct Destination<'c> {
    /// What the output starts from.
    start: Val<'c>,
    /// Whether the output is made from nothing, each element once.
    writes: bool,
    /// Whether the output starts from the adjoint, and becomes it.
    is_adjoint: bool,
}

/// The return sweep of one operation.
struct ReturnSweep<'c> {
    s: Structured<'c>,
    payloads: Vec<Payload>,
    bars: Vec<Option<Val<'c>>>,
}

impl<'c> ReturnSweep<'c> {
    /// All that receives a cotangent.
    fn targets(&self, vjp: &Vjp<'_, 'c>) -> Vec<Target<'c>> {
        let s = &self.s;
        let arguments = s.body.arg_list();
        let written = self.payloads.iter().map(|&payload| payload == Payload::Writes);
        let reads = s.inputs.iter().map(|_| true).chain(written);
        let operands = s.inputs.iter().chain(&s.inits).zip(arguments);
        let mut targets: Vec<_> = operands
            .zip(s.map_attributes.iter().zip(&s.maps))
            .zip(reads)
            .filter(|(((value, inside), _), reads)| {
                *reads && vjp.is_active(**value) && vjp.is_active(*inside)
            })
            .map(|(((&value, inside), (&map, indices)), _)| Target {
                value,
                inside,
                map,
                indices: indices.clone(),
            })
            .collect();
        if let Some(map) = map_attribute(vjp.b.context(), s.loops, &[]) {
            let free = vjp.active_free_values(&[s.body]);
            targets.extend(free.into_iter().map(|value| Target {
                value,
                inside: value,
                map,
                indices: vec![],
            }));
        }
        targets
    }

    /// One generic operation for targets with the same reductions.
    fn emit(&self, vjp: &mut Vjp<'_, 'c>, targets: Vec<Target<'c>>, loops: &[usize]) -> Result<()> {
        let destinations: Vec<_> =
            targets.iter().map(|target| self.destination(vjp, target)).collect();
        let (inputs, mut maps) = self.inputs(vjp, &targets);
        let starts: Vec<_> = destinations.iter().map(|d| d.start).collect();
        maps.extend(targets.iter().map(|target| target.map));
        let parallel: Vec<_> = (0..self.s.loops).map(|l| loops.contains(&l)).collect();
        let b = vjp.b;
        let mark = vjp.masks.mark();
        let new = b.generic(&maps, &parallel, &inputs, &starts, |inner, elements| {
            let (elements, sums) = elements.split_at(inputs.len());
            vjp.at(inner, |vjp| {
                let bars = self.body(vjp, &targets, elements)?;
                let out = bars.into_iter().zip(sums).zip(&destinations);
                let add = |x, sum: Val<'c>| inner.add(sum, inner.as_term(x, sum.r#type()));
                Ok(out.map(|((x, &sum), d)| if d.writes { x } else { add(x, sum) }).collect())
            })
        })?;
        vjp.masks.forget_since(mark);
        if let Some(body) = new.body(0) {
            erase_dead_ops(body);
        }
        let new = drop_unneeded(b.context(), new, |_| true).unwrap_or(new);
        for ((target, destination), sum) in targets.iter().zip(destinations).zip(new.result_list())
        {
            let r#type = target.value.r#type();
            let is_array = r#type.as_tensor().is_some();
            let sum = if is_array { sum } else { vjp.b.extract(sum, &[]) };
            let sum = vjp.b.as_value(sum, r#type);
            if destination.is_adjoint {
                vjp.cotangents.set(target.value, Some(sum));
            } else {
                vjp.add_dense(target.value, sum)?;
            }
        }
        Ok(())
    }

    fn destination(&self, vjp: &mut Vjp<'_, 'c>, target: &Target<'c>) -> Destination<'c> {
        let full = target.value.r#type();
        let sum = vjp.b.sum_type(full);
        if full.as_tensor().is_none() {
            let start = vjp.b.zeros(tensor_type(&[], sum), &[]);
            return Destination { start, writes: false, is_adjoint: false };
        }
        if let Some(start) = vjp.cotangents.take_array(target.value) {
            let start = vjp.b.as_term(start, sum);
            return Destination { start, writes: false, is_adjoint: true };
        }
        let primal = vjp.primal(target.value);
        let writes = covers_once(&target.indices, &full.shape(), self.s.loops);
        let start = if writes {
            vjp.b.empty(full, &vjp.b.dynamic_dims(primal))
        } else {
            vjp.b.zeros(sum, &vjp.b.dynamic_dims(primal))
        };
        Destination { start, writes, is_adjoint: false }
    }

    /// What the new operation reads, with maps: the inputs, what outputs start from
    /// where that is read or needed for the sizes, and the cotangents.
    fn inputs(
        &self,
        vjp: &Vjp<'_, 'c>,
        targets: &[Target<'c>],
    ) -> (Vec<Val<'c>>, Vec<Attribute<'c>>) {
        let s = &self.s;
        let count = s.inputs.len();
        let with_bar = s.output_maps().iter().zip(&self.bars).filter(|(_, bar)| bar.is_some());
        let known: Vec<_> = s.maps[..count]
            .iter()
            .chain(with_bar.map(|(map, _)| map))
            .chain(targets.iter().map(|target| &target.indices))
            .flat_map(|map| Structured::plain_loops(map))
            .collect();
        let is_complete = (0..s.loops).all(|l| known.contains(&l));
        let mut inputs = vjp.primal_list(&s.inputs);
        let mut maps = s.map_attributes[..count].to_vec();
        let keeps = |j: usize| !is_complete || self.reads_init(j);
        for (j, (&init, &map)) in s.inits.iter().zip(&s.map_attributes[count..]).enumerate() {
            if keeps(j) {
                inputs.push(vjp.primal(init));
                maps.push(map);
            }
        }
        for (bar, &map) in self.bars.iter().zip(&s.map_attributes[count..]) {
            if let Some(bar) = bar {
                inputs.push(*bar);
                maps.push(map);
            }
        }
        (inputs, maps)
    }

    /// Whether the body reads what output j starts from.
    fn reads_init(&self, j: usize) -> bool {
        let argument = self.s.body.arg_list().get(self.s.inputs.len() + j).copied();
        self.payloads.get(j) == Some(&Payload::Writes)
            && argument.is_some_and(|argument| !argument.users().is_empty())
    }

    /// Both sweeps of the body at one point; returns the cotangent of every target.
    fn body(
        &self,
        vjp: &mut Vjp<'_, 'c>,
        targets: &[Target<'c>],
        elements: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>> {
        let s = &self.s;
        let arguments = s.body.arg_list();
        let (ins, outs) = arguments.split_at(s.inputs.len());
        vjp.set_primals(ins, elements);
        let seeded = self.bars.iter().flatten().count();
        let (read, seeds) = elements.split_at(elements.len() - seeded);
        let mut inits = read[ins.len()..].iter();
        let all_kept = read.len() == arguments.len();
        for (j, &out) in outs.iter().enumerate() {
            let init = if all_kept || self.reads_init(j) { inits.next() } else { None };
            // The sum so far, which no cotangent depends on.
            let stand_in = init.copied().unwrap_or_else(|| vjp.b.zero_scalar(out.r#type()));
            vjp.set_primal(out, stand_in);
        }
        let mut seeds = seeds.iter().copied();
        let seeds: Vec<_> = self.bars.iter().map(|bar| bar.and_then(|_| seeds.next())).collect();
        let insides: Vec<_> = targets.iter().map(|target| target.inside).collect();
        let yielded = s.body.ends();
        let activity = Activity::between(&[s.body], &insides, &yielded);
        vjp.with_activity(activity, |vjp| {
            let outer = vjp.cotangents.swap(&insides, vec![None; insides.len()]);
            vjp.body(s.body, &seeds)?;
            let bars = insides.iter().map(|&inside| vjp.take_or_zero(inside)).collect();
            vjp.cotangents.swap(&insides, outer);
            Ok(bars)
        })
    }
}

/// The active factors, if the term of the only output is a product of inputs that the
/// operation is better executed again for, factor by factor.
fn linear_factors<'c>(s: &Structured<'c>, jvp: &Jvp<'_, 'c>) -> Option<Vec<usize>> {
    let [payload] = payloads(s)[..] else { return None };
    let arguments = s.body.arg_list();
    let (ins, outs) = arguments.split_at(s.inputs.len());
    let value = s.body.term()?.opnd(0)?;
    let term = match payload {
        Payload::Writes => value,
        Payload::Folds => return None,
        Payload::Adds => {
            let sum = value.defining_op().filter(|op| op.op_name().ends_with(".addf"))?;
            let out = outs.first()?.key();
            match sum.operand_list()[..] {
                [a, b] if a.key() == out => b,
                [a, b] if b.key() == out => a,
                _ => return None,
            }
        }
    };
    let mut factors = vec![];
    collect_factors(term, ins, &mut factors)?;
    factors.retain(|&i| jvp.is_active(s.inputs[i]));
    (payload == Payload::Adds || factors.len() <= 1).then_some(factors)
}

/// The inputs whose product the value is, each at most once.
fn collect_factors(value: Val<'_>, ins: &[Val<'_>], factors: &mut Vec<usize>) -> Option<()> {
    if let Some(i) = ins.iter().position(|input| input.key() == value.key()) {
        let first = !factors.contains(&i);
        factors.push(i);
        return first.then_some(());
    }
    let op = value.defining_op()?;
    match op.op_name() {
        "arith.mulf" | "complex.mul" | "arith.extf" | "arith.truncf" | "arith.negf" => {
            op.operand_list().into_iter().try_for_each(|v| collect_factors(v, ins, factors))
        }
        "arith.constant" => Some(()),
        _ => None,
    }
}

/// The operation again for the tangent of each factor, all added up in place.
fn linear<'c>(
    op: Op<'c>,
    s: &Structured<'c>,
    factors: &[usize],
    jvp: &mut Jvp<'_, 'c>,
) -> Result<()> {
    let (Some(result), &[init]) = (op.res(0), &s.inits[..]) else {
        return Err(internal_error(op, "one output expected"));
    };
    jvp.copy(op);
    let adds = payloads(s) == [Payload::Adds];
    let mut tangent = if adds { jvp.tangent_or_zero(init) } else { jvp.primal(init) };
    for &factor in factors {
        let mut operands = jvp.primal_list(&s.inputs);
        if let (Some(operand), Some(&x)) = (operands.get_mut(factor), s.inputs.get(factor)) {
            *operand = jvp.tangent_or_zero(x);
        }
        operands.push(tangent);
        if let Some(sum) = jvp.copy_linear(op, &operands).res(0) {
            tangent = sum;
        }
    }
    jvp.set_tangent(result, tangent);
    Ok(())
}

/// One generic operation over primals and tangents.
fn dual<'c>(op: Op<'c>, s: &Structured<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
    let arguments = s.body.arg_list();
    let (ins, outs) = arguments.split_at(s.inputs.len());
    let yielded = s.body.ends();
    let results = op.result_list();
    let pick = |list: &[bool], from: &[Val<'c>]| -> Vec<Val<'c>> {
        from.iter().zip(list).filter(|(_, active)| **active).map(|(value, _)| *value).collect()
    };
    let active_in: Vec<_> =
        s.inputs.iter().zip(ins).map(|(x, e)| jvp.is_active(*x) && jvp.is_active(*e)).collect();
    // What a sum so far is may matter to another output only.
    let active_out: Vec<_> = results
        .iter()
        .zip(outs)
        .map(|(&result, &out)| jvp.is_active(result) || jvp.is_active(out))
        .collect();
    let inputs = jvp.bundle(&s.inputs, &pick(&active_in, &s.inputs));
    let (payloads, kept) = (payloads(s), kept_unread(s));
    let mut starts = jvp.primal_list(&s.inits);
    for (j, &init) in s.inits.iter().enumerate().filter(|(j, _)| active_out[*j]) {
        let is_read = !outs[j].users().is_empty() || kept.contains(&j);
        let unread = payloads[j] == Payload::Writes && !is_read;
        starts.push(if unread {
            jvp.b.empty(init.r#type(), &jvp.b.dynamic_dims(jvp.primal(init)))
        } else {
            jvp.tangent_or_zero(init)
        });
    }
    let both = |active: &[bool], maps: &[Attribute<'c>]| -> Vec<Attribute<'c>> {
        let tangents = maps.iter().zip(active).filter(|(_, active)| **active).map(|(map, _)| map);
        maps.iter().chain(tangents).copied().collect()
    };
    let (in_maps, out_maps) = s.map_attributes.split_at(s.inputs.len());
    let maps = [both(&active_in, in_maps), both(&active_out, out_maps)].concat();
    let kept: Vec<_> = s.output_maps().iter().map(|map| Structured::plain_loops(map)).collect();
    let parallel: Vec<_> =
        (0..s.loops).map(|l| kept.iter().all(|loops| loops.contains(&l))).collect();
    let b = jvp.b;
    let new = b.generic(&maps, &parallel, &inputs, &starts, |inner, elements| {
        let (elements, sums) = elements.split_at(inputs.len());
        jvp.unbundle(ins, &pick(&active_in, ins), elements);
        jvp.unbundle(outs, &pick(&active_out, outs), sums);
        jvp.block(inner, s.body, |jvp| Ok(jvp.bundle(&yielded, &pick(&active_out, &yielded))))
    })?;
    jvp.unbundle(&results, &pick(&active_out, &results), &new.result_list());
    Ok(())
}
