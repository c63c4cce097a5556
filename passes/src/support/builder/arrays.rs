//! Tensors: sizes, zeros, elements, rows and slices.

use ad_dialect::ir::{BlkExt, DYNAMIC, OpExt, TyExt, Val, tensor_type};
use melior::ir::{
    Attribute, Type, ValueLike,
    attribute::{ArrayAttribute, IntegerAttribute},
    r#type::IntegerType,
};

use super::{Builder, CMP_ULT, single};
use crate::support::diag::Result;

impl<'c> Builder<'c> {
    /// The size of a tensor along a dimension; a constant where it is static.
    pub fn dim(&self, tensor: Val<'c>, dimension: usize) -> Val<'c> {
        match tensor.r#type().shape().get(dimension) {
            Some(&size) if size != DYNAMIC => self.index(size),
            _ => {
                let dimension = self.index(dimension as i64);
                self.val("tensor.dim", &[tensor, dimension], self.index_type())
            }
        }
    }

    /// The dynamic sizes of a tensor, in order; none for a scalar.
    pub fn dynamic_dims(&self, tensor: Val<'c>) -> Vec<Val<'c>> {
        let shape = tensor.r#type().shape();
        (0..shape.len()).filter(|&i| shape[i] == DYNAMIC).map(|i| self.dim(tensor, i)).collect()
    }

    /// An uninitialised tensor with the given dynamic sizes.
    pub fn empty(&self, r#type: Type<'c>, sizes: &[Val<'c>]) -> Val<'c> {
        self.val("tensor.empty", sizes, r#type)
    }

    /// One of a float or complex type.
    pub fn one(&self, float: Type<'c>) -> Val<'c> {
        self.number(float, 1.0)
    }

    /// Zero of a scalar or vector type.
    pub fn zero_scalar(&self, scalar: Type<'c>) -> Val<'c> {
        if !scalar.is_int_or_index_type() {
            return self.number(scalar, 0.0);
        }
        let attribute = IntegerAttribute::new(scalar, 0).into();
        self.val_with("arith.constant", &[], scalar, &[("value", attribute)])
    }

    /// Zero with the type and the sizes of a value.
    pub fn zeros_like(&self, like: Val<'c>) -> Val<'c> {
        self.zeros(like.r#type(), &self.dynamic_dims(like))
    }

    /// Zero of a type with the given dynamic sizes.
    pub fn zeros(&self, full: Type<'c>, sizes: &[Val<'c>]) -> Val<'c> {
        if full.as_tensor().is_none() {
            return self.zero_scalar(full);
        }
        let zero = self.zero_scalar(full.scalar());
        let empty = self.empty(full, sizes);
        self.fill(zero, empty)
    }

    /// A tensor of the type and sizes of `target` with every element `value`.
    pub fn fill(&self, value: Val<'c>, target: Val<'c>) -> Val<'c> {
        let scalar = value.r#type();
        let op = self.op_with(
            "linalg.fill",
            &[value, target],
            &[target.r#type()],
            &[("operandSegmentSizes", self.i32s_attr(&[1, 1]))],
            &[vec![scalar, scalar]],
        );
        if let Some(body) = op.body(0) {
            let arguments = body.arg_list();
            self.into_block(body).op("linalg.yield", &arguments[..1], &[]);
        }
        single(op)
    }

    /// The element of a tensor at an index.
    pub fn extract(&self, tensor: Val<'c>, indices: &[Val<'c>]) -> Val<'c> {
        let mut operands = vec![tensor];
        operands.extend_from_slice(indices);
        self.val("tensor.extract", &operands, tensor.r#type().scalar())
    }

    /// The tensor with the element at an index replaced.
    pub fn insert_element(&self, value: Val<'c>, tensor: Val<'c>, indices: &[Val<'c>]) -> Val<'c> {
        let mut operands = vec![value, tensor];
        operands.extend_from_slice(indices);
        self.val("tensor.insert", &operands, tensor.r#type())
    }

    /// The numbers of a vector, the innermost dimension fastest.
    pub fn to_elements(&self, vector: Val<'c>) -> Vec<Val<'c>> {
        let full = vector.r#type();
        let count = full.lanes().iter().product::<i64>() as usize;
        self.op("vector.to_elements", &[vector], &vec![full.scalar(); count]).result_list()
    }

    /// The tensor with another static shape; a number as a tensor without dimensions.
    pub fn cast(&self, tensor: Val<'c>, wanted: Type<'c>) -> Val<'c> {
        match tensor.r#type() {
            of if of == wanted => tensor,
            of if of.as_tensor().is_none() => self.val("tensor.from_elements", &[tensor], wanted),
            _ => self.val("tensor.cast", &[tensor], wanted),
        }
    }

    /// The row of an array at an index: an element, or a tensor of the trailing
    /// dimensions.
    pub fn row(&self, array: Val<'c>, index: Val<'c>) -> Val<'c> {
        self.element(array, &[index])
    }

    /// The row of an array at an index as a value of a type, which may be a tensor of one element.
    pub fn row_as(&self, array: Val<'c>, index: Val<'c>, wanted: Type<'c>) -> Val<'c> {
        let row = self.row(array, index);
        let is_boxed = wanted.as_tensor().is_some() && row.r#type().as_tensor().is_none();
        if is_boxed { self.val("tensor.from_elements", &[row], wanted) } else { row }
    }

    /// The array with the row at an index replaced.
    pub fn insert_row(&self, row: Val<'c>, array: Val<'c>, index: Val<'c>) -> Val<'c> {
        self.replace_element(row, array, &[index])
    }

    /// The part of an array at an index of its second dimension.
    pub fn column(&self, array: Val<'c>, index: Val<'c>) -> Val<'c> {
        let shape = array.r#type().shape();
        let mut offsets = vec![0; shape.len()];
        offsets[1] = DYNAMIC;
        let mut sizes = shape.clone();
        sizes[1] = 1;
        let mut operands = vec![array, index];
        for (i, _) in sizes.iter().enumerate().filter(|&(_, &size)| size == DYNAMIC) {
            operands.push(self.dim(array, i));
        }
        let mut part = shape.clone();
        part.remove(1);
        let result = tensor_type(&part, array.r#type().scalar());
        let segments = [1, 1, operands.len() as i32 - 2, 0];
        let statics = [offsets, sizes, vec![1; shape.len()]];
        self.slice_op("tensor.extract_slice", &operands, result, &statics, &segments)
    }

    /// What an array holds at indices of its leading dimensions: a scalar, or a
    /// tensor of the trailing dimensions.
    pub fn element(&self, array: Val<'c>, indices: &[Val<'c>]) -> Val<'c> {
        let shape = array.r#type().shape();
        if shape.len() == indices.len() {
            return self.extract(array, indices);
        }
        let (operands, statics) = self.element_position(array, indices);
        let all = [&[array], &operands[..]].concat();
        let sizes = (operands.len() - indices.len()) as i32;
        let segments = [1, indices.len() as i32, sizes, 0];
        let element = tensor_type(&shape[indices.len()..], array.r#type().scalar());
        self.slice_op("tensor.extract_slice", &all, element, &statics, &segments)
    }

    /// The array with what it holds at indices of its leading dimensions replaced; an element may be given as
    /// a tensor of one element.
    pub fn replace_element(&self, new: Val<'c>, array: Val<'c>, indices: &[Val<'c>]) -> Val<'c> {
        if array.r#type().shape().len() == indices.len() {
            let is_boxed = new.r#type().as_tensor().is_some();
            let new = if is_boxed { self.extract(new, &[]) } else { new };
            return self.insert_element(new, array, indices);
        }
        let (operands, statics) = self.element_position(array, indices);
        let all = [&[new, array], &operands[..]].concat();
        let sizes = (operands.len() - indices.len()) as i32;
        let segments = [1, 1, indices.len() as i32, sizes, 0];
        self.slice_op("tensor.insert_slice", &all, array.r#type(), &statics, &segments)
    }

    /// Operands (offsets, then sizes) and static attributes of the slice that lies
    /// at indices of the leading dimensions.
    fn element_position(
        &self,
        array: Val<'c>,
        indices: &[Val<'c>],
    ) -> (Vec<Val<'c>>, [Vec<i64>; 3]) {
        let mut sizes = array.r#type().shape();
        let rank = sizes.len();
        let mut offsets = vec![0; rank];
        offsets[..indices.len()].fill(DYNAMIC);
        sizes[..indices.len()].fill(1);
        let dynamic = (indices.len()..rank).filter(|&i| sizes[i] == DYNAMIC);
        let operands = indices.iter().copied().chain(dynamic.map(|i| self.dim(array, i))).collect();
        (operands, [offsets, sizes, vec![1; rank]])
    }

    /// An array with nothing in it in a buffer of its own.
    pub fn own_array(&self, r#type: Type<'c>, sizes: &[Val<'c>]) -> Val<'c> {
        let segments = [("operandSegmentSizes", self.i32s_attr(&[sizes.len() as i32, 0, 0]))];
        self.val_with("bufferization.alloc_tensor", sizes, r#type, &segments)
    }

    /// The same array in a buffer of its own.
    pub fn copy_of(&self, array: Val<'c>) -> Val<'c> {
        let segments = [("operandSegmentSizes", self.i32s_attr(&[0, 1, 0]))];
        self.val_with("bufferization.alloc_tensor", &[array], array.r#type(), &segments)
    }

    /// The array with groups of neighbouring dimensions made one each.
    pub fn collapse(&self, array: Val<'c>, groups: &[Vec<usize>], result: Type<'c>) -> Val<'c> {
        let attributes = [("reassociation", groups_attr(self, groups))];
        self.val_with("tensor.collapse_shape", &[array], result, &attributes)
    }

    /// The elements of an array in a row.
    pub fn flat(&self, array: Val<'c>) -> Val<'c> {
        let shape = array.r#type().shape();
        if shape.len() == 1 {
            return array;
        }
        let total = if shape.contains(&DYNAMIC) { DYNAMIC } else { shape.iter().product() };
        let flat = tensor_type(&[total], array.r#type().scalar());
        self.collapse(array, &[(0..shape.len()).collect()], flat)
    }

    /// The array with each dimension made a group of neighbouring ones; `sizes` are the dynamic
    /// sizes of the result.
    pub fn expand(
        &self,
        array: Val<'c>,
        groups: &[Vec<usize>],
        result: Type<'c>,
        sizes: &[Val<'c>],
    ) -> Val<'c> {
        let attributes = [
            ("reassociation", groups_attr(self, groups)),
            ("static_output_shape", self.i64s_attr(&result.shape())),
        ];
        self.val_with("tensor.expand_shape", &[&[array], sizes].concat(), result, &attributes)
    }

    /// An integer as an index.
    pub fn as_index(&self, value: Val<'c>) -> Val<'c> {
        self.index_as(value, self.index_type())
    }

    /// An index as a value of an integer type, or the other way round.
    pub fn index_as(&self, value: Val<'c>, wanted: Type<'c>) -> Val<'c> {
        if value.r#type() == wanted {
            value
        } else {
            self.val("arith.index_cast", &[value], wanted)
        }
    }

    /// The index before `i`, or `i` itself if it is 0.
    pub fn index_before(&self, i: Val<'c>) -> Val<'c> {
        let less = self.sub(i, self.index(1));
        self.same("arith.maxsi", &[less, self.index(0)])
    }

    /// The index after `i`, or `i` itself if it is the last one.
    pub fn index_after(&self, i: Val<'c>, size: Val<'c>) -> Val<'c> {
        let more = self.add(i, self.index(1));
        self.same("arith.minsi", &[more, self.sub(size, self.index(1))])
    }

    /// Zero of the type and sizes of what an array holds below its leading dimensions.
    pub fn zero_element(&self, array: Val<'c>, indexed: usize) -> Val<'c> {
        let shape = array.r#type().shape();
        if shape.len() == indexed {
            return self.zero_scalar(array.r#type().scalar());
        }
        let dynamic = (indexed..shape.len()).filter(|&d| shape[d] == DYNAMIC);
        let sizes: Vec<_> = dynamic.map(|d| self.dim(array, d)).collect();
        self.zeros(tensor_type(&shape[indexed..], array.r#type().scalar()), &sizes)
    }

    /// What an array holds at indices if a condition holds, which must imply that they
    /// are in range, and then a further one; otherwise zero.
    pub fn guarded_element(
        &self,
        condition: Val<'c>,
        array: Val<'c>,
        indices: &[Val<'c>],
        further: impl Fn(&Builder<'c>) -> Option<Val<'c>>,
    ) -> Result<Val<'c>> {
        let shape = array.r#type().shape();
        let scalar = array.r#type().scalar();
        let element = if shape.len() == indices.len() {
            scalar
        } else {
            tensor_type(&shape[indices.len()..], scalar)
        };
        let guarded = self.if_else(condition, &[element], |b, taken| {
            let zero = b.zero_element(array, indices.len());
            if !taken {
                return Ok(vec![zero]);
            }
            let further = further(&b);
            let element = b.element(array, indices);
            Ok(vec![further.map_or(element, |holds| b.select(holds, element, zero))])
        })?;
        Ok(guarded.result_list()[0])
    }

    /// The indices as values of type `index`, and whether each is in range for its
    /// dimension of the array; a negative one is not.
    pub fn in_range(&self, indices: &[Val<'c>], array: Val<'c>) -> (Vec<Val<'c>>, Val<'c>) {
        let mut inside: Option<Val<'c>> = None;
        let mut cast = vec![];
        for (dimension, &i) in indices.iter().enumerate() {
            let i = self.as_index(i);
            // Read as unsigned, a negative index is larger than any size.
            let below = self.compare(CMP_ULT, i, self.dim(array, dimension));
            inside = Some(match inside {
                Some(all) => self.same("arith.andi", &[all, below]),
                None => below,
            });
            cast.push(i);
        }
        (cast, inside.unwrap_or_else(|| self.truth(true)))
    }

    /// `tensor.extract_slice` or `tensor.insert_slice` from its parts.
    pub fn slice_op(
        &self,
        name: &str,
        operands: &[Val<'c>],
        result: Type<'c>,
        statics: &[Vec<i64>; 3],
        segments: &[i32],
    ) -> Val<'c> {
        // Upstream refuses any offset behind a dimension of static size; a slice of nothing is
        // nothing anyhow.
        let is_empty = |array: Val<'c>| {
            let shape = array.r#type().shape();
            let is_behind = |(&size, &offset): (&i64, &i64)| size != DYNAMIC && offset >= size;
            shape.contains(&0) || shape.iter().zip(&statics[0]).any(is_behind)
        };
        match (name, operands) {
            ("tensor.insert_slice", [_, array, ..]) if is_empty(*array) => return *array,
            ("tensor.extract_slice", [array, ..])
                if is_empty(*array) || result.shape().contains(&0) =>
            {
                let offsets = segments.get(1).copied().unwrap_or(0) as usize;
                let sizes = segments.get(2).copied().unwrap_or(0) as usize;
                let sizes = operands.get(1 + offsets..1 + offsets + sizes).unwrap_or_default();
                return self.empty(result, sizes);
            }
            _ => {}
        }
        self.val_with(
            name,
            operands,
            result,
            &[
                ("static_offsets", self.i64s_attr(&statics[0])),
                ("static_sizes", self.i64s_attr(&statics[1])),
                ("static_strides", self.i64s_attr(&statics[2])),
                ("operandSegmentSizes", self.i32s_attr(segments)),
            ],
        )
    }
}

/// How dimensions are grouped.
fn groups_attr<'c>(b: &Builder<'c>, groups: &[Vec<usize>]) -> Attribute<'c> {
    let group = |group: &Vec<usize>| {
        let dimensions: Vec<Attribute<'c>> = group
            .iter()
            .map(|&d| {
                IntegerAttribute::new(IntegerType::new(b.context(), 64).into(), d as i64).into()
            })
            .collect();
        ArrayAttribute::new(b.context(), &dimensions).into()
    };
    let groups: Vec<Attribute<'c>> = groups.iter().map(group).collect();
    ArrayAttribute::new(b.context(), &groups).into()
}
