//! A thread: its place, its registers, its local memory, and the functions that it is in.

use crate::{
    program::{Call, Function, Instruction, Program, SPECIALS, Special},
    value::{Frame, Value},
};

/// What a thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// For nothing.
    Ready,
    /// For others of its warp, at its instruction, with those of a mask.
    Warp(u32),
    /// For nobody in particular of its warp: who is at its instruction goes on together.
    Anyone,
    /// For others of its block, at a barrier, of so many threads if it says so.
    Barrier(u32, Option<u32>),
    /// It has ended.
    Exited,
}

/// Where to go on after a call.
struct Return {
    call: u32,
    function: usize,
    base: usize,
    param_base: usize,
    local_base: usize,
}

/// A thread.
pub struct Thread {
    /// The number of its next instruction.
    pub place: u32,
    /// What it waits for.
    pub status: Status,
    /// The function it is in.
    pub function: usize,
    /// Registers of all functions it is in.
    slots: Vec<u64>,
    /// Where those of the last begin.
    base: usize,
    params: Vec<u8>,
    param_base: usize,
    /// Local memory of all functions it is in.
    pub local: Vec<u8>,
    local_base: usize,
    returns: Vec<Return>,
    carry: bool,
}

impl Default for Thread {
    fn default() -> Self {
        Self {
            place: 0,
            status: Status::Exited,
            function: 0,
            slots: vec![],
            base: 0,
            params: vec![],
            param_base: 0,
            local: vec![],
            local_base: 0,
            returns: vec![],
            carry: false,
        }
    }
}

/// The byte of local memory and parameters that nobody wrote.
const POISON: u8 = 0xee;

impl Thread {
    /// Begins a kernel with its parameters and its special registers.
    pub fn begin(
        &mut self,
        program: &Program,
        kernel: usize,
        params: &[u8],
        special: &[u64; SPECIALS],
    ) {
        let Some(function) = program.functions.get(kernel) else { return };
        self.slots.clear();
        self.params.clear();
        self.local.clear();
        self.returns.clear();
        (self.base, self.param_base, self.local_base) = (0, 0, 0);
        (self.place, self.function, self.status) = (function.first, kernel, Status::Ready);
        self.slots.extend_from_slice(&function.slots);
        self.slots[..SPECIALS].copy_from_slice(special);
        self.params.extend_from_slice(params);
        self.params.resize(function.param_bytes as usize, POISON);
        self.open_local(function);
    }

    /// Makes local memory of a function, and the registers that have its addresses.
    fn open_local(&mut self, function: &Function) {
        self.local.resize(self.local_base + function.local_bytes as usize, POISON);
        for (slot, offset) in &function.local_slots {
            self.slots[self.base + *slot as usize] = self.local_base as u64 + u64::from(*offset);
        }
    }

    /// Its registers.
    #[inline]
    pub fn frame(&mut self) -> Frame<'_> {
        Frame { slots: &mut self.slots[self.base..], carry: &mut self.carry }
    }

    /// What a register holds.
    #[inline]
    pub fn get<T: Value>(&self, slot: u32) -> T {
        T::from_bits(self.slots[self.base + slot as usize])
    }

    /// Changes what a register holds.
    #[inline]
    pub fn set<T: Value>(&mut self, slot: u32, value: T) {
        self.slots[self.base + slot as usize] = value.bits();
    }

    /// Its number in the block, in three dimensions, for messages.
    pub fn number(&self) -> [u64; 3] {
        [0, 1, 2].map(|axis| self.slots.get(Special::Thread as usize + axis).copied().unwrap_or(0))
    }

    /// Bytes of parameters of the function it is in.
    pub fn params(&mut self) -> &mut [u8] {
        &mut self.params[self.param_base..]
    }

    /// Goes into a function.
    pub fn call(&mut self, program: &Program, call: &Call) {
        let function = &program.functions[call.function];
        self.returns.push(Return {
            call: self.place,
            function: self.function,
            base: self.base,
            param_base: self.param_base,
            local_base: self.local_base,
        });
        let special: [u64; SPECIALS] = std::array::from_fn(|i| self.slots[self.base + i]);
        let outer = self.param_base;
        (self.base, self.param_base, self.local_base) =
            (self.slots.len(), self.params.len(), self.local.len().next_multiple_of(16));
        self.slots.extend_from_slice(&function.slots);
        self.slots[self.base..self.base + SPECIALS].copy_from_slice(&special);
        self.params.resize(self.param_base + function.param_bytes as usize, POISON);
        self.open_local(function);
        for pass in &call.arguments {
            let from = outer + pass.outer as usize;
            let to = self.param_base + pass.inner as usize;
            self.params.copy_within(from..from + pass.bytes as usize, to);
        }
        (self.place, self.function) = (function.first, call.function);
    }

    /// Returns from a function; false if it is the kernel.
    pub fn leave(&mut self, code: &[Instruction]) -> bool {
        let Some(last) = self.returns.pop() else { return false };
        if let Some(crate::program::Action::Call(call)) =
            code.get(last.call as usize).map(|i| &i.action)
        {
            for pass in &call.results {
                let from = self.param_base + pass.inner as usize;
                let to = last.param_base + pass.outer as usize;
                self.params.copy_within(from..from + pass.bytes as usize, to);
            }
        }
        self.slots.truncate(self.base);
        self.params.truncate(self.param_base);
        self.local.truncate(self.local_base);
        (self.base, self.param_base, self.local_base) =
            (last.base, last.param_base, last.local_base);
        (self.place, self.function) = (last.call + 1, last.function);
        true
    }

    /// How many functions it is in.
    pub fn depth(&self) -> usize {
        self.returns.len()
    }
}
