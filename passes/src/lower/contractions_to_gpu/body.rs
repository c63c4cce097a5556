//! What the body of a contraction adds, taken apart by the loops that its parts depend on.
//!
//! ```text
//! c[k, r, n] += a[k, r, s] * (x[n, s] - y[k, s])     if s <= r
//!               --row side    --------column side    -------- border
//! ```
//! A part that lacks an index of the result is used for all of that index. The largest such parts are two: one for the
//! rows and one for the columns of tiles, which are computed when they are copied to shared memory. What depends on no
//! index of the sum is the same for all of it, and is in registers. What is left of the body runs for each summand.

use std::collections::{BTreeSet, HashMap, HashSet};

use ad_dialect::{
    ir::{Blk, BlkExt, Op, OpExt, OpKey, TyExt, Val, ValExt, ValueKey, int_of},
    linalg::Structured,
};
use melior::ir::{ValueLike, operation::OperationLike};

use crate::support::{
    builder::{Builder, CMP_SLE, CMP_SLT, CMP_ULE, CMP_ULT, same_value},
    combinator::constant_index,
    region::{ValueMap, clone_op, free_values, renamed},
    structured::{Index, loops_of},
    zero::is_zero,
};

/// Loops, by their numbers.
pub type Loops = BTreeSet<usize>;

/// A condition between two loops: what is added counts where `inner < bound + offset`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Border {
    pub inner: usize,
    pub bound: usize,
    pub offset: i64,
}

/// A body that adds something to its last argument.
#[derive(Clone)]
pub struct Body<'c> {
    arguments: Vec<Val<'c>>,
    /// What is added where the condition holds.
    pub term: Val<'c>,
    /// What is added to.
    sum: Val<'c>,
    /// The addition.
    end: Op<'c>,
    /// What is added counts if all of these hold.
    pub borders: Vec<Border>,
    /// The two values that are used for all of an index of the result, and the loops that they depend on.
    pub sides: [(Val<'c>, Loops); 2],
    /// What depends on no loop of the sum.
    pub fixed: Vec<Val<'c>>,
}

/// What is known while a body is taken apart.
struct Parts<'a, 'c> {
    loops: HashMap<ValueKey, Loops>,
    result: &'a Loops,
    sides: Vec<(Val<'c>, Loops)>,
    fixed: Vec<Val<'c>>,
}

impl<'c> Body<'c> {
    /// Takes the body of an operation with one result apart, if it adds something that has two sides.
    pub fn of(s: &Structured<'c>) -> Option<Self> {
        let arguments = s.body.arg_list();
        let (&sum, inputs) = arguments.split_last()?;
        let end = s.body.ends().first()?.defining_op()?;
        let is_sum = matches!(end.op_name(), "arith.addf" | "arith.addi" | "complex.add");
        if !is_sum || !is_plain(s.body, sum, end) {
            return None;
        }
        let added = end.operand_list().into_iter().find(|value| !same_value(*value, sum))?;
        let (term, borders) = masked(added).unwrap_or((added, vec![]));
        let (result_map, input_maps) = s.maps.split_last()?;
        let result: Loops = Structured::plain_loops(result_map).into_iter().collect();
        let of_input = |map: &Vec<_>| {
            let indices: Vec<_> = map.iter().filter_map(Index::of).collect();
            loops_of(&indices).into_iter().collect()
        };
        let mut loops: HashMap<ValueKey, Loops> =
            inputs.iter().map(ValExt::key).zip(input_maps.iter().map(of_input)).collect();
        for op in s.body.body_ops() {
            let operands = op.operand_list();
            let own = operands.iter().filter_map(|value| loops.get(&value.key())).flatten();
            let own: Loops = own.copied().collect();
            loops.extend(op.result_list().iter().map(|value| (value.key(), own.clone())));
        }
        let mut parts = Parts { loops, result: &result, sides: vec![], fixed: vec![] };
        parts.visit(term)?;
        let fixed = parts.fixed;
        let sides: [_; 2] = parts.sides.try_into().ok()?;
        let made = Self { arguments, term, sum, end, borders, sides, fixed };
        // What asks for numbers of loops otherwise cannot run elsewhere.
        let (needed, _) = made.needed(&[term], &[]);
        let asks = |op: &Op<'c>| op.op_name() == "linalg.index" && needed.contains(&op.key());
        (!s.body.body_ops().iter().any(asks)).then_some(made)
    }

    /// The numbers of the inputs that a value is made of.
    pub fn inputs_of(&self, value: Val<'c>) -> Vec<usize> {
        let needed = self.needed(&[value], &[]).1;
        (0..self.arguments.len()).filter(|&i| needed.contains(&self.arguments[i].key())).collect()
    }

    /// Whether a value is an element of an input.
    pub fn is_input(&self, value: Val<'c>) -> bool {
        self.arguments.iter().any(|&argument| same_value(argument, value))
    }

    /// A value, made of elements of inputs.
    pub fn make(
        &self,
        b: &Builder<'c>,
        value: Val<'c>,
        elements: impl IntoIterator<Item = (usize, Val<'c>)>,
    ) -> Val<'c> {
        let elements = elements.into_iter();
        let names = elements.map(|(i, element)| (self.arguments[i].key(), element)).collect();
        self.copy(b, value, &[], names)
    }

    /// What is added, made of the two sides and of what is fixed.
    pub fn make_term(&self, b: &Builder<'c>, sides: [Val<'c>; 2], fixed: &[Val<'c>]) -> Val<'c> {
        let known: Vec<_> = self.sides.iter().map(|(value, _)| *value).collect();
        let known = [known, self.fixed.clone()].concat();
        let new = sides.iter().chain(fixed).copied();
        let names = known.iter().map(ValExt::key).zip(new).collect();
        self.copy(b, self.term, &known, names)
    }

    /// The sum of a sum so far and what is added.
    pub fn add(&self, b: &Builder<'c>, sum: Val<'c>, term: Val<'c>) -> Val<'c> {
        let is_first = self.end.opnd(0).is_some_and(|first| same_value(first, self.sum));
        let b = b.with_fastmath_of(self.end);
        if is_first { b.add(sum, term) } else { b.add(term, sum) }
    }

    /// Copies the operations that make a value of others that have new names.
    fn copy(
        &self,
        b: &Builder<'c>,
        value: Val<'c>,
        known: &[Val<'c>],
        mut names: ValueMap<'c>,
    ) -> Val<'c> {
        let (ops, _) = self.needed(&[value], known);
        for op in self.end.block().map(|block| block.body_ops()).unwrap_or_default() {
            if ops.contains(&op.key()) {
                clone_op(b, op, &mut names);
            }
        }
        renamed(&names, value)
    }

    /// The operations, and the arguments, that values are made of, where others are known.
    fn needed(&self, values: &[Val<'c>], known: &[Val<'c>]) -> (HashSet<OpKey>, HashSet<ValueKey>) {
        let (mut ops, mut arguments, mut open) = (HashSet::new(), HashSet::new(), values.to_vec());
        while let Some(value) = open.pop() {
            if known.iter().any(|known| same_value(*known, value)) {
                continue;
            }
            match value.defining_op().filter(|op| op.block() == self.end.block()) {
                Some(op) if ops.insert(op.key()) => open.extend(op.operand_list()),
                Some(_) => {}
                None => {
                    arguments.insert(value.key());
                }
            }
        }
        (ops, arguments)
    }
}

impl<'c> Parts<'_, 'c> {
    /// Looks for the largest parts that lack a loop of the result, or all loops of the sum.
    fn visit(&mut self, value: Val<'c>) -> Option<()> {
        // Numbers are made wider where they are used.
        let value = match value.defining_op() {
            Some(op) if op.op_name().starts_with("arith.ext") => op.opnd(0)?,
            _ => value,
        };
        let loops = self.loops.get(&value.key()).cloned().unwrap_or_default();
        let is_known = |known: &Val<'c>| same_value(*known, value);
        if loops.is_empty() || self.fixed.iter().any(is_known) {
            return Some(());
        }
        if loops.is_subset(self.result) {
            self.fixed.push(value);
        } else if !self.result.is_subset(&loops) {
            if !self.sides.iter().any(|(known, _)| is_known(known)) {
                self.sides.push((value, loops));
            }
        } else {
            // An element of which there is one for each summand is used once.
            let op = value.defining_op()?;
            op.operand_list().into_iter().try_for_each(|value| self.visit(value))?;
        }
        Some(())
    }
}

/// What is added under conditions between loops, and the conditions.
fn masked(added: Val<'_>) -> Option<(Val<'_>, Vec<Border>)> {
    let select = added.defining_op().filter(|op| op.op_name() == "arith.select")?;
    let [condition, term, other] = select.operand_list()[..] else { return None };
    let borders = conditions(condition)?;
    is_zero(other).then_some((term, borders))
}

/// A condition between loops, or several that have to hold.
fn conditions(condition: Val<'_>) -> Option<Vec<Border>> {
    let op = condition.defining_op()?;
    if op.op_name() == "arith.andi" {
        let both = op.operand_list().into_iter().map(conditions);
        return Some(both.collect::<Option<Vec<_>>>()?.concat());
    }
    border(op).map(|border| vec![border])
}

fn border(compare: Op<'_>) -> Option<Border> {
    if compare.op_name() != "arith.cmpi" {
        return None;
    }
    let predicate = compare.attr("predicate").and_then(int_of)?;
    let [(inner, before), (bound, after)] =
        [counted(compare.opnd(0)?)?, counted(compare.opnd(1)?)?];
    let at_end = match predicate {
        CMP_SLT | CMP_ULT => 0,
        CMP_SLE | CMP_ULE => 1,
        _ => return None,
    };
    let border = Border { inner, bound, offset: after - before + at_end };
    (inner != bound).then_some(border)
}

/// A loop whose number a value is, and what is added to it.
fn counted(value: Val<'_>) -> Option<(usize, i64)> {
    let op = value.defining_op()?;
    match op.op_name() {
        "linalg.index" => Some((op.attr("dim").and_then(int_of)? as usize, 0)),
        "arith.addi" => {
            let (number, more) = counted(op.opnd(0)?)?;
            Some((number, more + constant_index(op.opnd(1)?)?))
        }
        _ => None,
    }
}

/// Whether a body adds something to its last argument that has no effects and cannot trap: where an array has no element,
/// it is given zero.
fn is_plain<'c>(body: Blk<'c>, sum: Val<'c>, end: Op<'c>) -> bool {
    let reads_sum = |op: &Op<'_>| op.operand_list().iter().filter(|x| same_value(**x, sum)).count();
    end.res(0).is_some_and(|all| all.r#type() == sum.r#type())
        && reads_sum(&end) == 1
        && (body.body_ops().iter())
            .all(|op| computes(op) && (op.key() == end.key() || reads_sum(op) == 0))
        && free_values(&[body]).iter().all(|value| value.r#type().shape().is_empty())
}

/// Whether an operation of a body does nothing but compute a scalar, and cannot trap.
pub fn computes(op: &Op<'_>) -> bool {
    let name = op.op_name();
    let is_of = |dialect: &str| name.split('.').next() == Some(dialect);
    let divides = ["div", "rem"].iter().any(|part| name.contains(part)) && !name.ends_with('f');
    let is_known = ["arith", "complex", "math"].into_iter().any(is_of) || name == "linalg.index";
    is_known && !(divides && is_of("arith")) && op.blocks().is_empty()
}
