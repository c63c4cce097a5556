//! `ad-note-sizes`: sizes that requests take to be equal are noted before they are answered.
//!
//! ```text
//! func.func @g(%x: tensor<?xf64>, %s: tensor<?xf64>) {       func.func @g(..)
//!   ad.jvp @f(%x) seed(%s) ..                          =>        attributes {ad.equal_sizes = [[array<i64: 1, 0>, array<i64: 0, 0>]]}
//! ```
//!
//! A seed has the sizes of its argument (jvp) or of its result (vjp), and a shadow those of its buffer. When requests are
//! answered nothing tells any more which arrays belong together: both are read at places that depend on data. So each public
//! function notes what requests in it need, also by way of what it calls or differentiates, as far as these are sizes of its
//! arguments; `ad-check-sizes` compares them.
//!
//! So do lists of tuples in the tensor language: after its lowering nothing tells any more that their arrays have one size.
//!
//! What is in branches is left as it is. What a loop or a combinator needs, it needs if it has anything to do.

use std::{collections::HashMap, rc::Rc};

use ad_dialect::{
    blocks::{handed_on, is_branch, successors},
    ir::{BlkExt, Op, OpExt, TyExt, Val, ValExt, i64_array, is_public},
};
use melior::{
    Context,
    ir::{
        Attribute, BlockLike, ValueLike,
        attribute::{ArrayAttribute, DenseI64ArrayAttribute},
        operation::OperationLike,
        r#type::ShapedTypeLike,
    },
};

use super::guard_of;
use crate::{
    ad::{closure::callee_of, has_derivative, is_request, memory::is_buffer_type, signature},
    atl::import::{is_compressed, is_of_dialect, tensors_of},
    support::{
        builder::Builder,
        combinator::constant_index,
        extent::{Extent, Extents},
        memory::{array_type, static_size},
        symbol::name_of,
    },
};

/// The attribute of a function with what it needs.
const EQUAL_SIZES: &str = "ad.equal_sizes";

/// Operations on sizes that programs compute other sizes with: none of them can trap.
const ARITHMETIC: [&str; 7] = [
    "arith.addi",
    "arith.subi",
    "arith.muli",
    "arith.minsi",
    "arith.maxsi",
    "arith.minui",
    "arith.maxui",
];

/// Sizes that are computed from more sizes than this are not noted.
const MANY: usize = 32;

/// What a pair of numbers begins with that stands for a number, or for an operation.
const NUMBER: i64 = -1;
const OPERATION: i64 = -2;

/// A size as callers of a function know it.
#[derive(Clone, PartialEq, Eq)]
enum Size {
    Known(i64),
    /// An argument.
    Argument(usize),
    /// A dimension of an argument.
    Dim(usize, usize),
    /// What an operation of `ARITHMETIC` makes of two others.
    Computed(usize, Rc<[Size; 2]>),
}

impl Size {
    /// Pairs of numbers, operands before operations.
    fn numbers(&self) -> Vec<[i64; 2]> {
        match self {
            Size::Known(number) => vec![[NUMBER, *number]],
            Size::Argument(i) => vec![[*i as i64, -1]],
            Size::Dim(i, d) => vec![[*i as i64, *d as i64]],
            Size::Computed(operation, parts) => {
                let [left, right] = [&parts[0], &parts[1]].map(Size::numbers);
                [left, right, vec![[OPERATION, *operation as i64]]].concat()
            }
        }
    }

    /// What an operation makes of two sizes, unless that would be a long story.
    fn computed(operation: usize, parts: [Size; 2]) -> Option<Size> {
        let count: usize = parts.iter().map(|part| part.numbers().len()).sum();
        (count < MANY).then(|| Size::Computed(operation, Rc::new(parts)))
    }
}

/// The size that numbers stand for, at the position of a builder in a function with arguments.
fn extent<'c>(b: &Builder<'c>, arguments: &[Val<'c>], numbers: &[i64]) -> Option<Extent<'c>> {
    let mut stack: Vec<Extent<'c>> = vec![];
    for &[first, second] in numbers.as_chunks().0 {
        let size = match (first, usize::try_from(second)) {
            (NUMBER, _) => Extent::Known(second),
            (OPERATION, operation) => {
                let (right, left) = (stack.pop()?, stack.pop()?);
                let name = ARITHMETIC.get(operation.ok()?)?;
                Extent::Value(b.same(name, &[left.value(b), right.value(b)]))
            }
            (_, d) => {
                let argument = *arguments.get(usize::try_from(first).ok()?)?;
                d.map_or(Extent::Value(argument), |d| Extent::Dim(argument, d))
            }
        };
        stack.push(size);
    }
    stack.pop()
}

/// Two sizes that have to be equal, where the first is less than the second one in each of the other pairs.
#[derive(Clone, PartialEq, Eq)]
struct Equality {
    sizes: [Size; 2],
    guards: Vec<[Size; 2]>,
}

/// Runs the pass; returns how many pairs of sizes are noted.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> u64 {
    let top = module.body(0).map(|top| top.ops()).unwrap_or_default();
    let mut notes = Notes::default();
    notes.functions.extend(top.iter().filter_map(|&op| Some((name_of(op)?, op))));
    let mut count = 0;
    for function in top.into_iter().filter(|&op| op.op_name() == "func.func" && is_public(op)) {
        let needs = name_of(function).map(|name| notes.needs_of(&name)).unwrap_or_default();
        if needs.is_empty() {
            continue;
        }
        let list = |need: &Equality| -> Attribute<'c> {
            let sizes = need.sizes.iter().chain(need.guards.iter().flatten());
            let numbers = sizes.map(|size| size.numbers().concat());
            let sizes: Vec<Attribute<'c>> =
                numbers.map(|all| DenseI64ArrayAttribute::new(context, &all).into()).collect();
            ArrayAttribute::new(context, &sizes).into()
        };
        let lists: Vec<_> = needs.iter().map(list).collect();
        function.set_attr(context, EQUAL_SIZES, ArrayAttribute::new(context, &lists).into());
        count += needs.len() as u64;
    }
    count
}

/// What has been noted for a function: two sizes, then the guards, as they are in front of its first operation. It is noted
/// no more.
pub fn take<'c>(
    context: &'c Context,
    function: Op<'c>,
) -> Vec<([Extent<'c>; 2], Vec<[Extent<'c>; 2]>)> {
    let noted = function.attr(EQUAL_SIZES).and_then(list_of);
    function.remove_attr(EQUAL_SIZES);
    let entry = function.body(0).and_then(|entry| Some((*entry.ops().first()?, entry)));
    let (Some(noted), Some((first, entry))) = (noted, entry) else { return vec![] };
    let b = Builder::before(context, first, entry).with_location(function.location());
    let arguments = entry.arg_list();
    let need = |sizes: Attribute<'c>| {
        let extent = |size: Attribute<'c>| extent(&b, &arguments, &i64_array(size)?);
        let extents = list_of(sizes)?.into_iter().map(extent).collect::<Option<Vec<_>>>()?;
        let (sizes, guards) = extents.as_chunks().0.split_first()?;
        Some((*sizes, guards.to_vec()))
    };
    noted.into_iter().filter_map(need).collect()
}

/// The attributes in a list.
fn list_of(attribute: Attribute<'_>) -> Option<Vec<Attribute<'_>>> {
    let list = ArrayAttribute::try_from(attribute).ok()?;
    (0..list.len()).map(|i| list.element(i).ok()).collect()
}

/// What functions of a module need.
#[derive(Default)]
struct Notes<'c> {
    functions: HashMap<String, Op<'c>>,
    extents: Extents<'c>,
    /// What is known, or nothing where a function leads back to itself.
    needs: HashMap<String, Vec<Equality>>,
    /// The size of a dimension of a result.
    results: HashMap<(String, usize, usize), Option<Size>>,
}

impl<'c> Notes<'c> {
    /// What a function needs.
    fn needs_of(&mut self, name: &str) -> Vec<Equality> {
        if let Some(known) = self.needs.get(name) {
            return known.clone();
        }
        self.needs.insert(name.to_owned(), vec![]);
        let body = self.functions.get(name).and_then(|function| function.body(0));
        let mut needs = vec![];
        for op in body.map(|body| body.ops()).unwrap_or_default() {
            self.visit(op, &[], &mut needs);
        }
        self.needs.insert(name.to_owned(), needs.clone());
        needs
    }

    /// What an operation, and those in it, need.
    fn visit(&mut self, op: Op<'c>, guards: &[[Size; 2]], needs: &mut Vec<Equality>) {
        let mut found = if is_of_dialect(op) { self.lists(op) } else { vec![] };
        if let Some(callee) = callee_of(op) {
            if is_request(op) {
                found.extend(self.pairs(op, &callee));
            }
            found.extend(self.needs_of(&callee).into_iter().filter_map(|need| {
                let mut here = |[one, other]: &[Size; 2]| {
                    Some([self.of_caller(op, one)?, self.of_caller(op, other)?])
                };
                let sizes = here(&need.sizes)?;
                let guards = need.guards.iter().map(here).collect::<Option<Vec<_>>>()?;
                Some(Equality { sizes, guards })
            }));
        }
        for mut need in found {
            need.guards.splice(0..0, guards.iter().cloned());
            if need.sizes[0] != need.sizes[1] && !needs.contains(&need) {
                needs.push(need);
            }
        }
        let inner = match op.op_name() {
            "soac.with_acc" => Some(guards.to_vec()),
            _ => guard_of(op, &mut self.extents).and_then(|[lower, upper]| {
                let guard = [self.of_extent(lower)?, self.of_extent(upper)?];
                Some([guards, &[guard]].concat())
            }),
        };
        let Some(guards) = inner else { return };
        for inside in op.body(0).map(|body| body.ops()).unwrap_or_default() {
            self.visit(inside, &guards, needs);
        }
    }

    /// The sizes of the arrays of lists, of which each has an element of every tuple, in an operation of the tensor language.
    fn lists(&mut self, op: Op<'c>) -> Vec<Equality> {
        let mut members = vec![];
        op.for_each(&mut |op| members.extend((op.op_name() == "atl.member").then_some(op)));
        let mut found = vec![];
        for member in members {
            let arrays = tensors_of(member);
            for pair in arrays[usize::from(is_compressed(member))..].windows(2) {
                let sizes = [pair[0], pair[1]].map(|array| self.of(array, 0));
                if let [Some(one), Some(other)] = sizes {
                    found.push(Equality { sizes: [one, other], guards: vec![] });
                }
            }
        }
        found
    }

    /// The sizes of what a request is given and of what belongs to it.
    fn pairs(&mut self, op: Op<'c>, callee: &str) -> Vec<Equality> {
        let Some((inputs, results)) = self.functions.get(callee).and_then(|f| signature(*f)) else {
            return vec![];
        };
        let operands = op.operand_list();
        let (arguments, seeds) = operands.split_at(inputs.len().min(operands.len()));
        let all = (0..inputs.len()).filter(|&i| has_derivative(inputs[i]));
        let wrt =
            op.attr("wrt").and_then(i64_array).map(|wrt| wrt.iter().map(|&i| i as usize).collect());
        let mut wrt: Vec<usize> = wrt.unwrap_or_else(|| all.collect());
        let mut found = vec![];
        let mut same = |seed: Val<'c>, sizes: Vec<Option<Size>>, this: &mut Self| {
            for (d, size) in sizes.into_iter().enumerate() {
                let sizes = this.of(seed, d).zip(size).map(|(own, size)| [own, size]);
                found.extend(sizes.map(|sizes| Equality { sizes, guards: vec![] }));
            }
        };
        let mut seeds = seeds.iter().copied();
        if op.op_name() == "ad.vjp" {
            for k in (0..results.len()).filter(|&k| has_derivative(results[k])) {
                let Some(seed) = seeds.next() else { break };
                let sizes = (0..rank(seed)).map(|d| self.of_result(op, callee, k, d)).collect();
                same(seed, sizes, self);
            }
            wrt.retain(|&i| inputs.get(i).is_some_and(|&input| is_buffer_type(input)));
        }
        for (i, seed) in wrt.into_iter().zip(seeds) {
            let Some(&argument) = arguments.get(i) else { continue };
            let sizes = (0..rank(seed)).map(|d| self.of(argument, d)).collect();
            same(seed, sizes, self);
        }
        found
    }

    /// The size of a dimension of an array.
    fn of(&mut self, array: Val<'c>, d: usize) -> Option<Size> {
        if let Some(size) = static_size(array, d) {
            return Some(Size::Known(size));
        }
        let extent = self.extents.of(array, d);
        self.of_extent(extent)
    }

    fn of_extent(&mut self, extent: Extent<'c>) -> Option<Size> {
        match extent {
            Extent::Known(number) => Some(Size::Known(number)),
            Extent::Value(value) => match argument_number(value) {
                Some(i) => Some(Size::Argument(i)),
                None => self.of_computed(value.defining_op()?),
            },
            Extent::Dim(array, d) => match argument_number(array) {
                Some(i) => Some(Size::Dim(i, d)),
                None if array.defining_op().is_none() => self.of_handed_on(array, d),
                None => self.of_made(array, d),
            },
        }
    }

    /// The size that an operation computes.
    fn of_computed(&mut self, op: Op<'c>) -> Option<Size> {
        let [left, right] = op.operand_list()[..] else { return None };
        if op.op_name() == "memref.dim" {
            return self.of(left, constant_index(right)? as usize);
        }
        let operation = ARITHMETIC.iter().position(|&name| name == op.op_name())?;
        let parts = [left, right].map(|part| self.extents.of_value(part));
        let [left, right] = parts.map(|part| self.of_extent(part));
        Size::computed(operation, [left?, right?])
    }

    /// The size of a dimension of what blocks hand on to a block, be it in turn: one of those that it begins with, if all of
    /// these are the same.
    fn of_handed_on(&mut self, array: Val<'c>, d: usize) -> Option<Size> {
        let function = array.owner_block()?.parent_operation().filter(|_| is_handed_on(array))?;
        let ends = function.blocks().into_iter().filter_map(|block| block.term());
        let branches: Vec<_> = ends.filter(|end| !successors(*end).is_empty()).collect();
        if !branches.iter().all(|branch| is_branch(*branch)) {
            return None;
        }
        let edges =
            branches.into_iter().flat_map(|op| successors(op).into_iter().zip(handed_on(op)));
        let edges: Vec<_> = edges.collect();
        let (mut places, mut next, mut found) = (vec![(array, d)], 0, None);
        while let Some(&(array, d)) = places.get(next) {
            next += 1;
            for (_, values) in edges.iter().filter(|(to, _)| Some(*to) == array.owner_block()) {
                match self.extents.of(*values.get(array.position())?, d) {
                    Extent::Dim(from, d) if is_handed_on(from) => {
                        if places.iter().all(|known| (known.0.key(), known.1) != (from.key(), d)) {
                            places.push((from, d));
                        }
                    }
                    begin => {
                        let size = self.of_extent(begin)?;
                        if found.get_or_insert_with(|| size.clone()) != &size {
                            return None;
                        }
                    }
                }
            }
        }
        found
    }

    /// The size of a dimension of what an operation makes that tells more here than elsewhere.
    fn of_made(&mut self, array: Val<'c>, d: usize) -> Option<Size> {
        let (op, position) = (array.defining_op()?, array.position());
        match op.op_name() {
            "memref.alloc" | "memref.alloca" => {
                let before = (0..d).filter(|&d| static_size(array, d).is_none()).count();
                let size = self.extents.of_value(op.opnd(before)?);
                self.of_extent(size)
            }
            "memref.cast" => self.of(op.opnd(0)?, d),
            _ => {
                let callee = callee_of(op)?;
                let (inputs, results) = signature(*self.functions.get(&callee)?)?;
                if let Some(k) = position.checked_sub(results.len()) {
                    return self.of_derivative(op, &callee, (inputs.len(), k), d);
                }
                self.of_result(op, &callee, position, d)
            }
        }
    }

    /// The size of a dimension of a derivative that a request gives, which has a number among those.
    fn of_derivative(
        &mut self,
        op: Op<'c>,
        callee: &str,
        (inputs, number): (usize, usize),
        d: usize,
    ) -> Option<Size> {
        let (types, results) = signature(*self.functions.get(callee)?)?;
        if op.op_name() == "ad.jvp" {
            let k = (0..results.len()).filter(|&k| has_derivative(results[k])).nth(number)?;
            return self.of_result(op, callee, k, d);
        }
        let is_wanted = |&i: &usize| has_derivative(types[i]) && !is_buffer_type(types[i]);
        let i = match op.attr("wrt").and_then(i64_array) {
            Some(wrt) => {
                let wrt = wrt.into_iter().map(|i| i as usize).filter(|i| *i < inputs);
                wrt.filter(is_wanted).nth(number)?
            }
            None => (0..inputs).filter(is_wanted).nth(number)?,
        };
        self.of(op.opnd(i)?, d)
    }

    /// The size of a dimension of a result of a function that an operation calls or differentiates.
    fn of_result(&mut self, op: Op<'c>, callee: &str, k: usize, d: usize) -> Option<Size> {
        let key = (callee.to_owned(), k, d);
        let size = match self.results.get(&key) {
            Some(known) => known.clone(),
            None => {
                self.results.insert(key.clone(), None);
                let size = self.returned(callee, k, d);
                self.results.insert(key, size.clone());
                size
            }
        }?;
        self.of_caller(op, &size)
    }

    fn returned(&mut self, callee: &str, k: usize, d: usize) -> Option<Size> {
        let ends =
            self.functions.get(callee)?.blocks().into_iter().filter_map(|block| block.term());
        let ends: Vec<_> = ends.filter(|end| end.op_name() == "func.return").collect();
        let &[end] = &ends[..] else { return None };
        self.of(end.opnd(k)?, d)
    }

    /// What a size of a function is where an operation calls or differentiates it.
    fn of_caller(&mut self, op: Op<'c>, size: &Size) -> Option<Size> {
        match size {
            Size::Known(_) => Some(size.clone()),
            Size::Argument(i) => {
                let extent = self.extents.of_value(op.opnd(*i)?);
                self.of_extent(extent)
            }
            Size::Dim(i, d) => self.of(op.opnd(*i)?, *d),
            Size::Computed(operation, parts) => {
                let [left, right] = [&parts[0], &parts[1]].map(|part| self.of_caller(op, part));
                Size::computed(*operation, [left?, right?])
            }
        }
    }
}

/// Which argument of its function a value is.
fn argument_number(value: Val<'_>) -> Option<usize> {
    let block = value.owner_block()?;
    let function = block.parent_operation().filter(|op| op.op_name() == "func.func")?;
    (function.body(0) == Some(block)).then(|| value.position())
}

/// Whether blocks of a function hand a value on to another one.
fn is_handed_on(value: Val<'_>) -> bool {
    let function = value.owner_block().and_then(|block| block.parent_operation());
    function.is_some_and(|op| op.op_name() == "func.func") && argument_number(value).is_none()
}

/// The number of dimensions of an array or buffer.
fn rank(array: Val<'_>) -> usize {
    array_type(array).map_or_else(|| array.r#type().shape().len(), |buffer| buffer.rank())
}
