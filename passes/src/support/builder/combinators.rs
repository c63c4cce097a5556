//! Operations with bodies: combinators and control flow.

use ad_dialect::{
    capi,
    ir::{BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, array_of, tensor_type},
    linalg::iterator_types,
};
use melior::ir::{Attribute, Type, ValueLike, attribute::ArrayAttribute};

use super::{Builder, CMP_EQ, Result};
use crate::support::memory::{element, is_array};

impl<'c> Builder<'c> {
    /// The array 0, 1, ..., n-1 of type `index`, with the static size if given.
    pub fn iota(&self, size: Val<'c>, static_size: i64) -> Val<'c> {
        self.numbers(size, static_size, self.index_type())
    }

    /// The same with elements of a type.
    pub fn numbers(&self, size: Val<'c>, static_size: i64, number: Type<'c>) -> Val<'c> {
        let result = tensor_type(&[static_size], number);
        let operands = if static_size == DYNAMIC { vec![size] } else { vec![] };
        self.val("soac.iota", &operands, result)
    }

    /// The array with `size` copies of a value.
    pub fn replicate(&self, value: Val<'c>, size: Val<'c>, static_size: i64) -> Val<'c> {
        let result = array_of(static_size, value.r#type());
        let operands = if static_size == DYNAMIC { vec![value, size] } else { vec![value] };
        self.val("soac.replicate", &operands, result)
    }

    /// `soac.map` with result types as given; the closure fills the body and
    /// returns what it yields.
    pub fn map(
        &self,
        inputs: &[Val<'c>],
        accs: &[Val<'c>],
        results: &[Type<'c>],
        body: impl FnOnce(Builder<'c>, &[Val<'c>]) -> Result<Vec<Val<'c>>>,
    ) -> Result<Vec<Val<'c>>> {
        let mut arguments: Vec<_> = inputs.iter().map(|v| v.r#type().row()).collect();
        arguments.extend(accs.iter().map(|v| v.r#type()));
        let operands = [inputs, accs].concat();
        let segments = self.i32s_attr(&[inputs.len() as i32, accs.len() as i32]);
        let op = self.op_with(
            "soac.map",
            &operands,
            results,
            &[("operandSegmentSizes", segments)],
            &[arguments],
        );
        self.fill_body(op, 0, "soac.yield", body)?;
        Ok(op.result_list())
    }

    /// `soac.reduce`; the closure gets all left, then all right operands.
    pub fn reduce(
        &self,
        inputs: &[Val<'c>],
        neutrals: &[Val<'c>],
        body: impl FnOnce(Builder<'c>, &[Val<'c>]) -> Result<Vec<Val<'c>>>,
    ) -> Result<Vec<Val<'c>>> {
        let tuple: Vec<_> = neutrals.iter().map(|v| v.r#type()).collect();
        let segments = self.i32s_attr(&[inputs.len() as i32, neutrals.len() as i32]);
        let op = self.op_with(
            "soac.reduce",
            &[inputs, neutrals].concat(),
            &tuple,
            &[("operandSegmentSizes", segments)],
            &[[&tuple[..], &tuple[..]].concat()],
        );
        self.fill_body(op, 0, "soac.yield", body)?;
        Ok(op.result_list())
    }

    /// `soac.scan`, with `exclusive` and `reverse` as wanted; the closure gets all
    /// left, then all right operands.
    pub fn scan(
        &self,
        inputs: &[Val<'c>],
        neutrals: &[Val<'c>],
        flags: &[&str],
        body: impl FnOnce(Builder<'c>, &[Val<'c>]) -> Result<Vec<Val<'c>>>,
    ) -> Result<Vec<Val<'c>>> {
        let tuple: Vec<_> = neutrals.iter().map(|v| v.r#type()).collect();
        let results: Vec<_> = inputs.iter().map(|v| v.r#type()).collect();
        let segments = self.i32s_attr(&[inputs.len() as i32, neutrals.len() as i32]);
        let mut attributes = vec![("operandSegmentSizes", segments)];
        attributes.extend(flags.iter().map(|&flag| (flag, Attribute::unit(self.context))));
        let op = self.op_with(
            "soac.scan",
            &[inputs, neutrals].concat(),
            &results,
            &attributes,
            &[[&tuple[..], &tuple[..]].concat()],
        );
        self.fill_body(op, 0, "soac.yield", body)?;
        Ok(op.result_list())
    }

    /// `soac.hist` of values at indices into destinations; the closure gets all left,
    /// then all right operands.
    pub fn hist(
        &self,
        at: &[Val<'c>],
        inputs: &[Val<'c>],
        dests: &[Val<'c>],
        neutrals: &[Val<'c>],
        body: impl FnOnce(Builder<'c>, &[Val<'c>]) -> Result<Vec<Val<'c>>>,
    ) -> Result<Vec<Val<'c>>> {
        let tuple: Vec<_> = neutrals.iter().map(|v| v.r#type()).collect();
        let results: Vec<_> = dests.iter().map(|v| v.r#type()).collect();
        let segments = [at, inputs, dests, neutrals].map(|group| group.len() as i32);
        let op = self.op_with(
            "soac.hist",
            &[at, inputs, dests, neutrals].concat(),
            &results,
            &[("operandSegmentSizes", self.i32s_attr(&segments))],
            &[[&tuple[..], &tuple[..]].concat()],
        );
        self.fill_body(op, 0, "soac.yield", body)?;
        Ok(op.result_list())
    }

    /// `soac.scatter` of values at indices into destinations.
    pub fn scatter(&self, at: &[Val<'c>], inputs: &[Val<'c>], dests: &[Val<'c>]) -> Vec<Val<'c>> {
        let results: Vec<_> = dests.iter().map(|v| v.r#type()).collect();
        let segments = self.i32s_attr(&[at, inputs, dests].map(|group| group.len() as i32));
        let operands = [at, inputs, dests].concat();
        let attributes = [("operandSegmentSizes", segments)];
        self.op_with("soac.scatter", &operands, &results, &attributes, &[]).result_list()
    }

    /// What an array holds where the index arrays say, as an array of the type `like`;
    /// zero where they are out of range and, given the array that says for each index
    /// which position counts, at all other positions.
    pub fn gather(
        &self,
        array: Val<'c>,
        at: &[Val<'c>],
        like: Type<'c>,
        counts: Option<Val<'c>>,
    ) -> Result<Val<'c>> {
        let mut inputs = at.to_vec();
        if let Some(counts) = counts {
            let (size, shape) = (self.dim(at[0], 0), at[0].r#type().shape());
            inputs.push(self.numbers(size, shape[0], counts.r#type().scalar()));
        }
        let gathered = self.map(&inputs, &[], &[like], |b, arguments| {
            let (indices, number) = arguments.split_at(at.len());
            let (indices, inside) = b.in_range(indices, array);
            let element = b.guarded_element(inside, array, &indices, |b| {
                let counts = counts?;
                Some(b.compare(CMP_EQ, b.element(counts, &indices), number[0]))
            })?;
            Ok(vec![element])
        })?;
        Ok(gathered[0])
    }

    /// The sum of an array along its outermost dimension.
    pub fn sum(&self, array: Val<'c>) -> Result<Val<'c>> {
        let zero = self.zero_element(array, 1);
        let sums = self.reduce(&[array], &[zero], |b, args| Ok(vec![b.add(args[0], args[1])]))?;
        Ok(sums[0])
    }

    /// The sum of all elements of a tensor of any rank.
    pub fn sum_all(&self, tensor: Val<'c>) -> Result<Val<'c>> {
        match tensor.r#type().shape().len() {
            0 if tensor.r#type().as_tensor().is_some() => Ok(self.extract(tensor, &[])),
            0 => Ok(tensor),
            1 => self.sum(tensor),
            _ => {
                let size = tensor.r#type().shape()[0];
                let sums = array_of(size, tensor.r#type().scalar());
                let rows =
                    self.map(&[tensor], &[], &[sums], |b, args| Ok(vec![b.sum_all(args[0])?]))?;
                self.sum(rows[0])
            }
        }
    }

    /// `soac.with_acc`; the closure gets the accumulators and returns them,
    /// then the further results.
    pub fn with_acc(
        &self,
        arrays: &[Val<'c>],
        extra: &[Type<'c>],
        body: impl FnOnce(Builder<'c>, &[Val<'c>]) -> Result<Vec<Val<'c>>>,
    ) -> Result<Vec<Val<'c>>> {
        let mut results: Vec<_> = arrays.iter().map(|v| v.r#type()).collect();
        let accs: Vec<_> = results.iter().map(|&array| capi::acc_type(array)).collect();
        results.extend_from_slice(extra);
        let op = self.op_with("soac.with_acc", arrays, &results, &[], &[accs]);
        self.fill_body(op, 0, "soac.yield", body)?;
        Ok(op.result_list())
    }

    /// The accumulator, which may be one of sums (`sum_type`), with a value added at an index.
    pub fn update_acc(&self, acc: Val<'c>, indices: &[Val<'c>], value: Val<'c>) -> Val<'c> {
        let value = self.as_term(value, capi::acc_array(acc.r#type()));
        let operands = [&[acc], indices, &[value]].concat();
        self.val("soac.update_acc", &operands, acc.r#type())
    }

    /// `linalg.generic`, on tensors or buffers, with the indexing maps of inputs and outputs; the closure
    /// gets the elements of the inputs, then those of the outputs.
    pub fn generic(
        &self,
        maps: &[Attribute<'c>],
        parallel: &[bool],
        inputs: &[Val<'c>],
        outputs: &[Val<'c>],
        body: impl FnOnce(Builder<'c>, &[Val<'c>]) -> Result<Vec<Val<'c>>>,
    ) -> Result<Op<'c>> {
        let operands = [inputs, outputs].concat();
        let scalar = |v: &Val<'c>| element(*v).unwrap_or(v.r#type().scalar());
        let elements = operands.iter().map(scalar).collect();
        let results = outputs.iter().filter(|v| !is_array(**v)).map(|v| v.r#type());
        let results: Vec<_> = results.collect();
        let mut attributes = vec![
            ("indexing_maps", ArrayAttribute::new(self.context, maps).into()),
            ("operandSegmentSizes", self.i32s_attr(&[inputs.len() as i32, outputs.len() as i32])),
        ];
        let iterators = iterator_types(self.context, parallel);
        attributes.extend(iterators.map(|iterators| ("iterator_types", iterators)));
        let op = self.op_with("linalg.generic", &operands, &results, &attributes, &[elements]);
        self.fill_body(op, 0, "linalg.yield", body)?;
        Ok(op)
    }

    // Control flow.

    /// `scf.for` with loop-carried values; the closure gets the induction
    /// variable and the carried values and returns the next ones.
    pub fn for_loop(
        &self,
        bounds: [Val<'c>; 3],
        inits: &[Val<'c>],
        body: impl FnOnce(Builder<'c>, Val<'c>, &[Val<'c>]) -> Result<Vec<Val<'c>>>,
    ) -> Result<Op<'c>> {
        let types: Vec<_> = inits.iter().map(|v| v.r#type()).collect();
        let mut arguments = vec![bounds[0].r#type()];
        arguments.extend_from_slice(&types);
        let op = self.op_with("scf.for", &[&bounds, inits].concat(), &types, &[], &[arguments]);
        self.fill_body(op, 0, "scf.yield", |b, args| body(b, args[0], &args[1..]))?;
        Ok(op)
    }

    /// `scf.if` with both branches.
    pub fn if_else(
        &self,
        condition: Val<'c>,
        types: &[Type<'c>],
        mut branch: impl FnMut(Builder<'c>, bool) -> Result<Vec<Val<'c>>>,
    ) -> Result<Op<'c>> {
        let op = self.op_with("scf.if", &[condition], types, &[], &[vec![], vec![]]);
        self.fill_body(op, 0, "scf.yield", |b, _| branch(b, true))?;
        self.fill_body(op, 1, "scf.yield", |b, _| branch(b, false))?;
        Ok(op)
    }

    /// Fills the body of a region and ends it with a terminator.
    pub fn fill_body(
        &self,
        op: Op<'c>,
        region: usize,
        terminator: &str,
        body: impl FnOnce(Builder<'c>, &[Val<'c>]) -> Result<Vec<Val<'c>>>,
    ) -> Result<()> {
        let Some(block) = op.body(region) else { return Ok(()) };
        let inner = self.into_block(block);
        let yielded = body(inner, &block.arg_list())?;
        inner.op(terminator, &yielded, &[]);
        Ok(())
    }
}
