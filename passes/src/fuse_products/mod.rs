//! `ad-fuse-products`: a product of matrices that a loop reads row by row is made a block of rows at a time.
//!
//! ```text
//! t = alloc n, k;  fill t with 0            t = alloc (min rows n), k
//! t[i, j] += a[i, l] b[j, l]                for i0 = 0 to n step rows
//! for i = 0 to n                     ==>      fill t with 0;  t[r, j] += a[i0 + r, l] b[j, l]
//!   ... t[i, _] ...                           for r = 0 to min rows (n - i0)
//!                                               i = i0 + r;  ... t[r, _] ...
//! ```
//!
//! As tiling a consumer and fusing its producer does it. What is searched, normalised or reduced in each row of a table, as the
//! distances from a point to all centres or the scores of a query, is read while it is in the cache, and there is no
//! memory for the table.
//!
//! Requires: the table is only read, and written on, in the loop, in the row that has the number of the iteration, and each number
//! is that of a row; nothing writes to the factors until the loop has ended.
//!
//! Run it on buffers, behind `ad-fuse-loops` and before products become calls.

use std::collections::HashSet;

use ad_dialect::{
    ir::{BlkExt, DYNAMIC, Op, OpExt, Val, ValExt},
    linalg::{Expr, Structured},
};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike, r#type::MemRefType},
};

use crate::support::{
    builder::{Builder, same_value},
    combinator::constant_index,
    diag::{Result, internal_error},
    extent::Extent,
    memory::{self, allocate, element, is_arithmetic, rank, rows, static_size, with_plain_layout},
    region::{all_inside, beside, between, clone_with, move_body},
    roots::{Root, allocations, written},
    slice::shown,
};

/// About how many elements a block of rows has, 4 MiB of f64: with fewer, products take longer, with more, caches are left.
const ELEMENTS: i64 = 1 << 19;

/// The fewest rows of a block: a product brings the other factor into an order of its own for each.
const LEAST: i64 = 64;

/// Runs the pass; returns how many products were fused.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let mut count = 0;
    let mut candidates = all_inside(module);
    // What is in a product, what fills its table and the loop that reads it go with it.
    candidates.retain(|op| op.op_name() != "linalg.fill" && Structured::of(*op).is_some());
    for op in candidates {
        if let Some(product) = Product::of(op) {
            product.fuse(context)?;
            count += 1;
        }
    }
    Ok(count)
}

/// A product and the loop that reads it.
struct Product<'c> {
    op: Op<'c>,
    /// Its factors, with the dimension that counts the rows of the table if there is one.
    factors: Vec<(Val<'c>, Option<usize>)>,
    table: Val<'c>,
    fill: Op<'c>,
    reader: Op<'c>,
    accesses: Vec<Access<'c>>,
}

/// An operation on a row of the table: which of its operands are the table and the number of the row.
struct Access<'c> {
    op: Op<'c>,
    table: usize,
    row: usize,
}

impl<'c> Product<'c> {
    fn of(op: Op<'c>) -> Option<Self> {
        let structured = Structured::of(op)?;
        let (&[table], block) = (&structured.inits[..], op.block()?) else { return None };
        let is_here = |op: &Op<'c>| op.block() == Some(block);
        table.defining_op().filter(|op| op.op_name() == "memref.alloc" && is_here(op))?;
        let is_plain = with_plain_layout(table.r#type()) == table.r#type();
        let factors = factors(&structured).filter(|_| is_plain)?;
        let others = table.users().into_iter().filter(|user| user.key() != op.key());
        let (fills, users): (Vec<_>, Vec<_>) =
            others.partition(|user| user.op_name() == "linalg.fill" && is_here(user));
        let (&[fill], reader) = (&fills[..], beside(*users.first()?, Some(block))?) else {
            return None;
        };
        let counts_by_one = reader.op_name() == "scf.for"
            && reader.opnd(2).and_then(constant_index) == Some(1)
            && reader.attr("unsignedCmp").is_none();
        // A row that is handed on is read in another iteration.
        let hands_on =
            reader.result_list().into_iter().any(memory::is_array) || stores_arrays(reader);
        let is_in_order = fill.is_before(op) && op.is_before(reader);
        let body = reader.body(0).filter(|_| counts_by_one && is_in_order && !hands_on)?;
        let number = *body.arg_list().first()?;
        let accesses = users
            .into_iter()
            .map(|user| beside(user, Some(body)).and_then(|_| Access::of(user, table, number)));
        let accesses = accesses.collect::<Option<Vec<_>>>()?;
        let found = Self { op, factors, table, fill, reader, accesses };
        (found.is_large() && found.is_in_table() && found.may_wait()).then_some(found)
    }

    /// Whether the numbers of all iterations are those of rows.
    fn is_in_table(&self) -> bool {
        let operands = self.reader.operand_list();
        let (Some(&from), Some(&to)) = (operands.first(), operands.get(1)) else { return false };
        let is_end = match static_size(self.table, 0) {
            Some(size) => constant_index(to).is_some_and(|to| to <= size),
            None => {
                let size = self.table.defining_op().and_then(|alloc| alloc.opnd(0));
                size.is_some_and(|size| same_value(size, to))
            }
        };
        is_end && constant_index(from).is_some_and(|from| from >= 0)
    }

    /// Whether the table may be larger than a block of it.
    fn is_large(&self) -> bool {
        let sizes: Option<Vec<_>> =
            (0..rank(self.table)).map(|d| static_size(self.table, d)).collect();
        sizes.is_none_or(|sizes| sizes[0] > LEAST && sizes.iter().product::<i64>() > ELEMENTS)
    }

    /// Whether its factors are what they are until the loop has ended.
    fn may_wait(&self) -> bool {
        let read: HashSet<_> =
            self.factors.iter().flat_map(|(factor, _)| allocations(*factor)).collect();
        let mut until = between(self.op, self.reader);
        until.push(self.reader);
        until.into_iter().all(|op| {
            written(op).is_some_and(|written| {
                written.is_empty()
                    || written.is_disjoint(&read)
                        && !written.contains(&Root::Unknown)
                        && !read.contains(&Root::Unknown)
            })
        })
    }

    fn fuse(&self, context: &'c Context) -> Result<()> {
        let (Some(block), Some(body)) = (self.reader.block(), self.reader.body(0)) else {
            return Ok(());
        };
        let b = Builder::before(context, self.reader, block).deriving(self.op);
        let operands = self.reader.operand_list();
        let (&[from, to, one], inits) = (&operands[..3], &operands[3..]) else { return Ok(()) };
        let Some((rows_of_block, table)) = self.block_of_table(&b) else { return Ok(()) };
        let zero = b.index(0);
        let outer = b.for_loop([from, to, rows_of_block], inits, |b, start, carried| {
            let count = b.same("arith.minsi", &[rows_of_block, b.sub(to, start)]);
            let part = rows(&b, table, 0, zero, count);
            let factors = self.factors.iter().map(|&(factor, dimension)| match dimension {
                Some(dimension) => rows(&b, factor, dimension, start, count),
                None => Some(factor),
            });
            let (Some(part), Some(mut all)) = (part, factors.collect::<Option<Vec<_>>>()) else {
                return Err(internal_error(self.op, "rows of a factor cannot be shown"));
            };
            all.push(part);
            let value = self.fill.opnd(0).into_iter();
            clone_with(&b, self.fill, &value.chain([part]).collect::<Vec<_>>(), &[]);
            clone_with(&b, self.op, &all, &[]);
            let inner = b.for_loop([zero, count, one], carried, |b, row, carried| {
                let number = b.add(start, row);
                let yielded = move_body(&b, body, &[&[number], carried].concat());
                for access in &self.accesses {
                    access.op.set_operand(access.table, table);
                    access.op.set_operand(access.row, row);
                }
                Ok(yielded)
            })?;
            Ok(inner.result_list())
        })?;
        for (old, new) in self.reader.result_list().into_iter().zip(outer.result_list()) {
            old.replace_all_uses(new);
        }
        for op in [self.reader, self.op, self.fill].into_iter().chain(self.table.defining_op()) {
            op.erase();
        }
        Ok(())
    }

    /// How many rows a block has, and a buffer for one.
    fn block_of_table(&self, b: &Builder<'c>) -> Option<(Val<'c>, Val<'c>)> {
        let alloc = self.table.defining_op()?;
        let mut given = alloc.operand_list().into_iter();
        let size =
            |d| static_size(self.table, d).map(|size| b.index(size)).or_else(|| given.next());
        let sizes: Option<Vec<_>> = (0..rank(self.table)).map(size).collect();
        let (&all, rest) = sizes.as_deref()?.split_first()?;
        let width = rest.iter().fold(b.index(1), |width, &size| b.mul(width, size));
        let width = b.same("arith.maxsi", &[width, b.index(1)]);
        let fit = b.same("arith.divsi", &[b.index(ELEMENTS), width]);
        let count = b.same("arith.maxsi", &[fit, b.index(LEAST)]);
        let mut shape = vec![DYNAMIC];
        shape.extend((1..=rest.len()).map(|d| static_size(self.table, d).unwrap_or(DYNAMIC)));
        let mut dynamic = vec![b.same("arith.minsi", &[count, all])];
        dynamic
            .extend(rest.iter().zip(&shape[1..]).filter(|(_, s)| **s == DYNAMIC).map(|(v, _)| *v));
        let r#type = MemRefType::new(element(self.table)?, &shape, None, None).into();
        let table = allocate(b, "memref.alloc", r#type, &dynamic);
        if let (Some(new), Some(alignment)) = (table.defining_op(), alloc.attr("alignment")) {
            new.set_attr(b.context(), "alignment", alignment);
        }
        Some((count, table))
    }
}

/// The factors of a product whose table has rows along its first dimension, each with the dimension that counts these; one has
/// none, so that all rows share it.
fn factors<'c>(product: &Structured<'c>) -> Option<Vec<(Val<'c>, Option<usize>)>> {
    let (output, written) = (product.output_maps().first()?, product.written());
    let loops = Structured::plain_loops(output);
    let is_plain =
        loops.len() == output.len() && HashSet::<usize>::from_iter(loops).len() == output.len();
    let &Expr::Loop(row) = output.first().filter(|_| is_plain && output.len() > 1)? else {
        return None;
    };
    // Terms are computed of the factors alone: of no numbers of rows, and of nothing in memory.
    let is_of_elements = |op: &Op<'c>| {
        is_arithmetic(*op) || op.op_name().starts_with("complex.") || op.op_name() == "linalg.yield"
    };
    let is_computed = product.body.ops().iter().all(is_of_elements);
    let dimension = |map: &Vec<Expr>| match map.iter().filter(|e| e.mentions(row)).count() {
        0 => Some(None),
        1 => map.iter().position(|e| *e == Expr::Loop(row)).map(Some),
        _ => None,
    };
    let dimensions = product.maps[..product.inputs.len()].iter().map(dimension);
    let dimensions = dimensions.collect::<Option<Vec<_>>>()?;
    let is_product = written.contains(&false)
        && dimensions.contains(&None)
        && dimensions.iter().any(Option::is_some)
        && product.inits.iter().all(|init| !product.inputs.iter().any(|x| same_value(*x, *init)))
        && product
            .inputs
            .iter()
            .chain(&product.inits)
            .all(|array| memory::has_numbers(*array) && memory::strides(*array).is_some());
    (is_product && is_computed).then(|| product.inputs.iter().copied().zip(dimensions).collect())
}

/// Whether an operation keeps arrays in memory.
fn stores_arrays(root: Op<'_>) -> bool {
    let is_array = |value: Option<Val<'_>>| value.is_some_and(memory::is_array);
    all_inside(root).into_iter().any(|op| op.op_name() == "memref.store" && is_array(op.opnd(0)))
}

impl<'c> Access<'c> {
    /// An operation that uses the table in a loop, whose number is given.
    fn of(op: Op<'c>, table: Val<'c>, number: Val<'c>) -> Option<Self> {
        let at = match op.op_name() {
            "memref.load" => 0,
            "memref.store" => 1,
            "memref.subview" => {
                let [first, ..] = &shown(op)?[..] else { return None };
                let is_row = matches!(first.size, Extent::Known(1)) && first.stride == 1;
                let is_own =
                    matches!(first.offset, Extent::Value(value) if same_value(value, number));
                if !(is_row && is_own) {
                    return None;
                }
                0
            }
            _ => return None,
        };
        let uses = op.operand_list().iter().filter(|value| same_value(**value, table)).count();
        let is_at = |i, value| op.opnd(i).is_some_and(|operand| same_value(operand, value));
        let is_row = uses == 1 && is_at(at, table) && is_at(at + 1, number);
        is_row.then_some(Self { op, table: at, row: at + 1 })
    }
}
