//! Sums of products of a linear function and what it reads.
//!
//! ```text
//! map (\i -> let v = f i
//!            in map (\r -> let y = sum (map (\l -> q r l * v[l]) ls)
//!                          in map (\j -> upd [r, j] (g i * y * v[j]) acc) ls))
//!   =>  let s[l, j] = sum (map (\i -> let v = f i in g i * v[l] * v[j]))   for j <= l, and mirrored
//!       in map (\r -> map (\j -> upd [r, j] (sum (map (\l -> q r l * s[j, l]) ls)) acc) ls)
//! ```
//! Reverse mode makes such sums of `|Q v|^2` for many v: the cotangent of Q is the sum of `(Q v) v^T`.
//! That is Q times the sum of `v v^T`, the Gram matrix of the v: nothing is multiplied by Q in the
//! loop over i, and of a symmetric matrix one half is enough. It pays where the v are more than they are
//! long, and Q has as many rows: both may be known when the program runs only, which then chooses.
//!
//! Q is a triangle here. For a whole matrix both sums are products of matrices (`store`).

use std::collections::{HashMap, HashSet};

use ad_dialect::ir::{
    BlkExt, DYNAMIC, Op, OpExt, OpKey, TyExt, Val, ValExt, ValueKey, tensor_type,
};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use super::{
    analysis::Level,
    factor::{hoist_sizes, made_of, varying},
};
use crate::{
    contract::Sum,
    support::{
        builder::{Builder, CMP_SGE, CMP_SGT, same_value},
        combinator::{array_result_count, constant_index, input_count, is_iota},
        diag::{Result, internal_error},
        extent::{Extent, extent_of},
        region::{ValueMap, clone_op, is_outside, renamed, renamed_ends},
        zero::is_zero,
    },
};

/// Computes what the updates in a map add by way of a Gram matrix; says whether they are of that kind.
pub fn use_gram_matrix<'c>(context: &'c Context, map: Op<'c>) -> Result<bool> {
    if Updates::of(map).is_none() {
        return Ok(false);
    }
    hoist_sizes(context, map);
    let Some((sizes, updates)) = Updates::of(map).and_then(|all| Some((all.sizes()?, all))) else {
        return Ok(false);
    };
    sizes.build(context, &updates)?;
    Ok(true)
}

/// What tells whether a Gram matrix is worth it.
struct Sizes<'c> {
    /// How many vectors there are.
    count: Extent<'c>,
    /// How long they are.
    length: Extent<'c>,
    /// How many rows the linear function has.
    rows: Extent<'c>,
}

/// The updates in a map that all are by products of a vector and a linear function of it.
struct Updates<'c> {
    /// The map over the vectors, and the one over the rows of the function in it.
    top: Level<'c>,
    rows: Level<'c>,
    /// What changes from one vector to the next.
    varying: HashSet<ValueKey>,
    function: Function<'c>,
    /// What else is multiplied by for each vector.
    scale: Vec<Val<'c>>,
    /// What else each update multiplies by.
    factors: HashMap<OpKey, Factors<'c>>,
}

/// A row of a linear function: the sum of the products of coefficients and the elements of a vector.
#[derive(Clone, Copy)]
struct Function<'c> {
    /// The sum.
    sum: Op<'c>,
    /// The map that makes the products.
    products: Level<'c>,
    /// The vector, and where its element is read.
    vector: Val<'c>,
    element: Op<'c>,
}

/// The factors of an update besides the linear function.
struct Factors<'c> {
    /// An element of the vector.
    element: Option<Op<'c>>,
    /// The map around the update in which the element changes.
    columns: Option<Level<'c>>,
    /// What changes for each vector alone, and what for none.
    scale: Vec<Val<'c>>,
    fixed: Vec<Val<'c>>,
    /// Whether the product is negated, and how often it is doubled.
    is_negative: bool,
    doublings: usize,
}

impl<'c> Updates<'c> {
    fn of(map: Op<'c>) -> Option<Self> {
        let top = accumulating(map)?;
        let mut inner = top.body.body_ops().into_iter().filter(|op| has_accs(*op));
        let rows = accumulating(inner.next()?).filter(|_| inner.next().is_none())?;
        let mut varying = varying(&[top, rows]);
        let is_fixed = |varying: &HashSet<ValueKey>, level: &Level<'c>| {
            inputs(level.map).iter().all(|input| !varying.contains(&input.key()))
        };
        let mut updates = vec![];
        for op in rows.body.body_ops().into_iter().filter(|op| has_accs(*op)) {
            if op.op_name() == "soac.update_acc" {
                updates.push((op, None));
                continue;
            }
            let columns = accumulating(op)?;
            varying.extend(self::varying(&[top, rows, columns]));
            for op in columns.body.body_ops().into_iter().filter(|op| has_accs(*op)) {
                updates.push((op, Some(columns)));
            }
            if !is_fixed(&varying, &columns) {
                return None;
            }
        }
        let sums = rows.body.body_ops().into_iter();
        let function = sums.filter_map(|op| Function::of(top, rows, op)).next()?;
        let is_update = |(op, _): &(Op<'c>, _)| op.op_name() == "soac.update_acc";
        if !is_fixed(&varying, &rows) || updates.is_empty() || !updates.iter().all(is_update) {
            return None;
        }
        let mut updates =
            Self { top, rows, varying, function, scale: vec![], factors: HashMap::new() }
                .with_factors(&updates)?;
        let keys = |scale: &[Val<'c>]| scale.iter().map(ValExt::key).collect::<Vec<_>>();
        let mut scales = updates.factors.values().map(|factors| factors.scale.clone());
        let scale = scales.next()?;
        if scales.any(|other| keys(&other) != keys(&scale)) {
            return None;
        }
        updates.scale = scale;
        Some(updates)
    }

    fn with_factors(mut self, updates: &[(Op<'c>, Option<Level<'c>>)]) -> Option<Self> {
        for &(update, columns) in updates {
            self.factors.insert(update.key(), self.factors_of(update, columns)?);
        }
        // Otherwise products are made that are not symmetric.
        self.factors.values().any(|factors| factors.element.is_some()).then_some(self)
    }

    fn varies(&self, value: Val<'c>) -> bool {
        self.varying.contains(&value.key())
    }

    fn factors_of(&self, update: Op<'c>, columns: Option<Level<'c>>) -> Option<Factors<'c>> {
        let operands = update.operand_list();
        let (&value, indices) = operands.get(1..)?.split_last()?;
        if indices.iter().any(|index| self.varies(*index)) {
            return None;
        }
        let (scale, fixed) = (vec![], vec![]);
        let mut all =
            Factors { element: None, columns, scale, fixed, is_negative: false, doublings: 0 };
        let (mut sums, mut open) = (0, vec![value]);
        while let Some(factor) = open.pop() {
            if self.function.sum.res(0).is_some_and(|sum| same_value(sum, factor)) {
                sums += 1;
            } else if !self.varies(factor) {
                all.fixed.push(factor);
            } else if is_outside(self.rows.map, factor) {
                all.scale.push(factor);
            } else {
                let op = factor.defining_op()?;
                let operands = op.operand_list();
                match op.op_name() {
                    "arith.mulf" => open.extend(operands.into_iter().rev()),
                    "arith.negf" => {
                        all.is_negative = !all.is_negative;
                        open.extend(operands);
                    }
                    "arith.addf" if same_value(operands[0], operands[1]) => {
                        all.doublings += 1;
                        open.push(operands[0]);
                    }
                    "tensor.extract" if all.element.is_none() && self.is_element(op) => {
                        all.element = Some(op);
                    }
                    _ => return None,
                }
            }
        }
        (sums == 1).then_some(all)
    }

    fn is_element(&self, op: Op<'c>) -> bool {
        let operands = op.operand_list();
        same_value(operands[0], self.function.vector) && !self.varies(operands[1])
    }

    /// The sizes, if the function is a triangle.
    fn sizes(&self) -> Option<Sizes<'c>> {
        let length = extent_of(self.function.vector, 0);
        let rows = widths(self.rows.map).find(|rows| rows.is_outside(self.top.map))?;
        let is_row = |level: &Level<'c>| {
            inputs(level.map).into_iter().any(|input| self.is_row_of_triangle(input))
        };
        let mut columns = self.factors.values().filter_map(|factors| factors.columns.as_ref());
        let is_triangle = is_row(&self.function.products) && columns.all(is_row);
        let count = extent_of(self.top.map.opnd(0)?, 0);
        (is_triangle && length.is_outside(self.top.map)).then_some(Sizes { count, length, rows })
    }

    /// Whether an array has as many elements as the row of a triangle that a row of the function is.
    fn is_row_of_triangle(&self, array: Val<'c>) -> bool {
        let is_row = |value: Val<'c>| {
            let arguments = self.rows.body.arg_list();
            let inputs = inputs(self.rows.map);
            let mut rows = arguments.into_iter().zip(inputs).filter(|(_, input)| is_iota(*input));
            rows.any(|(row, _)| same_value(row, value))
        };
        let Extent::Value(width) = extent_of(array, 0) else { return false };
        let sum = width.defining_op().filter(|op| op.op_name() == "arith.addi");
        let terms = sum.map_or(vec![width], |sum| sum.operand_list());
        terms.iter().all(|&term| is_row(term) || constant_index(term).is_some_and(|n| n >= 0))
            && terms.iter().any(|&term| is_row(term))
    }
}

impl<'c> Function<'c> {
    /// The row of a linear function that an operation in the body of a map over its rows computes.
    fn of(top: Level<'c>, rows: Level<'c>, sum: Op<'c>) -> Option<Self> {
        let is_whole = sum.result_count() == 1 && Sum::all(sum).len() == 1;
        let (made, start) = (sum.opnd(0)?, sum.opnd(1)?);
        if !is_whole || !is_zero(start) || made.users().len() != 1 {
            return None;
        }
        let map = made.defining_op().filter(|op| op.op_name() == "soac.map")?;
        let products = Level { map, body: map.body(0)? };
        let is_in_row = map.block() == Some(rows.body) && map.result_count() == 1;
        let varying = varying(&[top, rows, products]);
        let varies = |value: &Val<'c>| varying.contains(&value.key());
        if !is_in_row || inputs(map).iter().any(varies) {
            return None;
        }
        let (mut open, mut elements) = (products.body.term()?.operand_list(), vec![]);
        while let Some(factor) = open.pop().filter(|_| elements.len() < 2) {
            if !varies(&factor) {
                continue;
            }
            let op = factor.defining_op().filter(|op| op.block() == Some(products.body))?;
            match op.op_name() {
                "arith.mulf" => open.extend(op.operand_list()),
                "tensor.extract" => elements.push(op),
                _ => return None,
            }
        }
        let [element] = elements[..] else { return None };
        let [vector, index] = element.operand_list()[..] else { return None };
        let is_fit = is_outside(rows.map, vector) && varies(&vector) && !varies(&index);
        is_fit.then_some(Self { sum, products, vector, element })
    }
}

impl<'c> Sizes<'c> {
    /// Replaces the updates where the sizes turn out to be worth it.
    fn build(&self, context: &'c Context, updates: &Updates<'c>) -> Result<()> {
        let top = updates.top.map;
        let block = top.block().ok_or_else(|| internal_error(top, "it is in no block"))?;
        let b = Builder::before(context, top, block).deriving(top);
        let length = self.length.value(&b);
        let is_long = b.compare(CMP_SGE, self.rows.value(&b), length);
        // Behind the sum the matrix is multiplied by the function, a third of the work of one row each.
        let twice = b.same("arith.muli", &[length, b.index(2)]);
        let are_many = b.compare(CMP_SGT, self.count.value(&b), twice);
        let pays = b.same("arith.andi", &[is_long, are_many]);
        let results = top.result_list();
        let types: Vec<_> = results.iter().map(|result| result.r#type()).collect();
        let branch = b.if_else(pays, &types, |b, pays| match pays {
            true => self.by_gram_matrix(b, updates),
            false => Ok(vec![]),
        })?;
        for (old, new) in results.iter().zip(branch.result_list()) {
            old.replace_all_uses(new);
        }
        let end = branch.body(1).and_then(|body| body.term());
        let end = end.ok_or_else(|| internal_error(top, "a branch has no end"))?;
        end.set_operands(&results);
        top.detach();
        if let Some(other) = branch.body(1) {
            BlkExt::insert_before(&other, end, top);
        }
        Ok(())
    }

    fn static_length(&self) -> i64 {
        match self.length {
            Extent::Known(length) => length,
            _ => DYNAMIC,
        }
    }

    /// The updates by way of a Gram matrix; returns what the map returned.
    fn by_gram_matrix(&self, b: Builder<'c>, updates: &Updates<'c>) -> Result<Vec<Val<'c>>> {
        let length = self.length.value(&b);
        let numbers = b.iota(length, self.static_length());
        let sums = self.sums(&b, updates, numbers)?;
        let row = tensor_type(&[self.static_length()], sums[1].r#type().scalar());
        let mirrored = b.map(&[numbers], &[], &[sums[1].r#type()], |b, l| {
            b.map(&[numbers], &[], &[row], |b, j| {
                let [low, high] =
                    ["arith.minui", "arith.maxui"].map(|op| b.same(op, &[l[0], j[0]]));
                Ok(vec![b.extract(sums[1], &[high, low])])
            })
        })?;
        let Level { map, body } = updates.top;
        let accs = map.operand_list().split_off(input_count(map));
        let arguments = body.arg_list().split_off(input_count(map));
        let mut names: ValueMap<'c> = arguments.iter().map(ValExt::key).zip(accs).collect();
        for op in body.body_ops() {
            if !op.result_list().iter().any(|&value| updates.varies(value)) {
                clone_op(&b, op, &mut names);
            }
        }
        let sums = Sums { updates, of_elements: sums[0], of_products: mirrored[0] };
        sums.copy(b, updates.rows, &mut names)?;
        Ok(renamed_ends(body, &names))
    }

    /// The sums over the vectors of their elements, and of half of the products of two elements each.
    fn sums(
        &self,
        b: &Builder<'c>,
        updates: &Updates<'c>,
        numbers: Val<'c>,
    ) -> Result<Vec<Val<'c>>> {
        let Level { map, body } = updates.top;
        let vector = updates.function.vector;
        let element = vector.r#type().scalar();
        let size = self.static_length();
        let zeros = [1, 2].map(|rank| {
            let dynamic = if size == DYNAMIC { vec![self.length.value(b); rank] } else { vec![] };
            b.zeros(tensor_type(&vec![size; rank], element), &dynamic)
        });
        let needed = made_of(&[updates.top], [&[vector], &updates.scale[..]].concat());
        let inputs = inputs(map);
        b.with_acc(&zeros, &[], |b, accs| {
            let types = [accs[0].r#type(), accs[1].r#type()];
            b.map(&inputs, accs, &types, |b, rows| {
                let (rows, accs) = rows.split_at(inputs.len());
                let arguments = body.arg_list();
                let mut names: ValueMap<'c> =
                    arguments.iter().map(ValExt::key).zip(rows.iter().copied()).collect();
                for op in body.body_ops() {
                    if op.result_list().iter().any(|result| needed.contains(&result.key())) {
                        clone_op(&b, op, &mut names);
                    }
                }
                let scale = updates.scale.iter().map(|&factor| renamed(&names, factor));
                let scale = scale.reduce(|x, y| b.mul(x, y));
                let vector = renamed(&names, vector);
                b.map(&[numbers], accs, &types, |b, row| {
                    let own = b.extract(vector, &[row[0]]);
                    let own = scale.map_or(own, |scale| b.mul(scale, own));
                    let sum = b.update_acc(row[1], &[row[0]], own);
                    let columns = b.iota(b.add(row[0], b.index(1)), DYNAMIC);
                    let products = b.map(&[columns], &[row[2]], &types[1..], |b, column| {
                        let product = b.mul(own, b.extract(vector, &[column[0]]));
                        Ok(vec![b.update_acc(column[1], &[row[0], column[0]], product)])
                    })?;
                    Ok([vec![sum], products].concat())
                })
            })
        })
    }
}

/// The sums that stand for the vectors, and the updates that read them.
struct Sums<'a, 'c> {
    updates: &'a Updates<'c>,
    of_elements: Val<'c>,
    of_products: Val<'c>,
}

impl<'c> Sums<'_, 'c> {
    /// Copies a map around updates.
    fn copy(&self, b: Builder<'c>, level: Level<'c>, names: &mut ValueMap<'c>) -> Result<()> {
        let Level { map, body } = level;
        let operands = map.operand_list();
        let operands: Vec<_> = operands.into_iter().map(|value| renamed(names, value)).collect();
        let (inputs, accs) = operands.split_at(input_count(map));
        let types: Vec<_> = accs.iter().map(|acc| acc.r#type()).collect();
        let made = b.deriving(map).map(inputs, accs, &types, |b, arguments| {
            let own = body.arg_list();
            names.extend(own.iter().map(ValExt::key).zip(arguments.iter().copied()));
            for op in body.body_ops() {
                match op.op_name() {
                    "soac.update_acc" => self.update(&b, op, names)?,
                    _ if has_accs(op) => {
                        let body =
                            op.body(0).ok_or_else(|| internal_error(op, "it has no body"))?;
                        self.copy(b, Level { map: op, body }, names)?;
                    }
                    _ if op.result_list().iter().any(|&value| self.updates.varies(value)) => {}
                    _ => {
                        clone_op(&b, op, names);
                    }
                }
            }
            Ok(renamed_ends(body, names))
        })?;
        names.extend(map.result_list().iter().map(ValExt::key).zip(made));
        Ok(())
    }

    /// An update by the sum over all vectors.
    fn update(&self, b: &Builder<'c>, update: Op<'c>, names: &mut ValueMap<'c>) -> Result<()> {
        let malformed = || internal_error(update, "an update has no factors");
        let factors = self.updates.factors.get(&update.key()).ok_or_else(malformed)?;
        let total = self.row(b, factors.element, names)?;
        let fixed = factors.fixed.iter().map(|&factor| renamed(names, factor));
        let mut value = fixed.fold(total, |x, y| b.mul(x, y));
        value = (0..factors.doublings).fold(value, |value, _| b.add(value, value));
        if factors.is_negative {
            value = b.neg(value);
        }
        let mut operands = update.operand_list();
        operands.iter_mut().for_each(|operand| *operand = renamed(names, *operand));
        let indices = &operands[1..operands.len() - 1];
        let updated = b.update_acc(operands[0], indices, value);
        names.extend(update.res(0).map(|result| (result.key(), updated)));
        Ok(())
    }

    /// The row of the linear function of the sums of the vectors, or of these times one of their elements.
    fn row(&self, b: &Builder<'c>, times: Option<Op<'c>>, names: &ValueMap<'c>) -> Result<Val<'c>> {
        let Function { sum, products: Level { map, body }, element, .. } = self.updates.function;
        let inputs: Vec<_> = inputs(map).into_iter().map(|input| renamed(names, input)).collect();
        let types: Vec<_> = map.result_list().iter().map(|made| made.r#type()).collect();
        let made = b.map(&inputs, &[], &types, |b, arguments| {
            let mut own = names.clone();
            own.extend(body.arg_list().iter().map(ValExt::key).zip(arguments.iter().copied()));
            for op in body.body_ops() {
                if op.key() != element.key() {
                    clone_op(&b, op, &mut own);
                    continue;
                }
                let at = op.opnd(1).map(|index| renamed(&own, index));
                let at = at.ok_or_else(|| internal_error(op, "it has no index"))?;
                let other = times.and_then(|times| times.opnd(1));
                let value = match other {
                    Some(other) => b.extract(self.of_products, &[renamed(&own, other), at]),
                    None => b.extract(self.of_elements, &[at]),
                };
                own.extend(op.res(0).map(|result| (result.key(), value)));
            }
            Ok(renamed_ends(body, &own))
        })?;
        let mut names = names.clone();
        names.extend(map.result_list().iter().map(ValExt::key).zip(made));
        let total = clone_op(b, sum, &mut names);
        total.res(0).ok_or_else(|| internal_error(sum, "a sum has no result"))
    }
}

/// A map that only updates accumulators.
fn accumulating(map: Op<'_>) -> Option<Level<'_>> {
    let is_it = map.op_name() == "soac.map" && has_accs(map) && array_result_count(map) == 0;
    is_it.then_some(Level { map, body: map.body(0)? })
}

fn has_accs(op: Op<'_>) -> bool {
    op.result_list().iter().any(|result| result.r#type().is_acc())
}

fn inputs(map: Op<'_>) -> Vec<Val<'_>> {
    map.operand_list().into_iter().take(input_count(map)).collect()
}

/// The sizes that are all the number of iterations of a map.
fn widths<'c>(map: Op<'c>) -> impl Iterator<Item = Extent<'c>> {
    inputs(map).into_iter().map(|input| extent_of(input, 0))
}
