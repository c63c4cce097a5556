//! Products of matrices that the lanes of a warp make together: `mma`.
//!
//! Which lane has which element is said by the reference: PTX ISA, "Matrix Fragments for mma".

use std::fmt;

use super::{LANES, thread::Thread};
use crate::{
    ops::{half, rounding::Rounding},
    types::{F16, F32, F64, TF32, Type},
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
