//! A module as it runs: names are numbers, and each instruction knows what it does.

use crate::{
    exec::{
        atomic::Atomic,
        matrix::{Product, Rows},
        warp::Collective,
    },
    types::Space,
    value::{Compute, Slots},
};

/// Registers that every function has: what the hardware knows of a thread.
#[derive(Clone, Copy)]
pub enum Special {
    /// `%tid`, `%ntid`, `%ctaid` and `%nctaid`: three registers each.
    Thread = 0,
    /// Threads of a block.
    Block = 3,
    /// The number of the block.
    BlockNumber = 6,
    /// Blocks of the grid.
    Grid = 9,
    /// `%laneid`.
    Lane = 12,
    /// `%warpid`.
    Warp = 13,
    /// `%nwarpid`.
    Warps = 14,
    /// `WARP_SZ`.
    WarpSize = 15,
    /// `%lanemask_eq`, `lt`, `le`, `gt` and `ge`.
    Masks = 16,
    /// `%dynamic_smem_size`.
    DynamicShared = 21,
    /// `%total_smem_size`.
    TotalShared = 22,
    /// Where a result goes that nobody wants.
    Sink = 23,
}

/// How many special registers there are.
pub const SPECIALS: usize = 24;

/// The guard of an instruction without one.
pub const ALWAYS: u32 = u32::MAX;

/// What an instruction counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Class {
    /// Integers, bits, predicates, moves.
    Integer,
    /// Single and half precision.
    Single,
    /// Double precision.
    Double,
    /// Conversions.
    Convert,
    /// Reads of shared memory.
    SharedLoad,
    /// Writes of shared memory.
    SharedStore,
    /// Reads of memory of the device.
    GlobalLoad,
    /// Writes of memory of the device.
    GlobalStore,
    /// Local memory and parameters.
    Local,
    /// Atomic operations.
    Atomic,
    /// Barriers.
    Barrier,
    /// Shuffles and votes.
    Shuffle,
    /// Branches, calls and returns.
    Branch,
    /// Products of matrices.
    Product,
}

/// Names of classes, in order.
pub const CLASSES: [&str; 14] = [
    "integer",
    "f32",
    "f64",
    "convert",
    "shared_loads",
    "shared_stores",
    "global_loads",
    "global_stores",
    "local",
    "atomics",
    "barriers",
    "shuffles",
    "branches",
    "mma",
];

/// An access of memory. The registers of an instruction are up to four values, and the address in the last place.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// Where the address points to.
    pub space: Space,
    /// Bytes of an element.
    pub bytes: u32,
    /// Elements of a vector.
    pub count: u32,
    /// What a signed element is extended to, in bits; 0 for others.
    pub extend: u32,
    /// Added to the address.
    pub offset: i64,
}

/// A copy between the parameters of a function and those of one that it calls.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// Where it is in the function that calls.
    pub outer: u32,
    /// Where it is in the one that is called.
    pub inner: u32,
    /// How many bytes.
    pub bytes: u32,
}

/// A call.
#[derive(Debug)]
pub struct Call {
    /// The number of the function.
    pub function: usize,
    /// What it is given.
    pub arguments: Vec<Pass>,
    /// What it gives.
    pub results: Vec<Pass>,
}

/// What an instruction does.
pub enum Action {
    /// It computes.
    Compute(Compute),
    /// It goes on at another instruction.
    Jump(u32),
    /// It goes on at one of several instructions, by a number from 0 on.
    Choose(Vec<u32>),
    /// It reads memory.
    Load(Access),
    /// It writes memory.
    Store(Access),
    /// It changes memory at once.
    Atomic(Access, Atomic),
    /// It calls a function.
    Call(Box<Call>),
    /// It calls `malloc`: where the size and the address are among parameters.
    Allocate(u32, u32),
    /// It calls `free`: where the address is among parameters.
    Free(u32),
    /// It calls `__assertfail`: where the address of the message is among parameters.
    Assert(u32),
    /// It returns from a function, or ends the thread.
    Return,
    /// It ends the thread.
    Exit,
    /// It ends the kernel with an error.
    Trap,
    /// All threads of a block wait here: the barrier's number is in the first register, how many threads in the second
    /// if it is not the sink.
    Barrier,
    /// Threads of a warp do this together.
    Collective(Collective),
    /// A warp multiplies matrices; all its registers are here.
    Product(Box<Product>),
    /// A warp reads matrices from shared memory; all its registers are here.
    Rows(Box<Rows>),
    /// Nothing: fences, as accesses take effect in order.
    Nothing,
}

/// An instruction.
pub struct Instruction {
    /// What it does.
    pub action: Action,
    /// Its registers.
    pub slots: Slots,
    /// A predicate, or `ALWAYS`.
    pub guard: u32,
    /// Whether the predicate must not hold.
    pub negated: bool,
    /// What it counts as.
    pub class: Class,
    /// Its line.
    pub line: u32,
}

/// A kernel or a function.
pub struct Function {
    /// Its name.
    pub name: String,
    /// Whether it is a kernel.
    pub is_kernel: bool,
    /// Its first instruction.
    pub first: u32,
    /// What registers hold at first: special ones, poison, constants.
    pub slots: Vec<u64>,
    /// Registers that hold addresses in local memory, with their distances from where the function's begins.
    pub local_slots: Vec<(u32, u32)>,
    /// Bytes of local memory.
    pub local_bytes: u32,
    /// Bytes of parameters, its own and those of calls.
    pub param_bytes: u32,
    /// Where a kernel's parameters are, and how many bytes each has.
    pub parameters: Vec<(u32, u32)>,
    /// First addresses and sizes of variables in shared memory.
    pub shared: Vec<(u64, u64)>,
    /// The first address of dynamic shared memory.
    pub dynamic_shared: u64,
    /// Bytes of shared memory as the hardware counts them.
    pub shared_bytes: u64,
    /// At most so many threads.
    pub most_threads: Option<[u32; 3]>,
    /// Just so many threads.
    pub required_threads: Option<[u32; 3]>,
}

/// A module.
pub struct Program {
    /// Instructions of all functions.
    pub code: Vec<Instruction>,
    /// All functions that have a body.
    pub functions: Vec<Function>,
    /// Addresses of its variables in the memory of the device.
    pub variables: Vec<u64>,
    /// The text, for messages.
    pub text: String,
}

impl Program {
    /// The number of a kernel.
    pub fn kernel(&self, name: &str) -> Option<usize> {
        self.functions.iter().position(|function| function.is_kernel && function.name == name)
    }

    /// A line of the text.
    pub fn line(&self, number: u32) -> &str {
        let position = (number as usize).saturating_sub(1);
        self.text.lines().nth(position).map_or("", str::trim)
    }
}
