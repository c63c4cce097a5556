//! Buffers: views of allocations that all values of one handle share.
//!
//! What a compiled program must not do is a fault here: to read or write beyond a view, to use memory that is freed, on
//! the heap or with the function that had it on its stack, to free it twice or by a view of a part, and to use what was
//! never written.

use std::collections::HashMap;

use super::control::{set_arguments, set_results};
use super::scalar::{float, integer};
use super::tensor::advance;
use super::{Frame, Machine, check_type};
use crate::fault::{Fault, fault};
use crate::program::{Elem, Extent, MemoryOp, Op, Opcode, SliceSpec, Type};
use crate::value::{Tensor, Value, View};

/// All memory of a run.
#[derive(Default)]
pub(super) struct Memory {
    /// What was allocated, or nothing when it is freed.
    blocks: Vec<Option<Block>>,
    /// The allocations on the stack.
    stack: Vec<usize>,
    globals: HashMap<String, View>,
}

struct Block {
    cells: Vec<Value>,
    elem: Elem,
}

impl Memory {
    pub(super) fn stack_size(&self) -> usize {
        self.stack.len()
    }

    /// Frees what a function had on the stack.
    pub(super) fn leave(&mut self, stack: usize) {
        for number in self.stack.drain(stack..) {
            self.blocks[number] = None;
        }
    }

    fn block(&mut self, view: &View) -> Result<&mut Block, Fault> {
        match self.blocks.get_mut(view.block) {
            Some(Some(block)) => Ok(block),
            _ => fault("uses memory that is freed"),
        }
    }

    fn cell(&mut self, view: &View, index: &[usize]) -> Result<&mut Value, Fault> {
        if index.len() != view.sizes.len() {
            return fault(format!(
                "{} indices for a buffer of rank {}",
                index.len(),
                view.sizes.len()
            ));
        }
        let mut position = view.offset;
        for (d, (&i, &size)) in index.iter().zip(&view.sizes).enumerate() {
            if i >= size {
                return fault(format!(
                    "index {i} is out of bounds for dimension {d} of size {size}"
                ));
            }
            position += i as i64 * view.strides[d];
        }
        let cells = &mut self.block(view)?.cells;
        let count = cells.len();
        let cell = usize::try_from(position).ok().and_then(|position| cells.get_mut(position));
        cell.map_or_else(|| fault(format!("is beyond an allocation of {count} elements")), Ok)
    }
}

/// All indices of a shape, in order.
fn indices(sizes: &[usize]) -> impl Iterator<Item = Vec<usize>> {
    let (sizes, mut index) = (sizes.to_vec(), vec![0; sizes.len()]);
    (0..sizes.iter().product()).map(move |_| {
        let this = index.clone();
        advance(&mut index, &sizes);
        this
    })
}

/// The strides of an array whose last dimension is dense.
fn row_major(sizes: &[usize]) -> Vec<i64> {
    let mut strides = vec![1; sizes.len()];
    for d in (1..sizes.len()).rev() {
        strides[d - 1] = strides[d] * sizes[d] as i64;
    }
    strides
}

/// What begins at a place, of the innermost dimensions.
fn window(of: &View, index: &[usize], sizes: &[usize]) -> Result<View, Fault> {
    let rank = of.sizes.len();
    if index.len() != rank || sizes.len() > rank {
        return fault(format!("{} indices for a buffer of rank {rank}", index.len()));
    }
    let outer = rank - sizes.len();
    let mut view = View { sizes: sizes.to_vec(), strides: of.strides[outer..].to_vec(), ..*of };
    for (d, &i) in index.iter().enumerate() {
        let length = d.checked_sub(outer).map_or(1, |inner| sizes[inner]);
        if i + length > of.sizes[d] {
            return fault(format!(
                "{length} elements from index {i} are out of bounds for dimension {d} of size {}",
                of.sizes[d]
            ));
        }
        view.offset += i as i64 * of.strides[d];
    }
    Ok(view)
}

impl Machine<'_> {
    /// A rehearsal leaves memory alone: its results are zeros.
    pub(super) fn memory_op(
        &mut self,
        frame: &mut Frame,
        op: &Op,
        code: &MemoryOp,
    ) -> Result<(), Fault> {
        if self.rehearses {
            return fault("memory is not for rehearsals");
        }
        let first = op.operands.first().map(|&operand| frame.get(operand).clone());
        let first = first.unwrap_or_default();
        let value = match code {
            MemoryOp::Alloc { on_stack } => {
                let sizes = self.result_shape(frame, op, &op.operands)?;
                let view = self.allocate(sizes, op.result_types[0].elem());
                if *on_stack {
                    self.memory.stack.push(view.block);
                }
                Value::Memory(view)
            }
            MemoryOp::Global(name, initial) => self.global(op, name, initial.as_ref())?,
            MemoryOp::Dealloc => return self.free(first.view()?),
            MemoryOp::Load => {
                let index = frame.sizes(&op.operands[1..])?;
                self.read(first.view()?, &index)?
            }
            MemoryOp::Store => {
                let index = frame.sizes(&op.operands[2..])?;
                return self.write(frame.get(op.operands[1]).view()?, &index, first);
            }
            MemoryOp::LoadVector => {
                let index = frame.sizes(&op.operands[1..])?;
                let sizes = self.result_shape(frame, op, &[])?;
                Value::Tensor(self.contents(&window(first.view()?, &index, &sizes)?)?)
            }
            MemoryOp::StoreVector => {
                let index = frame.sizes(&op.operands[2..])?;
                let to = frame.get(op.operands[1]).view()?;
                let to = window(to, &index, first.tensor()?.shape())?;
                return self.fill_with(&to, &first);
            }
            MemoryOp::Copy => {
                let to = frame.get(op.operands[1]).view()?.clone();
                return self.copy(first.view()?, &to);
            }
            MemoryOp::Cast => first,
            MemoryOp::Subview(spec) => {
                Value::Memory(self.subview(frame, op, first.view()?, spec)?)
            }
            MemoryOp::Reinterpret(parts) => {
                Value::Memory(self.reinterpret(frame, op, first.view()?, parts)?)
            }
            MemoryOp::Expand(extents, groups) => {
                let sizes = self.extents(frame, extents, &mut op.operands[1..].iter())?;
                Value::Memory(expanded(first.view()?, sizes, groups)?)
            }
            MemoryOp::Collapse(groups) => Value::Memory(collapsed(first.view()?, groups)?),
            MemoryOp::Transpose(order) => {
                let view = first.view()?;
                let sizes = order.iter().map(|&d| view.sizes[d]).collect();
                let strides = order.iter().map(|&d| view.strides[d]).collect();
                Value::Memory(View { sizes, strides, ..view.clone() })
            }
            MemoryOp::Metadata => return self.metadata(frame, op, first.view()?),
            MemoryOp::Dim => {
                let dimension = frame.get(op.operands[1]).size()?;
                let size = first.view()?.sizes.get(dimension);
                match size {
                    Some(&size) => Value::Int(size as i64),
                    None => return fault(format!("there is no dimension {dimension}")),
                }
            }
            MemoryOp::Rank => Value::Int(first.view()?.sizes.len() as i64),
            MemoryOp::Update(code) => self.update_cell(frame, op, code.as_deref())?,
            MemoryOp::ToTensor => Value::Tensor(self.contents(first.view()?)?),
            MemoryOp::Clone => {
                let contents = match first {
                    Value::Memory(view) => self.contents(&view)?,
                    other => other.into_tensor()?,
                };
                let view = self.allocate(contents.shape().to_vec(), op.result_types[0].elem());
                self.fill_with(&view, &Value::Tensor(contents))?;
                Value::Memory(view)
            }
            MemoryOp::Fill => {
                let to = frame.get(op.operands[1]).view()?.clone();
                return self.fill_with(&to, &first);
            }
            MemoryOp::Nothing => return Ok(()),
        };
        if let Value::Memory(_) = value {
            check_type(&op.result_types[0], &value)?;
        }
        frame.set(op.results[0], value);
        Ok(())
    }

    pub(super) fn allocate(&mut self, sizes: Vec<usize>, elem: Elem) -> View {
        let count = sizes.iter().product();
        self.counts.allocated(count);
        self.memory.blocks.push(Some(Block { cells: vec![Value::Empty; count], elem }));
        let strides = row_major(&sizes);
        View { block: self.memory.blocks.len() - 1, offset: 0, sizes, strides }
    }

    fn global(&mut self, op: &Op, name: &str, initial: Option<&Value>) -> Result<Value, Fault> {
        if let Some(view) = self.memory.globals.get(name) {
            return Ok(Value::Memory(view.clone()));
        }
        let sizes: Vec<usize> = op.result_types[0].dims().iter().flatten().copied().collect();
        let view = self.allocate(sizes, op.result_types[0].elem());
        if let Some(initial) = initial {
            self.fill_with(&view, initial)?;
        }
        self.memory.globals.insert(name.to_string(), view.clone());
        Ok(Value::Memory(view))
    }

    fn free(&mut self, view: &View) -> Result<(), Fault> {
        let is_constant = self.memory.globals.values().any(|global| global.block == view.block);
        if is_constant || self.memory.stack.contains(&view.block) {
            return fault("frees memory that is not on the heap");
        }
        let count: usize = view.sizes.iter().product();
        if view.offset != 0 || self.memory.block(view)?.cells.len() < count {
            return fault("frees a part of an allocation");
        }
        self.memory.blocks[view.block] = None;
        Ok(())
    }

    fn read(&mut self, view: &View, index: &[usize]) -> Result<Value, Fault> {
        self.counts.reads += 1;
        Ok(match self.memory.cell(view, index)? {
            Value::Empty => Value::Poison(Fault::new("uses memory that was never written")),
            value => value.clone(),
        })
    }

    fn write(&mut self, view: &View, index: &[usize], value: Value) -> Result<(), Fault> {
        self.counts.writes += 1;
        *self.memory.cell(view, index)? = value;
        Ok(())
    }

    /// Writes all elements.
    pub(super) fn write_all(
        &mut self,
        view: &View,
        mut value: impl FnMut(usize) -> Result<Value, Fault>,
    ) -> Result<(), Fault> {
        for (i, index) in indices(&view.sizes).enumerate() {
            self.write(view, &index, value(i)?)?;
        }
        Ok(())
    }

    /// As if all were read before any is written.
    fn copy(&mut self, from: &View, to: &View) -> Result<(), Fault> {
        if from.sizes != to.sizes {
            return fault(format!("copies shape {:?} to {:?}", from.sizes, to.sizes));
        }
        let mut cells = vec![];
        for index in indices(&from.sizes) {
            cells.push(self.memory.cell(from, &index)?.clone());
        }
        self.counts.reads += cells.len() as u64;
        self.write_all(to, |i| Ok(cells[i].clone()))
    }

    /// What is in a buffer; what was never written is NaN, or an integer that stands out.
    pub(super) fn contents(&mut self, view: &View) -> Result<Tensor, Fault> {
        let elem = self.memory.block(view)?.elem;
        let unset = match elem {
            Elem::Float(_) => Value::Float(f64::NAN),
            Elem::Complex(_) => Value::Complex([f64::NAN; 2]),
            _ => Value::Int(super::tensor::UNSET),
        };
        let mut cells = vec![];
        for index in indices(&view.sizes) {
            cells.push(match self.memory.cell(view, &index)? {
                Value::Empty | Value::Poison(_) => unset.clone(),
                value => value.clone(),
            });
        }
        self.counts.reads += cells.len() as u64;
        let mut shape = view.sizes.clone();
        if let Some(Value::Tensor(lanes)) = cells.first() {
            shape.extend_from_slice(lanes.shape());
        }
        Ok(if elem.is_float() {
            Tensor::from_floats(&shape, cells.iter().flat_map(Value::float_elements).collect())
        } else if elem.is_complex() {
            let numbers: Result<_, _> = cells.iter().map(Value::complex).collect();
            Tensor::from_complexes(&shape, numbers?)
        } else {
            let numbers: Result<_, _> = cells.iter().map(Value::int).collect();
            Tensor::from_ints(&shape, numbers?)
        })
    }

    /// Writes a tensor of the same shape; the innermost dimensions may be those of vectors.
    pub(super) fn fill_with(&mut self, view: &View, value: &Value) -> Result<(), Fault> {
        let tensor = value.tensor()?;
        let Some(lanes) = tensor.shape().strip_prefix(&view.sizes[..]) else {
            return fault(format!("fills shape {:?} with {:?}", view.sizes, tensor.shape()));
        };
        let width: usize = lanes.iter().product();
        self.write_all(view, |i| {
            Ok(match lanes {
                [] => tensor.element(i),
                _ => Value::Tensor(tensor.window(i * width, lanes.into())),
            })
        })
    }

    fn subview(
        &mut self,
        frame: &Frame,
        op: &Op,
        of: &View,
        spec: &SliceSpec,
    ) -> Result<View, Fault> {
        let slice = self.slice(frame, op, spec, 1)?;
        let [offsets, sizes, strides] = slice.parts(&of.sizes)?;
        let mut view = View { sizes: vec![], strides: vec![], ..of.clone() };
        for d in 0..sizes.len() {
            view.offset += offsets[d] as i64 * of.strides[d];
            if !spec.dropped[d] {
                view.sizes.push(sizes[d]);
                view.strides.push(strides[d] as i64 * of.strides[d]);
            }
        }
        Ok(view)
    }

    fn reinterpret(
        &mut self,
        frame: &Frame,
        op: &Op,
        of: &View,
        [offsets, sizes, strides]: &[Vec<Extent>; 3],
    ) -> Result<View, Fault> {
        let mut dynamic = op.operands[1..].iter();
        let offset = self.extents(frame, offsets, &mut dynamic)?.first().copied().unwrap_or(0);
        let sizes = self.extents(frame, sizes, &mut dynamic)?;
        let strides = self.extents(frame, strides, &mut dynamic)?;
        let strides = strides.into_iter().map(|stride| stride as i64).collect();
        Ok(View { block: of.block, offset: offset as i64, sizes, strides })
    }

    fn metadata(&mut self, frame: &mut Frame, op: &Op, view: &View) -> Result<(), Fault> {
        let base = View { offset: 0, sizes: vec![], strides: vec![], ..view.clone() };
        let sizes = view.sizes.iter().map(|&size| Value::Int(size as i64));
        let strides = view.strides.iter().map(|&stride| Value::Int(stride));
        let start = [Value::Memory(base), Value::Int(view.offset)];
        set_results(frame, op, start.into_iter().chain(sizes).chain(strides).collect::<Vec<_>>());
        Ok(())
    }

    /// `atomic_rmw` gives the new element in its generic form and the old one else.
    fn update_cell(
        &mut self,
        frame: &mut Frame,
        op: &Op,
        code: Option<&Opcode>,
    ) -> Result<Value, Fault> {
        let at = usize::from(code.is_some());
        let view = frame.get(op.operands[at]).view()?.clone();
        let index = frame.sizes(&op.operands[at + 1..])?;
        let old = self.read(&view, &index)?;
        let Some(code) = code else {
            let region = &op.regions[0];
            set_arguments(frame, region, [old]);
            self.run(frame, region)?;
            let new = frame.get(region.yields[0]).clone();
            self.write(&view, &index, new.clone())?;
            return Ok(new);
        };
        let by = frame.get(op.operands[0]).clone();
        let new = match code {
            Opcode::FloatBinary(f, kind) => {
                Value::Float(float::binary(*f, *kind, old.float()?, by.float()?))
            }
            Opcode::IntBinary(f, width) => {
                Value::Int(integer::binary(*f, *width, old.int()?, by.int()?)?)
            }
            _ => by,
        };
        self.write(&view, &index, new)?;
        Ok(old)
    }

    /// Arrays that a run is given, as buffers where a function takes buffers.
    pub(super) fn buffers_of(
        &mut self,
        types: &[Type],
        inputs: &[Value],
    ) -> Result<Vec<Value>, Fault> {
        let mut given = vec![];
        for (i, value) in inputs.iter().enumerate() {
            given.push(match (types.get(i), value) {
                (Some(Type::Memory(ty)), Value::Tensor(tensor)) => {
                    let view = self.allocate(tensor.shape().to_vec(), ty.elem);
                    self.fill_with(&view, value)?;
                    Value::Memory(view)
                }
                _ => value.clone(),
            });
        }
        Ok(given)
    }

    /// What a run gives, with arrays in place of buffers.
    pub(super) fn contents_of(&mut self, results: Vec<Value>) -> Result<Vec<Value>, Fault> {
        let mut contents = vec![];
        for value in results {
            contents.push(match value {
                Value::Memory(view) => Value::Tensor(self.contents(&view)?),
                other => other,
            });
        }
        Ok(contents)
    }
}

/// Each dimension as several.
fn expanded(of: &View, sizes: Vec<usize>, groups: &[Vec<usize>]) -> Result<View, Fault> {
    let mut strides = vec![1; sizes.len()];
    for (d, group) in groups.iter().enumerate() {
        let count: usize = group.iter().map(|&part| sizes[part]).product();
        if of.sizes.get(d) != Some(&count) {
            return fault(format!("expands shape {:?} to {sizes:?}", of.sizes));
        }
        let mut stride = of.strides[d];
        for &part in group.iter().rev() {
            strides[part] = stride;
            stride *= sizes[part] as i64;
        }
    }
    Ok(View { sizes, strides, ..of.clone() })
}

/// Several dimensions as one.
fn collapsed(of: &View, groups: &[Vec<usize>]) -> Result<View, Fault> {
    let (mut sizes, mut strides) = (vec![], vec![]);
    for group in groups {
        let mut kept = group.iter().copied().filter(|&d| of.sizes[d] != 1);
        let mut last = kept.next();
        for d in kept {
            if let Some(outer) = last
                && of.strides[outer] != of.strides[d] * of.sizes[d] as i64
            {
                return fault(format!("collapses dimension {d}, which is not dense"));
            }
            last = Some(d);
        }
        sizes.push(group.iter().map(|&d| of.sizes[d]).product());
        strides.push(last.map_or(1, |d| of.strides[d]));
    }
    Ok(View { sizes, strides, ..of.clone() })
}
