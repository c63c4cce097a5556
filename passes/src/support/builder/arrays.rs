//! Tensors: sizes, zeros, elements, rows and slices.

use ad_dialect::ir::{BlkExt, DYNAMIC, OpExt, TyExt, Val};
use melior::ir::{
    Attribute, Type, ValueLike,
    attribute::{FloatAttribute, IntegerAttribute},
};

use super::{Builder, single};

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

    /// One of a float type.
    pub fn one(&self, float: Type<'c>) -> Val<'c> {
        let attribute = FloatAttribute::new(self.context, float, 1.0).into();
        self.val_with("arith.constant", &[], float, &[("value", attribute)])
    }

    /// Zero of a scalar type.
    pub fn zero_scalar(&self, scalar: Type<'c>) -> Val<'c> {
        let attribute: Attribute = if scalar.is_float_type() {
            FloatAttribute::new(self.context, scalar, 0.0).into()
        } else if scalar.is_complex_type() {
            return self.zero_complex(scalar);
        } else {
            IntegerAttribute::new(scalar, 0).into()
        };
        self.val_with("arith.constant", &[], scalar, &[("value", attribute)])
    }

    fn zero_complex(&self, complex: Type<'c>) -> Val<'c> {
        let element = complex.to_string();
        let part = element.trim_start_matches("complex<").trim_end_matches('>');
        let text = format!("[0.0 : {part}, 0.0 : {part}]");
        match Attribute::parse(self.context, &text) {
            Some(value) => self.val_with("complex.constant", &[], complex, &[("value", value)]),
            None => self.val("ub.poison", &[], complex),
        }
    }

    /// Zero with the type and the sizes of a value.
    pub fn zeros_like(&self, like: Val<'c>) -> Val<'c> {
        let full = like.r#type();
        if full.as_tensor().is_none() && full != full.scalar() {
            return self.float_like(like, 0.0);
        }
        self.zeros(full, &self.dynamic_dims(like))
    }

    /// Zero of a type with the given dynamic sizes.
    pub fn zeros(&self, full: Type<'c>, sizes: &[Val<'c>]) -> Val<'c> {
        let zero = self.zero_scalar(full.scalar());
        if full == full.scalar() {
            return zero;
        }
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

    /// The tensor with another static shape.
    pub fn cast(&self, tensor: Val<'c>, wanted: Type<'c>) -> Val<'c> {
        if tensor.r#type() == wanted { tensor } else { self.val("tensor.cast", &[tensor], wanted) }
    }

    /// The row of an array at an index: an element, or a tensor of the trailing
    /// dimensions.
    pub fn row(&self, array: Val<'c>, index: Val<'c>) -> Val<'c> {
        if array.r#type().shape().len() == 1 {
            return self.extract(array, &[index]);
        }
        let (operands, attributes) = self.row_position(array, index, array);
        let mut all = vec![array];
        all.extend(operands);
        let segments = [1, 1, all.len() as i32 - 2, 0];
        self.slice_op("tensor.extract_slice", &all, array.r#type().row(), &attributes, &segments)
    }

    /// The array with the row at an index replaced.
    pub fn insert_row(&self, row: Val<'c>, array: Val<'c>, index: Val<'c>) -> Val<'c> {
        if array.r#type().shape().len() == 1 {
            return self.insert_element(row, array, &[index]);
        }
        let (operands, attributes) = self.row_position(array, index, array);
        let mut all = vec![row, array];
        all.extend(operands);
        let segments = [1, 1, 1, all.len() as i32 - 3, 0];
        self.slice_op("tensor.insert_slice", &all, array.r#type(), &attributes, &segments)
    }

    /// Operands and static attributes that select the row `index` of an array.
    fn row_position(
        &self,
        array: Val<'c>,
        index: Val<'c>,
        sizes_of: Val<'c>,
    ) -> (Vec<Val<'c>>, [Vec<i64>; 3]) {
        let shape = array.r#type().shape();
        let rank = shape.len();
        let mut offsets = vec![0; rank];
        offsets[0] = DYNAMIC;
        let mut sizes = shape.clone();
        sizes[0] = 1;
        let mut operands = vec![index];
        for (i, &size) in shape.iter().enumerate().skip(1) {
            if size == DYNAMIC {
                operands.push(self.dim(sizes_of, i));
            }
        }
        (operands, [offsets, sizes, vec![1; rank]])
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
        // Upstream refuses any offset in a dimension of static size zero; a slice of
        // nothing is nothing anyhow.
        let is_empty = |r#type: Type<'c>| r#type.shape().contains(&0);
        match (name, operands) {
            ("tensor.insert_slice", [_, array, ..]) if is_empty(array.r#type()) => return *array,
            ("tensor.extract_slice", _) if is_empty(result) => {
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
