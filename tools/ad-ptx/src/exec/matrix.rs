//! Products of matrices that the lanes of a warp make together, `mma`, and how they read matrices, `ldmatrix`.
//!
//! Which lane has which element is said by the reference: PTX ISA, "Matrix Fragments for mma".

use std::fmt;

use super::{LANES, Machine, access, thread::Thread};
use crate::{
    fault::Fault,
    ops::{half, rounding::Rounding},
    types::{F16, F32, F64, Space, TF32, Type},
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
}

impl fmt::Display for Fragment {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let [m, n, k] = self.shape;
        write!(f, "{:?}, .m{m}n{n}k{k}.{}", self.part, self.ty)
    }
}

impl Fragment {
    /// Rows and columns.
    fn sides(&self) -> [usize; 2] {
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
        let shapes: &[[usize; 3]] = match (self.ty, self.part) {
            (F64, _) => &[[8, 8, 4]],
            (TF32, Part::A | Part::B) => &[[16, 8, 8]],
            (F16, Part::A | Part::B) => &[[16, 8, 16]],
            (F32, Part::C) => &[[16, 8, 8], [16, 8, 16]],
            _ => return None,
        };
        let is_one = shapes.contains(&self.shape);
        is_one.then(|| self.elements() / LANES / self.packed())
    }

    /// The number of an element, by rows, that a lane has at a position.
    fn element(&self, lane: usize, position: usize) -> usize {
        let [rows, columns] = self.sides();
        let neighbours = if self.part == Part::C { 2 } else { self.packed() };
        let (own, beside) = (position / neighbours, position % neighbours);
        // In the second factor, lanes are counted by columns first.
        let first = if self.part == Part::B { columns } else { rows };
        let groups = first / 8;
        let along = lane / 4 + 8 * (own % groups);
        let across = lane % 4 * neighbours + beside + 4 * neighbours * (own / groups);
        match self.part {
            Part::B => across * columns + along,
            _ => along * columns + across,
        }
    }

    /// From the bits of a register.
    fn decode(&self, register: u64, position: usize) -> f64 {
        let bits = (register >> (16 * (position % self.packed()))) as u32;
        match self.ty {
            F64 => f64::from_bits(register),
            F16 => half::F16.decode(bits & 0xffff),
            // The lower bits are not read.
            TF32 => f64::from(f32::from_bits(bits & !0x1fff)),
            _ => f64::from(f32::from_bits(bits)),
        }
    }

    fn encode(&self, x: f64) -> u64 {
        match self.ty {
            F64 => x.to_bits(),
            F16 => half::F16.encode(x, Rounding::Nearest, false).into(),
            _ => u64::from((x as f32).to_bits()),
        }
    }

    /// All elements by rows, from the registers of a warp.
    fn gather(&self, warp: &[Thread], slots: &[u32]) -> Vec<f64> {
        let mut elements = vec![f64::NAN; self.elements()];
        for (lane, thread) in warp.iter().enumerate() {
            for position in 0..slots.len() * self.packed() {
                elements[self.element(lane, position)] =
                    self.decode(thread.get(slots[position / self.packed()]), position);
            }
        }
        elements
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

/// A product.
#[derive(Debug)]
pub struct Product {
    /// Factors, the sums before and after.
    pub fragments: [Fragment; 4],
    /// Their registers.
    pub slots: [Vec<u32>; 4],
}

/// Matrices of 8 rows in memory.
#[derive(Debug)]
pub struct Rows {
    pub space: Space,
    /// The register of the address of a row: those of the first 8 lanes are of the first matrix, and so on.
    pub address: u32,
    /// What is added to it.
    pub offset: i64,
    /// The register for each matrix.
    pub slots: Vec<u32>,
    /// Whether lanes get two elements of 16 bits of a column instead.
    pub is_transposed: bool,
}

/// The bytes of a row, and those of it that a lane gets.
const ROW: u32 = 16;
const WORD: usize = 4;
/// Rows of a matrix.
const HEIGHT: usize = 8;

/// Reads them: four lanes get a row of each, a word each, or a column.
pub fn read(machine: &Machine, rows: &Rows, warp: &mut [Thread]) -> Result<(), Fault> {
    for (first, slot) in (0..).step_by(HEIGHT).zip(&rows.slots) {
        for row in 0..HEIGHT {
            let thread = &mut warp[first + row];
            let address = thread.get::<u64>(rows.address).wrapping_add(rows.offset as u64);
            let place = access::place(machine, thread, rows.space, address, [ROW, ROW])?;
            let words: Vec<u64> = (0..ROW as usize / WORD)
                .map(|word| access::read(machine, thread, place.after(word * WORD), WORD))
                .collect();
            for (lane, word) in (row * words.len()..).zip(words) {
                warp[lane].set(*slot, word);
            }
        }
        if rows.is_transposed {
            transpose(warp, *slot);
        }
    }
    Ok(())
}

/// Exchanges rows and columns of a matrix of elements of 16 bits, of which lanes have two neighbours each.
fn transpose(warp: &mut [Thread], slot: u32) {
    let words: Vec<u32> = warp.iter().map(|thread| thread.get(slot)).collect();
    let element = |row: usize, column: usize| {
        let word = words[row * ROW as usize / WORD + column / 2];
        word >> (16 * (column % 2)) & 0xffff
    };
    for (lane, thread) in warp.iter_mut().enumerate() {
        let (column, row) = (lane / 4, lane % 4 * 2);
        thread.set(slot, element(row, column) | element(row + 1, column) << 16);
    }
}

/// Makes it. Sums of f64 are rounded at each step, others once.
pub fn multiply(product: &Product, warp: &mut [Thread]) {
    let [a, b, c, d] = &product.fragments;
    let [m, n, k] = a.shape;
    let first = a.gather(warp, &product.slots[0]);
    let second = b.gather(warp, &product.slots[1]);
    let mut sums = c.gather(warp, &product.slots[2]);
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
}
