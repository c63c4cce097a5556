//! Sparse Jacobians by few directional derivatives.
//!
//! ```text
//! pattern   J v, with NaN in v for a range of columns: the rows in which one of these may have an entry
//!           ranges that have no row in common are looked at together, and then the eighths of each
//! colours   columns that have no row in common may have the same one
//! entries   J times the sum of all e_j of a colour: each row has an entry of one of them only
//! check     J times a random vector, by the entries and by a derivative
//! ```
//! The same goes for rows, by Jᵀ. A combination of columns is what a jvp gives, one of rows what a vjp gives. With c colours
//! on n columns the entries take c derivatives; the pattern takes 8 for each colour of each of log n / log 8 levels, where a range has
//! hardly more entries in common with others than a column has, and 8 n / 7 at most. It serves at other inputs, too,
//! with its colours, as long as these take the same branches and choose the same extrema; the check finds out if they do not.
//! Colours were proposed by Curtis, Powell and Reid, *On the estimation of sparse Jacobian matrices* (1974), for differences in place
//! of derivatives.
//!
//! Zero times NaN is NaN: what is a factor of a derivative counts as an entry, whatever number it happens to be, and what
//! a derivative leaves out, or a branch, does not.
//!
//! Reading order: `point` (a Jacobian as what it does to vectors), `pattern`, `coloring`.

mod coloring;
mod pattern;
mod point;

pub use coloring::Coloring;
pub use pattern::Pattern;
pub use point::{Function, Point, Side};

use ad_check::numbers::Rng;

/// Told after each derivative how many there were, and of how many that are known to be needed.
pub type Progress<'a> = &'a mut dyn FnMut(usize, usize);

/// Into how many parts a range of columns is divided.
const PARTS: usize = 8;

/// Where the Jacobian may have entries other than zero, at these inputs.
///
/// Fails where the program does.
pub fn pattern(point: &mut Point, progress: Progress) -> Result<Pattern, String> {
    let [height, width] = point.shape();
    let side = if width <= height { Side::Columns } else { Side::Rows };
    let (count, across) = (width.min(height), width.max(height));
    let mut length = PARTS;
    while length < count {
        length *= PARTS;
    }
    // Which ranges have entries in what is across of them; at first there is one range, which may have all.
    let mut ranges = Pattern::new([across, 1], (0..across).map(|row| [row, 0]).collect())?;
    let mut done = 0;
    while length > 1 {
        length /= PARTS;
        let coloring = Coloring::of(Side::Columns, &ranges);
        let needed = done + coloring.count() * PARTS;
        let mut parts = vec![];
        for (color, entries) in coloring.entries(&ranges).into_iter().enumerate() {
            for part in 0..PARTS {
                let own = |range: usize| range * PARTS + part;
                let mut seed = vec![0.0; count];
                for range in (0..coloring.colors.len()).filter(|&r| coloring.colors[r] == color) {
                    let first = (own(range) * length).min(count);
                    seed[first..(first + length).min(count)].fill(f64::NAN);
                }
                if !seed.iter().any(|factor| factor.is_nan()) {
                    continue;
                }
                let image = point.along(side, &seed)?;
                let met = entries.iter().filter(|(_, [row, _])| image[*row].is_nan());
                parts.extend(met.map(|&(_, [row, range])| [row, own(range)]));
                done += 1;
                progress(done, needed);
            }
        }
        ranges = Pattern::new([across, count.div_ceil(length)], parts)?;
    }
    Ok(match side {
        Side::Columns => ranges,
        Side::Rows => ranges.transposed(),
    })
}

/// The entries of the Jacobian in the order of the pattern, by one derivative for each colour.
///
/// Fails where the program does, and where the Jacobian has entries that the pattern does not have.
pub fn entries(
    point: &mut Point,
    pattern: &Pattern,
    coloring: &Coloring,
    progress: Progress,
) -> Result<Vec<f64>, String> {
    if pattern.shape() != point.shape() {
        let [[height, width], [rows, columns]] = [point.shape(), pattern.shape()];
        return Err(format!(
            "the pattern is of {rows} x {columns} entries, but the Jacobian of {height} x {width}"
        ));
    }
    let by_color = coloring.entries(pattern);
    let mut values = vec![0.0; pattern.count()];
    for (color, entries) in by_color.iter().enumerate() {
        let seed: Vec<_> =
            coloring.colors.iter().map(|&own| f64::from(u8::from(own == color))).collect();
        let image = point.along(coloring.side, &seed)?;
        for &(position, [row, column]) in entries {
            values[position] = image[coloring.side.along([row, column])[1]];
        }
        progress(color + 1, by_color.len());
    }
    verify(point, pattern, coloring.side, &values)?;
    Ok(values)
}

/// So many roundings of the largest entries are not taken for an entry.
const ROUNDED: f64 = 64.0;

/// Compares the product of the Jacobian and a random vector with that of its entries.
fn verify(point: &mut Point, pattern: &Pattern, side: Side, values: &[f64]) -> Result<(), String> {
    let mut rng = Rng::new(1);
    // Without zeros, which would hide entries.
    let seed: Vec<_> = (0..side.size(point.shape())).map(|_| rng.uniform(0.5, 1.5)).collect();
    let image = point.along(side, &seed)?;
    let (mut sums, mut sizes) = (vec![0.0; image.len()], vec![0.0; image.len()]);
    for ([row, column], value) in pattern.entries().zip(values) {
        let [from, to] = side.along([row, column]);
        sums[to] += value * seed[from];
        sizes[to] += (value * seed[from]).abs();
    }
    // Where terms of a derivative cancel out, rounding leaves some of them.
    let precision = point.precision();
    let rest = ROUNDED * precision * sizes.iter().copied().fold(0.0, f64::max);
    let is_off = |k: &usize| {
        let gap: f64 = (image[*k] - sums[*k]).abs();
        sizes[*k].is_finite() && (gap.is_nan() || gap > precision.sqrt() * sizes[*k] + rest)
    };
    match (0..image.len()).find(is_off) {
        None => Ok(()),
        Some(k) => Err(format!(
            "{} {k} of the Jacobian has entries at these inputs that the pattern does not have: a branch or an extremum is \
             another one than where the pattern was found",
            match side {
                Side::Columns => "row",
                Side::Rows => "column",
            }
        )),
    }
}
