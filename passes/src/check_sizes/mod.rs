//! `ad-check-sizes`: sizes that a program takes to be equal are compared when it runs.
//!
//! ```text
//! func.func @f(%x: tensor<?xf64>, %y: tensor<?xf64>) {
//!                                                        %c = arith.cmpi eq, (tensor.dim %x, 0), (tensor.dim %y, 0)
//!                                                   =>   cf.assert %c, "sizes do not match: ..."
//!   soac.map ins(%x, %y : ..)                              soac.map ins(%x, %y : ..)
//! ```
//!
//! Types say nothing of sizes that are known when the program runs, and where arrays have too few elements, others' are
//! read. What is compared are the sizes of the arguments, and others that are known in front of loops and combinators: what
//! is made of arrays has their sizes. Seeds of derivatives are compared to what they are seeds of as requests have noted it
//! (`note`).
//!
//! Arrays that are read at the number of an iteration, as raised operations do, have to have an element for each of them.
//!
//! Where a loop or a combinator around an operation has nothing to do, or a branch around it is not taken, its sizes need not
//! be equal. What is in functions that others call is left as it is.

pub mod note;

use std::collections::HashSet;

use ad_dialect::{
    ir::{BlkExt, Op, OpExt, TyExt, Val, ValExt, ValueKey, int_of, is_public},
    linalg::{Expr, Structured},
};
use melior::{
    Context,
    ir::{BlockLike, TypeLike, ValueLike, attribute::StringAttribute, operation::OperationLike},
};

use crate::support::{
    accumulator,
    builder::{Builder, CMP_EQ, CMP_SGE, CMP_SLT},
    combinator::{constant_index, input_count, inputs_and_rest},
    extent::{Extent, Extents},
    region::is_outside,
    reshape,
    structured::index_at,
    symbol::name_of,
    update::Update,
};

/// Runs the pass; returns how many sizes are compared.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> u64 {
    let mut count = 0;
    let top = module.body(0).map(|top| top.ops()).unwrap_or_default();
    for function in top.into_iter().filter(|&op| op.op_name() == "func.func" && is_public(op)) {
        let Some(entry) = function.body(0) else { continue };
        let mut search = Search::default();
        let ops = entry.ops();
        for (sizes, guards) in note::take(context, function) {
            let guards: Vec<_> = guards.into_iter().map(Guard::Less).collect();
            search.equal(ops[0], function, sizes, &guards);
        }
        for root in ops {
            search.visit(root, root, &[]);
        }
        for check in &search.checks {
            check.emit(context, function);
        }
        count += search.checks.len() as u64;
    }
    count
}

/// Where something happens at all.
#[derive(Clone, Copy)]
enum Guard<'c> {
    /// Where the first size is less than the second one.
    Less([Extent<'c>; 2]),
    /// Where a condition holds, or where it does not.
    Where(Val<'c>, bool),
}

impl<'c> Guard<'c> {
    fn is_outside(&self, root: Op<'c>) -> bool {
        match self {
            Guard::Less(sizes) => sizes.iter().all(|size| size.is_outside(root)),
            Guard::Where(condition, _) => is_outside(root, *condition),
        }
    }

    fn keys(self) -> [Key; 2] {
        match self {
            Guard::Less(sizes) => sizes.map(key),
            Guard::Where(condition, holds) => {
                [(Some(condition.key()), -1), (None, -2 - i64::from(holds))]
            }
        }
    }

    /// Whether it does not happen.
    fn is_idle(self, b: &Builder<'c>) -> Val<'c> {
        match self {
            Guard::Less([lower, upper]) => b.compare(CMP_SGE, lower.value(b), upper.value(b)),
            Guard::Where(condition, false) => condition,
            Guard::Where(condition, true) => b.not(condition),
        }
    }
}

/// What is taken for granted of sizes.
enum Need<'c> {
    /// That they are equal.
    Equal([Extent<'c>; 2]),
    /// That the sizes of one side make as many elements as those of the other.
    AsMany([Vec<Extent<'c>>; 2]),
    /// That an index, which grows with those of loops of some sizes, is less than a size.
    Inside(Expr, Vec<Option<Extent<'c>>>, Extent<'c>),
}

/// What has to hold where a program runs.
struct Check<'c> {
    /// The operation in front of which the sizes are known.
    root: Op<'c>,
    /// The operation that takes it for granted.
    op: Op<'c>,
    need: Need<'c>,
    guards: Vec<Guard<'c>>,
}

#[derive(Default)]
struct Search<'c> {
    extents: Extents<'c>,
    checks: Vec<Check<'c>>,
    seen: HashSet<Vec<Key>>,
}

/// What tells sizes apart.
type Key = (Option<ValueKey>, i64);

fn key(extent: Extent<'_>) -> Key {
    match extent {
        Extent::Known(number) => (None, number),
        Extent::Value(value) => (Some(value.key()), -1),
        Extent::Dim(array, d) => (Some(array.key()), d as i64),
    }
}

/// What has to hold for what is in a loop or a combinator to run.
fn guard_of<'c>(op: Op<'c>, extents: &mut Extents<'c>) -> Option<[Extent<'c>; 2]> {
    match op.op_name() {
        "soac.map" | "soac.reduce" | "soac.scan" | "soac.hist" => {
            op.opnd(0).map(|input| [Extent::Known(0), extents.of(input, 0)])
        }
        "scf.for" => op.opnd(0).zip(op.opnd(1)).and_then(|(lower, upper)| {
            let is_index = TypeLike::is_index(&lower.r#type());
            is_index.then(|| [lower, upper].map(|bound| extents.of_value(bound)))
        }),
        _ => None,
    }
}

impl<'c> Search<'c> {
    /// Finds what an operation, and those in it, take for granted.
    fn visit(&mut self, root: Op<'c>, op: Op<'c>, guards: &[Guard<'c>]) {
        let structured = Structured::of(op);
        let groups = match &structured {
            Some(s) => self.loops(s),
            None => self.equal_sizes(op),
        };
        self.equal_each(root, op, &groups, guards);
        self.rows(root, op, guards);
        if let Some(s) = &structured {
            self.inside(root, op, s, &groups, guards);
        }
        match op.op_name() {
            "tensor.extract" => self.read(root, op, guards),
            "tensor.reshape" | "tensor.expand_shape" => self.reshaped(root, op, guards),
            _ => {}
        }
        let own = match op.op_name() {
            "soac.with_acc" => vec![None],
            "scf.if" => match op.opnd(0) {
                Some(holds) => [true, false].map(|is| Some(Guard::Where(holds, is))).to_vec(),
                None => return,
            },
            _ => guard_of(op, &mut self.extents).map(Guard::Less).map(Some).into_iter().collect(),
        };
        for (block, guard) in op.blocks().into_iter().zip(own) {
            if guard.is_none_or(|guard| guard.is_outside(root)) {
                let guards: Vec<_> = guards.iter().copied().chain(guard).collect();
                block.ops().into_iter().for_each(|inner| self.visit(root, inner, &guards));
            }
        }
    }

    /// Rows are as large as what they are combined with, if there are any.
    fn rows(&mut self, root: Op<'c>, op: Op<'c>, guards: &[Guard<'c>]) {
        let Some(&array) = op.operand_list().first() else { return };
        let groups = self.equal_rows(op);
        if groups.is_empty() {
            return;
        }
        let guard = Guard::Less([Extent::Known(0), self.extents.of(array, 0)]);
        if guard.is_outside(root) {
            self.equal_each(root, op, &groups, &[guards, &[guard]].concat());
        }
    }

    fn equal_each(
        &mut self,
        root: Op<'c>,
        op: Op<'c>,
        groups: &[Vec<Extent<'c>>],
        guards: &[Guard<'c>],
    ) {
        for pair in groups.iter().flat_map(|group| group.windows(2)) {
            self.equal(root, op, [pair[0], pair[1]], guards);
        }
    }

    fn equal(&mut self, root: Op<'c>, op: Op<'c>, sizes: [Extent<'c>; 2], guards: &[Guard<'c>]) {
        if sizes[0] == sizes[1] || !is_open(root, &sizes) {
            return;
        }
        let mut keys = sizes.map(key).to_vec();
        keys.sort();
        if self.seen.contains(&keys) {
            return;
        }
        keys.extend(guards.iter().flat_map(|guard| guard.keys()));
        if self.seen.insert(keys) {
            let (need, guards) = (Need::Equal(sizes), guards.to_vec());
            self.checks.push(Check { root, op, need, guards });
        }
    }

    /// Windows are in the arrays that they are moved over.
    fn inside(
        &mut self,
        root: Op<'c>,
        op: Op<'c>,
        s: &Structured<'c>,
        loops: &[Vec<Extent<'c>>],
        guards: &[Guard<'c>],
    ) {
        let sizes: Vec<_> = loops.iter().map(|group| group.first().copied()).collect();
        for (array, d, index) in indexed(s) {
            let Some(own) = growing(index).filter(|_| !matches!(index, Expr::Loop(_))) else {
                continue;
            };
            let size = self.extents.of(array, d);
            let used = |l: usize| sizes[l].filter(|_| own.contains(&l));
            let used: Vec<_> = (0..s.loops).map(used).collect();
            let all: Vec<_> = used.iter().flatten().copied().chain([size]).collect();
            if !is_open(root, &all) {
                continue;
            }
            let loops = sizes.iter().flatten().filter(|size| size.is_outside(root));
            let runs = loops.map(|&width| Guard::Less([Extent::Known(0), width]));
            let guards = guards.iter().copied().chain(runs).collect();
            let need = Need::Inside(index.clone(), used, size);
            self.checks.push(Check { root, op, need, guards });
        }
    }

    /// What reads an array at the number of each iteration has iterations for no more than its elements.
    fn read(&mut self, root: Op<'c>, op: Op<'c>, guards: &[Guard<'c>]) {
        let operands = op.operand_list();
        let Some((&array, indices)) = operands.split_first() else { return };
        for (d, &index) in indices.iter().enumerate() {
            let Some(width) = self.iterations(index) else { continue };
            let size = self.extents.of(array, d);
            let mut keys = vec![key(width), key(size), (None, -1)];
            keys.extend(guards.iter().flat_map(|guard| guard.keys()));
            if width != size && is_open(root, &[width, size]) && self.seen.insert(keys) {
                let need = Need::Inside(Expr::Loop(0), vec![Some(width)], size);
                self.checks.push(Check { root, op, need, guards: guards.to_vec() });
            }
        }
    }

    /// An array has as many elements as the shape that it gets.
    fn reshaped(&mut self, root: Op<'c>, op: Op<'c>, guards: &[Guard<'c>]) {
        let groups = match op.op_name() {
            "tensor.reshape" => self.reshaped_to(op),
            _ => self.expanded(op),
        };
        for sides in groups.unwrap_or_default() {
            if is_open(root, &sides.concat()) {
                let need = Need::AsMany(sides);
                self.checks.push(Check { root, op, need, guards: guards.to_vec() });
            }
        }
    }

    fn reshaped_to(&mut self, op: Op<'c>) -> Option<Vec<[Vec<Extent<'c>>; 2]>> {
        let array = op.opnd(0)?;
        let shape =
            op.opnd(1)?.defining_op().filter(|op| op.op_name() == "tensor.from_elements")?;
        let sizes = shape.operand_list();
        if !sizes.iter().all(|size| TypeLike::is_index(&size.r#type())) {
            return None;
        }
        let own = (0..array.r#type().shape().len()).map(|d| self.extents.of(array, d)).collect();
        Some(vec![[own, sizes.into_iter().map(|size| self.extents.of_value(size)).collect()]])
    }

    fn expanded(&mut self, op: Op<'c>) -> Option<Vec<[Vec<Extent<'c>>; 2]>> {
        let array = op.opnd(0)?;
        let sizes = reshape::expanded(op)?.into_iter().map(|size| match size {
            Extent::Value(value) => self.extents.of_value(value),
            known => known,
        });
        let sizes: Vec<_> = sizes.collect();
        let groups = reshape::groups(op)?.into_iter().enumerate();
        let sides = groups.map(|(d, group)| {
            let parts = group.iter().filter_map(|&part| sizes.get(part).copied());
            [vec![self.extents.of(array, d)], parts.collect()]
        });
        Some(sides.collect())
    }

    /// How many numbers a value goes through in turn, from zero on, if it is the number of an iteration.
    fn iterations(&mut self, value: Val<'c>) -> Option<Extent<'c>> {
        let body = value.parent_block()?;
        let owner = body.parent_operation()?;
        let number = body.arg_list().iter().position(|own| own.key() == value.key())?;
        match owner.op_name() {
            "soac.map" => {
                let made = owner.opnd(number).filter(|_| number < input_count(owner))?;
                let iota = made.defining_op().filter(|made| made.op_name() == "soac.iota")?;
                Some(self.extents.of(iota.res(0)?, 0))
            }
            "scf.for" if number == 0 && constant_index(owner.opnd(2)?) == Some(1) => {
                Some(self.extents.of_value(owner.opnd(1)?))
            }
            _ => None,
        }
    }

    /// Groups of sizes that an operation takes for equal.
    fn equal_sizes(&mut self, op: Op<'c>) -> Vec<Vec<Extent<'c>>> {
        let inputs = || op.operand_list().into_iter().take(input_count(op)).collect();
        match op.op_name() {
            "soac.map" | "soac.reduce" | "soac.scan" => vec![self.lengths(inputs())],
            "soac.hist" | "soac.scatter" => {
                let update = Update::of(op);
                let depth = update.at.len();
                let read = self.lengths(update.read());
                let indexed = self.alike(update.dests).into_iter().take(depth);
                [read].into_iter().chain(indexed).collect()
            }
            "tensor.cast" => {
                let both: Vec<_> = op.operand_list().into_iter().chain(op.res(0)).collect();
                let are_ranked = both.iter().all(|array| array.r#type().as_tensor().is_some());
                if are_ranked { self.alike(both) } else { vec![] }
            }
            "linalg.softmax" => self.alike(op.operand_list()),
            "soac.update_acc" => self.updated(op).unwrap_or_default(),
            "tensor.concat" => {
                let axis = op.attr("dim").and_then(int_of).unwrap_or(0) as usize;
                let mut all = self.alike(op.operand_list());
                all.remove(axis);
                all
            }
            // A choice between arrays, which may be of different sizes.
            "arith.select" if op.opnd(0).is_some_and(|c| c.r#type().as_tensor().is_none()) => {
                vec![]
            }
            name if name.starts_with("arith.") || name.starts_with("math.") => {
                let is_array = |x: &Val<'c>| x.r#type().as_tensor().is_some();
                self.alike(op.operand_list().into_iter().filter(is_array).collect())
            }
            _ => vec![],
        }
    }

    /// The sizes of what is added to an accumulator, and of the part of its array that it is added to.
    fn updated(&mut self, update: Op<'c>) -> Option<Vec<Vec<Extent<'c>>>> {
        let operands = update.operand_list();
        let [acc, indices @ .., value] = &operands[..] else { return None };
        let own = accumulator::origin(*acc)?;
        let with_acc = own.owner_block()?.parent_operation()?;
        let array = with_acc.opnd(own.position())?;
        Some(self.same_shapes(&[(*value, 0), (array, indices.len())]))
    }

    /// Groups of sizes of rows that an operation combines, and of what it combines them with.
    fn equal_rows(&mut self, op: Op<'c>) -> Vec<Vec<Extent<'c>>> {
        let (inputs, others, first) = match op.op_name() {
            "soac.reduce" | "soac.scan" => {
                let (inputs, neutrals) = inputs_and_rest(op);
                (inputs, neutrals, 0)
            }
            "soac.hist" | "soac.scatter" => {
                let update = Update::of(op);
                (update.inputs, update.dests, update.at.len())
            }
            _ => return vec![],
        };
        let pairs = inputs.into_iter().zip(others);
        pairs.flat_map(|(input, other)| self.same_shapes(&[(input, 1), (other, first)])).collect()
    }

    /// The sizes of the first dimensions.
    fn lengths(&mut self, arrays: Vec<Val<'c>>) -> Vec<Extent<'c>> {
        arrays.into_iter().map(|array| self.extents.of(array, 0)).collect()
    }

    /// The sizes of all dimensions of arrays.
    fn alike(&mut self, arrays: Vec<Val<'c>>) -> Vec<Vec<Extent<'c>>> {
        let arrays: Vec<_> = arrays.into_iter().map(|array| (array, 0)).collect();
        self.same_shapes(&arrays)
    }

    /// The sizes of dimensions of arrays, of each from one on.
    fn same_shapes(&mut self, arrays: &[(Val<'c>, usize)]) -> Vec<Vec<Extent<'c>>> {
        let rank =
            |&(array, first): &(Val<'c>, usize)| array.r#type().shape().len().saturating_sub(first);
        let ranks = arrays.iter().map(rank).min().unwrap_or(0);
        let sizes = |d: usize| {
            arrays.iter().map(|&(array, first)| self.extents.of(array, first + d)).collect()
        };
        (0..ranks).map(sizes).collect()
    }

    /// The sizes that each loop of a structured operation has by its arrays.
    fn loops(&mut self, s: &Structured<'c>) -> Vec<Vec<Extent<'c>>> {
        let mut sizes = vec![vec![]; s.loops];
        for (array, d, index) in indexed(s) {
            if let Expr::Loop(number) = *index {
                sizes[number].push(self.extents.of(array, d));
            }
        }
        sizes
    }
}

impl<'c> Check<'c> {
    fn emit(&self, context: &'c Context, function: Op<'c>) {
        let Some(block) = self.root.block() else { return };
        let b = Builder::before(context, self.root, block).with_location(self.op.location());
        let (mut holds, what) = match &self.need {
            Need::Equal([one, other]) => {
                let holds = b.compare(CMP_EQ, one.value(&b), other.value(&b));
                let [one, other] = [one, other].map(|&size| describe(size, function));
                (holds, format!("{one} and {other} have to be equal"))
            }
            Need::AsMany([one, other]) => {
                let count = |sizes: &[Extent<'c>]| {
                    let sizes = sizes.iter().map(|size| size.value(&b));
                    sizes.fold(b.index(1), |product, size| b.mul(product, size))
                };
                let holds = b.compare(CMP_EQ, count(one), count(other));
                let [one, other] = [one, other].map(|sizes| {
                    let sizes = sizes.iter().map(|&size| describe(size, function));
                    sizes.collect::<Vec<_>>().join(" times ")
                });
                (holds, format!("{one} has to be {other}"))
            }
            Need::Inside(index, widths, size) => {
                let last = |width: &Option<Extent<'c>>| {
                    width.map(|width| b.same("arith.subi", &[width.value(&b), b.index(1)]))
                };
                let ends: Vec<_> = widths.iter().map(last).collect();
                let holds = b.compare(CMP_SLT, index_at(&b, index, &ends), size.value(&b));
                let size = describe(*size, function);
                let by = match self.op.op_name() {
                    "tensor.extract" => "the indices that it is read at",
                    _ => "windows and results",
                };
                (holds, format!("{size} is too small for {by}"))
            }
        };
        for guard in &self.guards {
            holds = b.same("arith.ori", &[holds, guard.is_idle(&b)]);
        }
        let text = format!("sizes do not match: {what}");
        let message = StringAttribute::new(context, &text).into();
        b.op_with("cf.assert", &[holds], &[], &[("msg", message)], &[]);
    }
}

/// Whether sizes are known in front of an operation, but not all of them before the program runs.
fn is_open<'c>(root: Op<'c>, sizes: &[Extent<'c>]) -> bool {
    !sizes.iter().all(|size| matches!(size, Extent::Known(_)))
        && sizes.iter().all(|size| size.is_outside(root))
}

/// The dimensions of the tensors of a structured operation, with the indices into them.
fn indexed<'s, 'c>(s: &'s Structured<'c>) -> Vec<(Val<'c>, usize, &'s Expr)> {
    let arrays = s.inputs.iter().chain(&s.inits).zip(&s.maps);
    let tensors = arrays.filter(|(array, _)| array.r#type().as_tensor().is_some());
    tensors
        .flat_map(|(&array, map)| map.iter().enumerate().map(move |(d, e)| (array, d, e)))
        .collect()
}

/// The loops that an index depends on, if it is nowhere less for a larger number of one of them.
fn growing(index: &Expr) -> Option<Vec<usize>> {
    let both = |pair: &[Expr; 2]| Some([growing(&pair[0])?, growing(&pair[1])?].concat());
    match index {
        Expr::Loop(l) => Some(vec![*l]),
        Expr::Constant(c) => (*c >= 0).then(Vec::new),
        Expr::Add(pair) | Expr::Mul(pair) => both(pair),
        Expr::Mod(_) | Expr::FloorDiv(_) | Expr::CeilDiv(_) => None,
    }
}

/// What a size is, for people.
fn describe(size: Extent<'_>, function: Op<'_>) -> String {
    let arguments = function.body(0).map(|entry| entry.arg_list()).unwrap_or_default();
    let number =
        |value: Val<'_>| arguments.iter().position(|argument| argument.key() == value.key());
    let name = name_of(function).unwrap_or_default();
    match size {
        Extent::Known(size) => size.to_string(),
        Extent::Value(value) => match number(value) {
            Some(number) => format!("argument {number} of '{name}'"),
            None => "a size that is computed".to_owned(),
        },
        Extent::Dim(array, d) => match number(array) {
            Some(number) => format!("dimension {d} of argument {number}"),
            None => format!("dimension {d} of an array that is computed"),
        },
    }
}
