//! The interpreter: what every supported op means, in the plainest terms.
//!
//! `Machine::call` runs a function on values; `run` does it on a thread with a stack deep enough for recursive programs.
//! Parallel constructs run in order of their index, so that a run is reproducible to the last bit.
//! Invariant: a program that decoded never makes the interpreter panic; what goes wrong at run time is a `Fault` located at its op.

pub mod atl;
mod blocks;
mod control;
mod gather;
mod linalg;
mod memory;
mod noise;
mod parallel;
mod relayout;
mod rows;
pub mod scalar;
mod sizes;
mod slice;
mod soac;
mod tape;
mod tensor;
mod update;
mod vector;

use crate::counts::Counts;
use crate::fault::{Fault, fault};
use crate::program::{NOWHERE, Op, Opcode, Operand, Program, RecordOp, Region, Slot, Type};
use crate::value::{Tensor, Value, element_count};
use noise::Noise;
use scalar::{float, integer};

/// Bounds on a run, so that no program hangs or exhausts the stack or the memory.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub call_depth: usize,
    pub steps: u64,
    /// Elements of an array.
    pub elements: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { call_depth: 2000, steps: u64::MAX, elements: 1 << 40 }
    }
}

/// What a run produced and what it cost.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub results: Vec<Value>,
    pub counts: Counts,
}

/// Runs the function `entry` of `program`.
pub fn run(program: &Program, entry: &str, inputs: &[Value]) -> Result<Outcome, Fault> {
    run_limited(program, entry, inputs, Limits::default())
}

/// As `run`, with explicit bounds.
pub fn run_limited(
    program: &Program,
    entry: &str,
    inputs: &[Value],
    limits: Limits,
) -> Result<Outcome, Fault> {
    run_noisy(program, entry, inputs, limits, None)
}

/// As `run_limited`; with a seed for noise, results are off by a unit of rounding, up or down as is drawn.
pub fn run_noisy(
    program: &Program,
    entry: &str,
    inputs: &[Value],
    limits: Limits,
    noise: Option<u64>,
) -> Result<Outcome, Fault> {
    const STACK: usize = 1 << 30;
    let Some(index) = program.functions.iter().position(|f| f.name == entry) else {
        return fault(format!("no function '{entry}'"));
    };
    let body = || {
        let mut machine = Machine {
            program,
            counts: Counts::default(),
            depth: 0,
            limits,
            noise: noise.map(Noise::new),
            point: vec![],
            shared: vec![],
            tapes: vec![],
            memory: memory::Memory::default(),
            rehearses: false,
            rehearsed: 0,
        };
        let function = &program.functions[index];
        let inputs = machine.buffers_of(&function.inputs, inputs)?;
        let results = machine.call(index, inputs)?;
        let results = machine.contents_of(results)?;
        if let Some(Value::Poison(cause)) = results.iter().find(|r| matches!(r, Value::Poison(_))) {
            return Err(cause.clone());
        }
        machine.check_tapes()?;
        Ok(Outcome { results, counts: machine.counts })
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, body);
        match thread.map(|t| t.join()) {
            Ok(Ok(outcome)) => outcome,
            _ => fault("internal error: the interpreter's thread failed"),
        }
    })
}

/// The state of a run.
pub struct Machine<'p> {
    program: &'p Program,
    counts: Counts,
    depth: usize,
    limits: Limits,
    /// Where results are not to be rounded to the nearest number.
    noise: Option<Noise>,
    /// Where the structured operation around is in its iteration space.
    point: Vec<usize>,
    /// For every `scf.forall` that runs, its results so far by the slot of the body's argument.
    shared: Vec<Vec<(Slot, Tensor)>>,
    /// All tapes that were made.
    tapes: Vec<tape::Tape>,
    /// All buffers that were allocated.
    memory: memory::Memory,
    /// Whether what runs is only for the sizes that it makes (see `rows`).
    rehearses: bool,
    /// Steps that were taken for sizes and not counted.
    rehearsed: u64,
}

/// The values of one activation of a function.
#[derive(Clone)]
pub(crate) struct Frame(Vec<Value>);

impl Frame {
    fn get(&self, operand: Operand) -> &Value {
        &self.0[operand.slot as usize]
    }

    /// The value, moved out at its last use.
    fn take(&mut self, operand: Operand) -> Value {
        let slot = &mut self.0[operand.slot as usize];
        if operand.last { std::mem::take(slot) } else { slot.clone() }
    }

    fn set(&mut self, slot: Slot, value: Value) {
        if slot != NOWHERE {
            self.0[slot as usize] = value;
        }
    }

    fn take_all(&mut self, operands: &[Operand]) -> Vec<Value> {
        operands.iter().map(|&o| self.take(o)).collect()
    }

    fn sizes(&self, operands: &[Operand]) -> Result<Vec<usize>, Fault> {
        operands.iter().map(|&o| self.get(o).size()).collect()
    }
}

impl Machine<'_> {
    /// Runs the function with the given index.
    fn call(&mut self, index: usize, inputs: Vec<Value>) -> Result<Vec<Value>, Fault> {
        let program = self.program;
        let Some(function) = program.functions.get(index) else {
            return fault("internal error: no such function");
        };
        let Some(body) = &function.body else {
            return fault(format!("'{}' has no body", function.name));
        };
        check_inputs(&function.inputs, &inputs)?;
        if self.depth >= self.limits.call_depth {
            return fault(format!("calls nest deeper than {}", self.limits.call_depth));
        }
        self.depth += 1;
        let stack = self.memory.stack_size();
        let mut frame = Frame(vec![Value::Empty; function.slots]);
        for (&slot, value) in body.arguments.iter().zip(inputs) {
            frame.set(slot, value);
        }
        self.run(&mut frame, body)?;
        self.depth -= 1;
        self.memory.leave(stack);
        Ok(frame.take_all(&body.yields))
    }

    /// Runs the ops of a region; the caller has set its arguments and reads its yields.
    fn run(&mut self, frame: &mut Frame, region: &Region) -> Result<(), Fault> {
        if self.rehearses {
            return self.rehearse(frame, region);
        }
        if self.counts.steps.saturating_add(self.rehearsed) > self.limits.steps {
            return fault(format!("the program takes more than {} steps", self.limits.steps));
        }
        for &slot in &region.dead_on_entry {
            frame.set(slot, Value::Empty);
        }
        if !region.graph.is_empty() {
            return self.run_graph(frame, region, &region.graph);
        }
        for op in &region.ops {
            self.counts.steps += 1;
            self.counts.span += 1;
            match self.step(frame, op) {
                Ok(()) => {}
                Err(fault) if matches!(op.code, Opcode::Extract | Opcode::ExtractSlice(_)) => {
                    frame.set(op.results[0], Value::Poison(self.locate(fault, op)));
                }
                Err(fault) => return Err(self.locate(fault, op)),
            }
        }
        Ok(())
    }

    /// The number of elements of a shape, or a fault when there are too many.
    fn element_count(&self, shape: &[usize]) -> Result<usize, Fault> {
        element_count(shape, self.limits.elements)
    }

    fn locate(&self, fault: Fault, op: &Op) -> Fault {
        let text = |list: &[String], i: u32| list.get(i as usize).cloned().unwrap_or_default();
        fault.at(&text(&self.program.names, op.name), &text(&self.program.locations, op.location))
    }

    /// Runs one op: scalar operations at once, the rest by dialect.
    fn step(&mut self, frame: &mut Frame, op: &Op) -> Result<(), Fault> {
        if let Some(value) = self.scalar_step(frame, op) {
            frame.set(op.results[0], value);
            return Ok(());
        }
        match &op.code {
            Opcode::Constant(value) => frame.set(op.results[0], value.clone()),
            Opcode::Identity => self.identity(frame, op),
            Opcode::Select => self.select(frame, op)?,
            Opcode::Record(code) => self.record(frame, op, *code)?,
            code if scalar::is_elementwise(code) => self.elementwise(frame, op)?,
            _ => self.structured(frame, op)?,
        }
        Ok(())
    }

    /// The commonest scalar operations; `None` when the operands are tensors or the op is another one.
    fn scalar_step(&mut self, frame: &Frame, op: &Op) -> Option<Value> {
        match (&op.code, &*op.operands) {
            (Opcode::FloatBinary(f, kind), &[a, b]) => {
                let (Value::Float(x), Value::Float(y)) = (frame.get(a), frame.get(b)) else {
                    return None;
                };
                if f.is_elementary() {
                    self.counts.math_ops += 1
                } else {
                    self.counts.float_ops += 1
                }
                Some(self.rounded(&op.code, float::binary(*f, *kind, *x, *y)))
            }
            (Opcode::FloatUnary(f, kind), &[a]) => {
                let Value::Float(x) = frame.get(a) else { return None };
                if f.is_elementary() {
                    self.counts.math_ops += 1
                } else {
                    self.counts.float_ops += 1
                }
                Some(self.rounded(&op.code, float::unary(*f, *kind, *x)))
            }
            (Opcode::FloatCompare(f), &[a, b]) => {
                let (Value::Float(x), Value::Float(y)) = (frame.get(a), frame.get(b)) else {
                    return None;
                };
                self.counts.float_ops += 1;
                Some(Value::Int(i64::from(float::compare(*f, *x, *y))))
            }
            (Opcode::IntCompare(f, width), &[a, b]) => {
                let (Value::Int(x), Value::Int(y)) = (frame.get(a), frame.get(b)) else {
                    return None;
                };
                self.counts.int_ops += 1;
                Some(Value::Int(i64::from(integer::compare(*f, *width, *x, *y))))
            }
            _ => None,
        }
    }

    /// A result of a float operation, with noise if there is any.
    fn rounded(&mut self, code: &Opcode, x: f64) -> Value {
        Value::Float(self.noise.as_mut().map_or(x, |noise| noise.on(code, x)))
    }

    fn identity(&mut self, frame: &mut Frame, op: &Op) {
        for (&operand, &result) in op.operands.iter().zip(op.results.iter()) {
            let value = frame.take(operand);
            frame.set(result, value);
        }
    }

    fn record(&mut self, frame: &mut Frame, op: &Op, code: RecordOp) -> Result<(), Fault> {
        let mut operands = frame.take_all(&op.operands).into_iter();
        let mut next = || operands.next().unwrap_or_default();
        let result = match code {
            RecordOp::Make => Value::Record(operands.collect()),
            RecordOp::Get(position) => {
                next().into_fields()?.into_iter().nth(position).unwrap_or_default()
            }
            RecordOp::Set(position) => {
                let (mut fields, value) = (next().into_fields()?, next());
                if let Some(field) = fields.get_mut(position) {
                    *field = value;
                }
                Value::Record(fields)
            }
        };
        frame.set(op.results[0], result);
        Ok(())
    }

    /// `arith.select` on whole values; an elementwise condition goes element by element.
    fn select(&mut self, frame: &mut Frame, op: &Op) -> Result<(), Fault> {
        let &[condition, yes, no] = &*op.operands else {
            return fault("internal error: select without three operands");
        };
        if let Value::Int(chosen) = *frame.get(condition) {
            let (yes, no) = (frame.take(yes), frame.take(no));
            frame.set(op.results[0], if chosen != 0 { yes } else { no });
            return Ok(());
        }
        self.elementwise(frame, op)
    }

    /// Ops with regions or arrays, by dialect.
    fn structured(&mut self, frame: &mut Frame, op: &Op) -> Result<(), Fault> {
        use Opcode::*;
        match &op.code {
            If
            | For { .. }
            | While
            | Execute
            | IndexSwitch(_)
            | Call(_)
            | Closure(_)
            | CallValue
            | Assert(_)
            | Poison => self.control(frame, op),
            Extract
            | Insert
            | Dim
            | Rank
            | Empty
            | Splat
            | FromElements
            | Generate
            | Collapse(_)
            | Expand(..)
            | TensorCast
            | Reshape
            | GatherSlices(_)
            | ScatterSlices(_)
            | Concat(_)
            | Pad { .. } => self.tensor_op(frame, op),
            ExtractSlice(spec) => self.extract_slice(frame, op, spec),
            InsertSlice(spec) => self.insert_slice(frame, op, spec),
            Vector(code) => self.vector_op(frame, op, code),
            Parallel => self.parallel(frame, op),
            Forall(columns) => self.forall(frame, op, columns),
            ParallelInsert(spec) => self.parallel_insert(frame, op, spec),
            Softmax(along, kind) => self.softmax(frame, op, *along, *kind),
            Relayout(spec) => self.relayout(frame, op, spec),
            Fill | Generic(_) | PointIndex(_) => self.linalg_op(frame, op),
            Atl(code) => self.atl_op(frame, op, code),
            Tape(code) => self.tape_op(frame, op, *code),
            Memory(code) => self.memory_op(frame, op, code),
            _ => self.soac_op(frame, op),
        }
    }
}

/// Checks values against the types of a function's arguments.
fn check_inputs(types: &[Type], inputs: &[Value]) -> Result<(), Fault> {
    if types.len() != inputs.len() {
        return fault(format!("takes {} arguments, got {}", types.len(), inputs.len()));
    }
    for (i, (ty, value)) in types.iter().zip(inputs).enumerate() {
        check_type(ty, value).map_err(|f| Fault::new(format!("argument {i}: {}", f.message())))?;
    }
    Ok(())
}

/// Checks that a value fits a type, static dimensions included.
fn check_type(ty: &Type, value: &Value) -> Result<(), Fault> {
    let tensor = match (ty, value) {
        (Type::Memory(memory), Value::Memory(view)) => {
            let fits = |(want, &got): (&Option<usize>, &usize)| want.is_none_or(|n| n == got);
            let is_same = memory.dims.len() == view.sizes.len();
            return match is_same && memory.dims.iter().zip(&view.sizes).all(fits) {
                true => Ok(()),
                false => fault(format!("expects {}, got {}", ty.text(), value.describe())),
            };
        }
        (Type::Scalar(elem), Value::Float(_)) if elem.is_float() => return Ok(()),
        (Type::Scalar(elem), Value::Complex(_)) if elem.is_complex() => return Ok(()),
        (Type::Scalar(elem), Value::Int(_)) if !elem.is_float() && !elem.is_complex() => {
            return Ok(());
        }
        (Type::Acc(_), Value::Acc(None)) | (Type::Tape, Value::Tape(_)) => return Ok(()),
        (Type::Function, Value::Function(..)) => return Ok(()),
        (Type::Pair(types), Value::Pair(halves)) => {
            check_type(&types[0], &halves[0])?;
            return check_type(&types[1], &halves[1]);
        }
        (Type::Record(types), Value::Record(fields)) => return check_inputs(types, fields),
        (Type::Tensor(_), Value::Tensor(tensor)) | (Type::Acc(_), Value::Acc(Some(tensor))) => {
            tensor
        }
        _ => return value.misfit(&format!("expects {}", ty.text())),
    };
    let fits = tensor.rank() == ty.dims().len()
        && tensor.holds(ty.elem())
        && ty.dims().iter().zip(tensor.shape()).all(|(want, &got)| want.is_none_or(|n| n == got));
    if fits {
        Ok(())
    } else {
        fault(format!("expects {}, got shape {:?}", ty.text(), tensor.shape()))
    }
}
