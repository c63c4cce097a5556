//! Products of matrices: `wmma.load`, `wmma.mma` and `wmma.store`.
//!
//! Which lane has which element is not specified. Here elements are scattered, in another way for each matrix and for
//! rows and columns, so that a kernel that relies on anything goes wrong. Sums are where they are whatever the number of
//! summands is, which the reference does not promise: `m16n16k16` loads those of `m16n16k8`, as LLVM writes it.

use std::fmt;

use super::{
    LANES, Machine,
    access::{self, place},
    thread::Thread,
};
use crate::{
    fault::{Fault, ILLEGAL_INSTRUCTION, MISALIGNED_ADDRESS},
    ops::{half, rounding::Rounding},
    types::{BF16, F16, F32, F64, Space, TF32, Type},
};

/// All lanes take part.
pub const WHOLE_WARP: u32 = u32::MAX;

/// A factor, or the sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The first factor.
    A,
    /// The second factor.
    B,
    /// The sums, before and after.
    C,
}

/// What the lanes of a warp have of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fragment {
    /// Which matrix.
    pub part: Part,
    /// Of what.
    pub ty: Type,
    /// Rows, columns and summands of the product.
    pub shape: [usize; 3],
    /// Whether columns are contiguous: for sums, that holds for memory only.
    pub columns: bool,
}

impl fmt::Display for Fragment {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let ([m, n, k], layout) = (self.shape, if self.columns { "col" } else { "row" });
        write!(f, "{:?}, .{layout}.m{m}n{n}k{k}.{}", self.part, self.ty)
    }
}

impl Fragment {
    /// Rows and columns.
    pub fn sides(&self) -> [usize; 2] {
        let [m, n, k] = self.shape;
        match self.part {
            Part::A => [m, k],
            Part::B => [k, n],
            Part::C => [m, n],
        }
    }

    fn elements(&self) -> usize {
        let [rows, columns] = self.sides();
        rows * columns
    }

    /// Elements in a register.
    fn packed(&self) -> usize {
        if self.ty.bits == 16 { 2 } else { 1 }
    }

    /// Registers of a lane, or nothing if there is no such fragment.
    pub fn registers(&self) -> Option<usize> {
        let shapes: &[[usize; 3]] = match self.ty {
            F64 => &[[8, 8, 4]],
            TF32 => &[[16, 16, 8]],
            F16 | BF16 => &[[16, 16, 16], [32, 8, 16], [8, 32, 16]],
            F32 => &[[16, 16, 16], [32, 8, 16], [8, 32, 16], [16, 16, 8]],
            _ => return None,
        };
        let is_sum = self.part == Part::C;
        let fits = match self.ty {
            F64 | F16 => true,
            F32 => is_sum,
            _ => !is_sum,
        };
        if !fits || !shapes.contains(&self.shape) {
            return None;
        }
        // Lanes have elements of f16 factors twice, or four times.
        let is_half_factor = self.ty == F16 && !is_sum;
        Some(if is_half_factor { 8 } else { self.elements() / LANES / self.packed() })
    }

    /// The number of an element, by rows, that a lane has at a position.
    fn element(&self, lane: usize, position: usize) -> usize {
        let own = self.registers().unwrap_or(1) * self.packed();
        let number = lane * own + position;
        let columns = self.columns && self.part != Part::C;
        let step = match (self.part, columns) {
            (Part::A, false) => 5,
            (Part::A, true) => 11,
            (Part::B, false) => 7,
            (Part::B, true) => 13,
            (Part::C, _) => 3,
        };
        // A permutation: the count is a power of two, and the step is odd.
        (number * step + 1) % self.elements()
    }

    /// From the bits of a register.
    fn decode(&self, register: u64, position: usize) -> f64 {
        let bits = (register >> (16 * (position % self.packed()))) as u32;
        match self.ty {
            F64 => f64::from_bits(register),
            F16 => half::F16.decode(bits & 0xffff),
            BF16 => half::BF16.decode(bits & 0xffff),
            // The lower bits are not read.
            TF32 => f64::from(f32::from_bits(bits & !0x1fff)),
            _ => f64::from(f32::from_bits(bits)),
        }
    }

    fn encode(&self, x: f64) -> u64 {
        match self.ty {
            F64 => x.to_bits(),
            F16 => half::F16.encode(x, Rounding::Nearest, false).into(),
            BF16 => half::BF16.encode(x, Rounding::Nearest, false).into(),
            _ => u64::from((x as f32).to_bits()),
        }
    }

    /// All elements by rows, from the registers of a warp.
    fn gather(&self, warp: &[Thread], slots: &[u32]) -> Result<Vec<f64>, Fault> {
        let mut elements: Vec<Option<f64>> = vec![None; self.elements()];
        for (lane, thread) in warp.iter().enumerate() {
            for position in 0..slots.len() * self.packed() {
                let x = self.decode(thread.get(slots[position / self.packed()]), position);
                let old = elements[self.element(lane, position)].replace(x);
                if old.is_some_and(|old| old.to_bits() != x.to_bits()) {
                    let text =
                        "lanes have different values of an element: no load gave these registers";
                    return Err(Fault::new(ILLEGAL_INSTRUCTION, text));
                }
            }
        }
        Ok(elements.into_iter().map(|x| x.unwrap_or(f64::NAN)).collect())
    }

    /// The reverse.
    fn scatter(&self, warp: &mut [Thread], slots: &[u32], bits: &[u64]) {
        for (lane, thread) in warp.iter_mut().enumerate() {
            for (register, slot) in slots.iter().enumerate() {
                let value = (0..self.packed()).fold(0, |value, half| {
                    let element = self.element(lane, register * self.packed() + half);
                    value | bits[element] << (16 * half)
                });
                thread.set(*slot, value);
            }
        }
    }
}

/// A matrix in memory, and in registers.
#[derive(Debug)]
pub struct Transfer {
    /// Which.
    pub fragment: Fragment,
    /// Where.
    pub space: Space,
    /// The register of the address, and what is added.
    pub address: (u32, i64),
    /// The register of the distance of rows or columns, in elements; none if they are dense.
    pub stride: Option<u32>,
    /// Registers.
    pub slots: Vec<u32>,
}

/// A product.
#[derive(Debug)]
pub struct Product {
    /// Factors, the sums before and after.
    pub fragments: [Fragment; 4],
    /// Their registers.
    pub slots: [Vec<u32>; 4],
    /// How factors were loaded, if it was not as the product takes them.
    pub mismatch: Option<String>,
}

/// What a warp does with matrices.
#[derive(Debug)]
pub enum Matrix {
    /// From memory.
    Load(Transfer),
    /// To memory.
    Store(Transfer),
    /// A product, and sums.
    Multiply(Product),
}

/// Does it.
pub fn execute(machine: &mut Machine, what: &Matrix, warp: &mut [Thread]) -> Result<(), Fault> {
    match what {
        Matrix::Load(transfer) => load(machine, transfer, warp),
        Matrix::Store(transfer) => store(machine, transfer, warp),
        Matrix::Multiply(product) => multiply(product, warp),
    }
}

/// The address of each element, by rows; all lanes must say the same.
fn addresses(transfer: &Transfer, warp: &[Thread]) -> Result<Vec<u64>, Fault> {
    let [rows, columns] = transfer.fragment.sides();
    let by_columns = transfer.fragment.columns;
    let of = |thread: &Thread| {
        let (slot, offset) = transfer.address;
        let stride = transfer.stride.map(|slot| thread.get::<u32>(slot));
        (thread.get::<u64>(slot).wrapping_add(offset as u64), stride)
    };
    let (first, stride) = of(&warp[0]);
    if let Some(lane) = warp.iter().position(|thread| of(thread) != (first, stride)) {
        let text = format!("lane {lane} has another address or stride than lane 0");
        return Err(Fault::new(ILLEGAL_INSTRUCTION, text));
    }
    let dense = if by_columns { rows } else { columns };
    let stride = stride.map_or(dense, |stride| stride as usize);
    let bytes = (transfer.fragment.ty.bits / 8) as usize;
    // The fragment of a lane is the alignment of the beginnings of all rows or columns.
    let align = transfer.slots.len() * transfer.fragment.ty.bits.max(32) as usize / 8;
    if !first.is_multiple_of(align as u64) || !(stride * bytes).is_multiple_of(align) {
        let text = format!(
            "a matrix at {first:#x} with rows or columns {} bytes apart: both must be multiples of {align}",
            stride * bytes
        );
        return Err(Fault::new(MISALIGNED_ADDRESS, text));
    }
    Ok((0..rows * columns)
        .map(|element| {
            let (row, column) = (element / columns, element % columns);
            let (outer, inner) = if by_columns { (column, row) } else { (row, column) };
            first.wrapping_add(((outer * stride + inner) * bytes) as u64)
        })
        .collect())
}

fn load(machine: &Machine, transfer: &Transfer, warp: &mut [Thread]) -> Result<(), Fault> {
    let bytes = transfer.fragment.ty.bits / 8;
    let mut bits = vec![];
    for address in addresses(transfer, warp)? {
        let place = place(machine, &mut warp[0], transfer.space, address, [bytes, bytes])?;
        bits.push(access::read(machine, &mut warp[0], place, bytes as usize));
    }
    transfer.fragment.scatter(warp, &transfer.slots, &bits);
    Ok(())
}

fn store(machine: &mut Machine, transfer: &Transfer, warp: &mut [Thread]) -> Result<(), Fault> {
    let bytes = transfer.fragment.ty.bits / 8;
    let elements = transfer.fragment.gather(warp, &transfer.slots)?;
    for (address, x) in addresses(transfer, warp)?.into_iter().zip(elements) {
        let place = place(machine, &mut warp[0], transfer.space, address, [bytes, bytes])?;
        let value = transfer.fragment.encode(x);
        access::write(machine, &mut warp[0], place, bytes as usize, value);
    }
    Ok(())
}

/// Sums of f64 are rounded at each step, others once.
fn multiply(product: &Product, warp: &mut [Thread]) -> Result<(), Fault> {
    if let Some(text) = &product.mismatch {
        return Err(Fault::new(ILLEGAL_INSTRUCTION, text.clone()));
    }
    let [a, b, c, d] = &product.fragments;
    let [m, n, k] = a.shape;
    let [first, second, mut sums] = [
        a.gather(warp, &product.slots[0])?,
        b.gather(warp, &product.slots[1])?,
        c.gather(warp, &product.slots[2])?,
    ];
    for row in 0..m {
        for column in 0..n {
            let sum = &mut sums[row * n + column];
            for i in 0..k {
                *sum = first[row * k + i].mul_add(second[i * n + column], *sum);
            }
        }
    }
    let bits: Vec<u64> = sums.into_iter().map(|x| d.encode(x)).collect();
    d.scatter(warp, &product.slots[3], &bits);
    Ok(())
}
