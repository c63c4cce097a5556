//! Results as text and as files.

use std::{
    fmt::Write as _,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use half::{bf16, f16};

use crate::{Array, Element, npy};

/// Arrays with more elements than this are elided when printed.
const LONGEST: usize = 100_000;
/// So many rows or elements are kept at either end of an elided dimension.
const KEPT: usize = 3;

/// Prints results, one after the other; returns the positions of those that were elided.
pub fn print(results: &[Array], out: &mut impl Write) -> io::Result<Vec<usize>> {
    let mut elided = vec![];
    for (position, array) in results.iter().enumerate() {
        let elide = array.len() > LONGEST;
        if elide {
            elided.push(position);
        }
        print_array(array, elide, out)?;
    }
    Ok(elided)
}

/// Prints one result with all its digits: a scalar on a line, an array in nested brackets.
fn print_array(array: &Array, elide: bool, out: &mut impl Write) -> io::Result<()> {
    let mut text = String::new();
    // An empty array of several dimensions would not show its shape.
    let rank = array.shape().len();
    if array.is_empty() && rank > 1 {
        text.push_str("[]  # shape ");
        text.push_str(&crate::signature::display_shape(array.shape()));
    } else {
        let mut printer = Printer { array, elide, next: 0, text: &mut text };
        printer.dimension(0);
    }
    text.push('\n');
    out.write_all(text.as_bytes())
}

/// Prints elements in order.
struct Printer<'a> {
    array: &'a Array,
    elide: bool,
    /// The position of the next element.
    next: usize,
    text: &'a mut String,
}

impl Printer<'_> {
    fn dimension(&mut self, depth: usize) {
        let shape = self.array.shape();
        let Some((&size, inner)) = shape.get(depth..).and_then(<[usize]>::split_first) else {
            element(self.array, self.next, self.text);
            self.next += 1;
            return;
        };
        let separator = match inner.len() {
            0 => ", ".to_string(),
            blank => format!(",{}{}", "\n".repeat(blank), " ".repeat(depth + 1)),
        };
        self.text.push('[');
        let mut row = 0;
        while row < size {
            if row > 0 {
                self.text.push_str(&separator);
            }
            if self.elide && row == KEPT && size > 2 * KEPT {
                self.text.push_str("...");
                row = size - KEPT;
                self.next += (size - 2 * KEPT) * inner.iter().product::<usize>();
                self.text.push_str(&separator);
            }
            self.dimension(depth + 1);
            row += 1;
        }
        self.text.push(']');
    }
}

/// Appends one element.
fn element(array: &Array, position: usize, text: &mut String) {
    match array.element() {
        Element::F16 => float(f16::from_bits(array.elements::<u16>()[position]).into(), text),
        Element::BF16 => float(bf16::from_bits(array.elements::<u16>()[position]).into(), text),
        Element::F32 => float(array.elements::<f32>()[position], text),
        Element::F64 => double(array.elements::<f64>()[position], text),
        Element::I1 => {
            text.push_str(if array.bytes()[position] & 1 == 1 { "true" } else { "false" })
        }
        Element::I8 => whole(array.elements::<i8>()[position].into(), text),
        Element::I16 => whole(array.elements::<i16>()[position].into(), text),
        Element::I32 => whole(array.elements::<i32>()[position].into(), text),
        Element::I64 | Element::Index => whole(array.elements::<i64>()[position], text),
        Element::C64 => {
            let [real, imaginary] = array.elements::<[f32; 2]>()[position];
            float(real, text);
            sign(imaginary.is_sign_negative() && !imaginary.is_nan(), text);
            float(imaginary, text);
            text.push('j');
        }
        Element::C128 => {
            let [real, imaginary] = array.elements::<[f64; 2]>()[position];
            double(real, text);
            sign(imaginary.is_sign_negative() && !imaginary.is_nan(), text);
            double(imaginary, text);
            text.push('j');
        }
    }
}

/// The plus between the parts of a complex number, unless the second brings a minus.
fn sign(negative: bool, text: &mut String) {
    if !negative {
        text.push('+');
    }
}

// Writing to a string cannot fail; `{:?}` has all digits and no more.

fn float(value: f32, text: &mut String) {
    let _ = if value.is_nan() { write!(text, "nan") } else { write!(text, "{value:?}") };
}

fn double(value: f64, text: &mut String) {
    let _ = if value.is_nan() { write!(text, "nan") } else { write!(text, "{value:?}") };
}

fn whole(value: i64, text: &mut String) {
    let _ = write!(text, "{value}");
}

/// Writes results as `0.npy`, `1.npy`, ...: all of them, or none when one cannot be written.
pub fn write(results: &[Array], folder: &Path) -> Result<()> {
    let numbered = results.iter().enumerate().map(|(i, array)| (i.to_string(), array));
    write_named(&numbered.collect::<Vec<_>>(), folder)
}

/// Writes arrays as `NAME.npy`: all of them, or none when one cannot be written.
pub fn write_named(arrays: &[(String, &Array)], folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let names = |name: &str| -> (PathBuf, PathBuf) {
        let hidden = format!(".{name}.npy.{}", std::process::id());
        (folder.join(hidden), folder.join(format!("{name}.npy")))
    };
    let write_all = || -> Result<()> {
        for (name, array) in arrays {
            npy::write(&names(name).0, array)?;
        }
        for (name, _) in arrays {
            let (hidden, shown) = names(name);
            fs::rename(&hidden, &shown)
                .with_context(|| format!("cannot write {}", shown.display()))?;
        }
        Ok(())
    };
    let outcome = write_all();
    if outcome.is_err() {
        for (name, _) in arrays {
            // Those that were not made or were renamed are not there.
            let _ = fs::remove_file(names(name).0);
        }
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(array: &Array, elide: bool) -> String {
        let mut bytes = vec![];
        print_array(array, elide, &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn floats_have_all_digits() {
        let mut array = Array::zeros(Element::F64, &[6]).unwrap();
        array.elements_mut().copy_from_slice(&[0.1, -0.0, 1e-300, f64::NAN, f64::INFINITY, 3.0]);
        assert_eq!(text(&array, false), "[0.1, -0.0, 1e-300, nan, inf, 3.0]\n");
    }

    #[test]
    fn shapes_show() {
        let mut array = Array::zeros(Element::I32, &[2, 2]).unwrap();
        array.elements_mut().copy_from_slice(&[1, 2, 3, -4]);
        assert_eq!(text(&array, false), "[[1, 2],\n [3, -4]]\n");
        assert_eq!(text(&Array::zeros(Element::I32, &[0]).unwrap(), false), "[]\n");
        assert_eq!(text(&Array::zeros(Element::I1, &[]).unwrap(), false), "false\n");
        assert_eq!(
            text(&Array::zeros(Element::I1, &[2, 0]).unwrap(), false),
            "[]  # shape (2, 0)\n"
        );
        assert_eq!(text(&Array::zeros(Element::C64, &[]).unwrap(), false), "0.0+0.0j\n");
    }

    #[test]
    fn long_arrays_are_elided() {
        let mut array = Array::zeros(Element::I64, &[10, 1]).unwrap();
        array.elements_mut().copy_from_slice(&[0i64, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        let shown = text(&array, true).replace("\n ", "");
        assert_eq!(shown, "[[0],[1],[2],...,[7],[8],[9]]\n");
    }
}
