//! Matrices of subgroups become vectors, products of them calls of the emulator (`subgroup_matrices`):
//!
//! ```text
//! gpu.subgroup_mma_compute %a, %b, %c         =>  call @ad_emulate_multiply, on arrays of the thread
//! ```
//! Which places a lane has is also known to `matrix` of `ad-emulate`.

use ad_dialect::ir::{BlkExt, Op, OpExt, Val};
use melior::ir::{Type, ValueLike};

use super::kernel::Kernel;
use crate::{
    lower::subgroup_matrices::{Product, has_any, lower},
    support::{
        builder::Builder,
        diag::{Result, internal_error},
        memory::{allocate, load, store},
    },
};

/// The kinds of products of `ad_emulate_multiply`, by their factors: how `matrix` counts them, and the type of the numbers
/// that it gets.
const KINDS: [(&str, [i64; 3], i64, &str); 3] =
    [("f64", [8, 8, 4], 0, "f64"), ("f32", [16, 16, 8], 1, "f32"), ("f16", [16, 16, 16], 2, "f32")];

impl<'c> Kernel<'c> {
    /// Lowers what a function has of matrices; returns whether there are products, at which threads wait.
    pub fn matrices(&self, function: Op<'c>, thread: Val<'c>) -> Result<bool> {
        let Some(entry) = function.body(0).filter(|_| has_any(function)) else { return Ok(false) };
        let Some(first) = entry.ops().into_iter().next() else { return Ok(false) };
        self.runtime("ad_emulate_lane", "(index) -> index")?;
        let b = Builder::before(self.context(), first, entry);
        let call = self.emit(&b, "ad_emulate_lane", &[thread], &[b.index_type()]);
        let Some(lane) = call.res(0) else { return Ok(false) };
        // What threads have for the whole function is made in front of the call, which stays.
        let top = Builder::before(self.context(), call, entry);
        let multiply =
            |b: &Builder<'c>, product: &Product<'c>| self.multiply(b, &top, product, thread);
        Ok(lower(self.context(), function, lane, |_, _, _| None, multiply)? > 0)
    }

    /// Hands what the thread has of a product to the emulator.
    fn multiply(
        &self,
        b: &Builder<'c>,
        top: &Builder<'c>,
        product: &Product<'c>,
        thread: Val<'c>,
    ) -> Result<Option<Vec<Val<'c>>>> {
        let is_own = |&(factor, sizes, _, sum): &(&str, [i64; 3], i64, &str)| {
            product.is_of(factor, sum, sizes)
        };
        let Some((.., kind, wide)) = KINDS.into_iter().find(is_own) else { return Ok(None) };
        let failed = || internal_error(product.op, "product has no elements");
        let wide = Type::parse(b.context(), wide).ok_or_else(failed)?;
        let mut arrays = vec![];
        for value in product.op.operand_list() {
            let elements = b.to_elements(value);
            let r#type = format!("memref<{}x{wide}>", elements.len());
            let r#type = Type::parse(b.context(), &r#type).ok_or_else(failed)?;
            let array = allocate(top, "memref.alloca", r#type, &[]);
            for (i, element) in (0..).zip(elements) {
                let narrow = element.r#type() != wide;
                let element = if narrow { b.val("arith.extf", &[element], wide) } else { element };
                store(b, element, array, &[b.index(i)]);
            }
            arrays.push(array);
        }
        let address = "memref.extract_aligned_pointer_as_index";
        let mut operands = vec![thread];
        operands.extend(arrays.iter().map(|&array| b.val(address, &[array], b.index_type())));
        operands.extend([b.i32(kind), b.index(product.number)]);
        self.runtime("ad_emulate_multiply", "(index, index, index, index, i32, index)")?;
        self.emit(b, "ad_emulate_multiply", &operands, &[]);
        let own = (0..product.sums.count()).map(|i| b.index(i));
        Ok(arrays.last().map(|&array| own.map(|i| load(b, array, &[i])).collect()))
    }
}
