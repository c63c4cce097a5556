//! Stable sorting by small integers.

use ad_dialect::ir::{DYNAMIC, OpExt, TyExt, Val};
use melior::ir::{Type, ValueLike};

use super::{Builder, CMP_EQ, CMP_ULT, Result};

/// Values in the order of their bins.
pub struct Order<'c> {
    /// The bin of each, ascending.
    pub bins: Val<'c>,
    /// The position of each before; positions with equal bins stay in order.
    pub positions: Val<'c>,
}

impl<'c> Builder<'c> {
    /// The positions whose indices are in range for the array, ordered by the element
    /// that they point to: radix sort, one bit of the bin's number at a time, each by
    /// a scan and a scatter. O(m log bins) work and O(log m log bins) depth for m
    /// positions.
    pub fn order_by_bin(&self, at: &[Val<'c>], array: Val<'c>) -> Result<Order<'c>> {
        let sizes: Vec<_> = (0..at.len()).map(|d| self.dim(array, d)).collect();
        let bins = sizes.iter().fold(self.index(1), |product, &size| self.mul(product, size));
        let (width, static_width) = (self.dim(at[0], 0), at[0].r#type().shape()[0]);
        let positions = self.iota(width, static_width);
        let keys = self.map(at, &[], &[positions.r#type()], |b, indices| {
            let (indices, inside) = b.in_range(indices, array);
            let pairs = indices.iter().zip(&sizes);
            let number = pairs.fold(b.index(0), |n, (&i, &size)| b.add(b.mul(n, size), i));
            // What is out of range comes last.
            Ok(vec![b.select(inside, number, bins)])
        })?;
        let bounds = [self.index(0), self.bit_length(bins), self.index(1)];
        let sorted = self.for_loop(bounds, &[keys[0], positions], |b, bit, carried| {
            b.order_by_bit(carried, bit)
        })?;
        let sorted = sorted.result_list();
        let flags = self.map(&sorted[..1], &[], &[positions.r#type()], |b, key| {
            let inside = b.compare(CMP_ULT, key[0], bins);
            Ok(vec![b.select(inside, b.index(1), b.index(0))])
        })?;
        let count = self.sum(flags[0])?;
        Ok(Order { bins: self.prefix(sorted[0], count), positions: self.prefix(sorted[1], count) })
    }

    /// How many bits the number of an `index` has.
    pub fn bit_length(&self, number: Val<'c>) -> Val<'c> {
        let wide = Type::parse(self.context, "i64").unwrap_or(self.index_type());
        let wide = self.val("arith.index_cast", &[number], wide);
        let zeros = self.val("math.ctlz", &[wide], wide.r#type());
        let zeros = self.val("arith.index_cast", &[zeros], self.index_type());
        self.sub(self.index(64), zeros)
    }

    /// The first `count` elements of a vector.
    fn prefix(&self, vector: Val<'c>, count: Val<'c>) -> Val<'c> {
        let result = ad_dialect::ir::tensor_type(&[DYNAMIC], vector.r#type().scalar());
        let statics = [vec![0], vec![DYNAMIC], vec![1]];
        self.slice_op("tensor.extract_slice", &[vector, count], result, &statics, &[1, 0, 1, 0])
    }

    /// Keys and what goes with them, those first whose key has a bit that is zero.
    fn order_by_bit(&self, arrays: &[Val<'c>], bit: Val<'c>) -> Result<Vec<Val<'c>>> {
        let keys = arrays[0];
        let zero = self.index(0);
        let zeros = self.map(&[keys], &[], &[keys.r#type()], |b, key| {
            let shifted = b.same("arith.shrui", &[key[0], bit]);
            let one = b.index(1);
            let set = b.same("arith.andi", &[shifted, one]);
            Ok(vec![b.sub(one, set)])
        })?;
        let plus = |b: Builder<'c>, args: &[Val<'c>]| Ok(vec![b.add(args[0], args[1])]);
        let before = self.scan(&zeros, &[zero], &["exclusive"], plus)?;
        let total = self.sum(zeros[0])?;
        let numbers = self.iota(self.dim(keys, 0), keys.r#type().shape()[0]);
        let inputs = [zeros[0], before[0], numbers];
        let places = self.map(&inputs, &[], &[keys.r#type()], |b, args| {
            let is_zero = b.compare(CMP_EQ, args[0], b.index(1));
            let ones_before = b.sub(args[2], args[1]);
            Ok(vec![b.select(is_zero, args[1], b.add(total, ones_before))])
        })?;
        let empty = |&array: &Val<'c>| self.empty(array.r#type(), &self.dynamic_dims(array));
        let into: Vec<_> = arrays.iter().map(empty).collect();
        Ok(self.scatter(&places, arrays, &into))
    }
}
