//! Makes the arguments of problems from dimensions. The seed is fixed, so that every run and every
//! machine has the same.

use anyhow::{Result, bail};

use super::numbers::Numbers;
use crate::array::Array;

/// Makes arguments from dimensions.
pub type Maker = fn(&[usize]) -> Result<Vec<Array>>;

/// The dimensions as so many names.
fn dims<const N: usize>(dims: &[usize]) -> Result<[usize; N]> {
    match dims.try_into() {
        Ok(dims) => Ok(dims),
        Err(_) => bail!("{} dimensions, not {N}", dims.len()),
    }
}

/// `gmm`: points, dimension and components, with the distributions of ADBench.
pub fn gmm(sizes: &[usize]) -> Result<Vec<Array>> {
    let [n, d, k] = dims(sizes)?;
    let mut numbers = Numbers::new(1);
    let triangle = d * (d + 1) / 2;
    Ok(vec![
        Array::f64(&[k], numbers.normals(k))?,
        Array::f64(&[k, d], numbers.uniforms(k * d, 0.0, 1.0))?,
        Array::f64(&[k, triangle], numbers.normals(k * triangle))?,
        Array::f64(&[n, d], numbers.normals(n * d))?,
        Array::scalar(1.0),
        Array::integer(0),
    ])
}

/// `ba`: cameras, points and observations; all cameras are the same, and all points, as in ADBench.
pub fn ba(sizes: &[usize]) -> Result<Vec<Array>> {
    let [n, m, p] = dims(sizes)?;
    let camera = [-0.7, -1.1, -0.8, 34.5, 39.6, 53.8, 419.2, 5.8, -8.5, 0.09, 0.003];
    Ok(vec![
        Array::f64(&[n, 11], camera.repeat(n))?,
        Array::f64(&[m, 3], [7.2, 0.01, 3.1].repeat(m))?,
        Array::f64(&[p], vec![0.42; p])?,
        Array::f64(&[p, 2], [270.0, 830.0].repeat(p))?,
        Array::i64(&[p, 2], (0..p).flat_map(|o| [(o % n) as i64, (o % m) as i64]).collect())?,
    ])
}

/// `lstm`: layers, steps and bits, with the distributions of ADBench.
pub fn lstm(sizes: &[usize]) -> Result<Vec<Array>> {
    let [l, c, b] = dims(sizes)?;
    let mut numbers = Numbers::new(2);
    let bit = |bit: i64| if bit == 0 { 1.0 } else { 0.0 };
    Ok(vec![
        Array::f64(&[2 * l, 4 * b], numbers.uniforms(8 * l * b, 0.0, 1.0))?,
        Array::f64(&[3, b], numbers.uniforms(3 * b, 0.0, 1.0))?,
        Array::f64(&[2 * l, b], numbers.uniforms(2 * l * b, 0.0, 1.0))?,
        Array::f64(&[c, b], numbers.indices(c * b, 4).into_iter().map(bit).collect())?,
    ])
}

/// `hand` without and with barycentric coordinates: points, bones, vertices and triangles of a hand
/// whose bones are turned at random.
pub fn hand_simple(sizes: &[usize]) -> Result<Vec<Array>> {
    hand(sizes, false)
}

/// See [`hand_simple`].
pub fn hand_complicated(sizes: &[usize]) -> Result<Vec<Array>> {
    hand(sizes, true)
}

fn hand(sizes: &[usize], complicated: bool) -> Result<Vec<Array>> {
    let [p, bones, vertices, triangles] = dims(sizes)?;
    let mut numbers = Numbers::new(3);
    // The wrist, then fingers of four bones; what is left hangs on the wrist.
    let parent = |bone: usize| match bone {
        0 => -1,
        _ if bone > 20 || bone % 4 == 1 => 0,
        _ => bone as i64 - 1,
    };
    let transforms = |numbers: &mut Numbers, reach: f64| -> Vec<f64> {
        (0..bones).flat_map(|_| rigid(numbers, reach)).collect()
    };
    let (relative, inverse) = (transforms(&mut numbers, 0.05), transforms(&mut numbers, 0.2));
    let mut weights = vec![0.0; vertices * bones];
    for row in weights.chunks_mut(bones) {
        let share = numbers.uniform(0.0, 1.0);
        row[numbers.index(bones)] += share;
        row[numbers.index(bones)] += 1.0 - share;
    }
    let us = if complicated { p } else { 0 };
    let seen = if complicated { triangles } else { vertices };
    Ok(vec![
        Array::f64(&[26], numbers.uniforms(26, -0.5, 0.5))?,
        Array::f64(&[us, 2], numbers.uniforms(us * 2, 0.0, 0.5))?,
        Array::i64(&[bones], (0..bones).map(parent).collect())?,
        Array::f64(&[bones, 4, 4], relative)?,
        Array::f64(&[bones, 4, 4], inverse)?,
        Array::f64(&[vertices, 3], numbers.uniforms(vertices * 3, -0.2, 0.2))?,
        Array::f64(&[vertices, bones], weights)?,
        Array::i64(&[triangles, 3], numbers.indices(triangles * 3, vertices))?,
        Array::i64(&[p], numbers.indices(p, seen))?,
        Array::f64(&[p, 3], numbers.uniforms(p * 3, -1.0, 1.0))?,
    ])
}

/// A rotation (of a quaternion) and a translation, as a matrix of four rows.
fn rigid(numbers: &mut Numbers, reach: f64) -> [f64; 16] {
    let q: [f64; 4] = std::array::from_fn(|_| numbers.normal());
    let norm = q.iter().map(|v| v * v).sum::<f64>().sqrt();
    let [w, x, y, z] = q.map(|v| v / norm);
    let t: [f64; 3] = std::array::from_fn(|_| numbers.uniform(-reach, reach));
    [
        1.0 - 2.0 * (y * y + z * z),
        2.0 * (x * y - w * z),
        2.0 * (x * z + w * y),
        t[0],
        2.0 * (x * y + w * z),
        1.0 - 2.0 * (x * x + z * z),
        2.0 * (y * z - w * x),
        t[1],
        2.0 * (x * z - w * y),
        2.0 * (y * z + w * x),
        1.0 - 2.0 * (x * x + y * y),
        t[2],
        0.0,
        0.0,
        0.0,
        1.0,
    ]
}

/// `lstm_batched`: batch, steps, inputs and hidden units, in single precision.
pub fn lstm_batched(sizes: &[usize]) -> Result<Vec<Array>> {
    let [bs, n, d, h] = dims(sizes)?;
    let mut numbers = Numbers::new(4);
    let mut array = |shape: &[usize], bound: f64| {
        let elements = numbers.uniforms(shape.iter().product(), -bound, bound);
        Array::f32(shape, &elements)
    };
    let scale = (1.0 / h as f64).sqrt();
    Ok(vec![
        array(&[d, 4 * h], scale)?,
        array(&[h, 4 * h], scale)?,
        array(&[4 * h], scale)?,
        array(&[n, bs, d], 1.0)?,
        array(&[bs, h], 1.0)?,
        array(&[n, bs, h], 1.0)?,
    ])
}

/// `kmeans`: centres, points and dimensions.
pub fn kmeans(sizes: &[usize]) -> Result<Vec<Array>> {
    let [k, n, d] = dims(sizes)?;
    let mut numbers = Numbers::new(5);
    Ok(vec![
        Array::f64(&[k, d], numbers.normals(k * d))?,
        Array::f64(&[n, d], numbers.normals(n * d))?,
    ])
}

/// `kmeans_sparse`: centres, points, dimensions, and entries per point, which are spread evenly.
pub fn kmeans_sparse(sizes: &[usize]) -> Result<Vec<Array>> {
    let [k, n, d, entries] = dims(sizes)?;
    let mut numbers = Numbers::new(6);
    let centres = numbers.normals(k * d);
    let values = numbers.uniforms(n * entries, 0.0, 1.0);
    let stretch = d / entries;
    let columns = (0..n * entries)
        .map(|at| ((at % entries) * stretch + numbers.index(stretch)) as i64)
        .collect();
    Ok(vec![
        Array::f64(&[k, d], centres)?,
        Array::f64(&[n * entries], values)?,
        Array::i64(&[n * entries], columns)?,
        Array::i64(&[n + 1], (0..=n).map(|row| (row * entries) as i64).collect())?,
    ])
}

/// The nuclides in each material and how many lookups of a thousand ask for it, as in XSBench's small
/// problem (Tramm, Siegel, Islam, Schulz: XSBench, 2014).
const MATERIALS: [(usize, usize); 12] = [
    (34, 140),
    (5, 52),
    (4, 275),
    (4, 134),
    (27, 154),
    (21, 64),
    (21, 66),
    (21, 55),
    (21, 8),
    (21, 15),
    (9, 25),
    (9, 12),
];

/// Materials of nuclides, and lookups: nuclides, concentrations and counts by material, and an energy
/// between 0 and 1 and a material for each lookup.
fn lookups(numbers: &mut Numbers, nuclides: usize, lookups: usize) -> Result<[Array; 5]> {
    let (m, most) = (MATERIALS.len(), 34);
    let material = |at: usize| {
        let ends = MATERIALS.iter().scan(0, |sum, (_, share)| {
            *sum += share;
            Some(*sum)
        });
        ends.take_while(|&end| end <= at).count() as i64
    };
    let energies = numbers.uniforms(lookups, 0.0, 1.0);
    let asked = (0..lookups).map(|_| material(numbers.index(1000))).collect();
    Ok([
        Array::i64(&[m, most], numbers.indices(m * most, nuclides))?,
        Array::f64(&[m, most], numbers.uniforms(m * most, 0.0, 1.0))?,
        Array::i64(&[m], MATERIALS.iter().map(|(count, _)| *count as i64).collect())?,
        Array::f64(&[lookups], energies)?,
        Array::i64(&[lookups], asked)?,
    ])
}

/// `xsbench`: nuclides, energies of each, and lookups.
pub fn xsbench(sizes: &[usize]) -> Result<Vec<Array>> {
    let [nuclides, points, n] = dims(sizes)?;
    let mut numbers = Numbers::new(17);
    let mut grid = vec![];
    for _ in 0..nuclides {
        let mut row = numbers.uniforms(points, 0.0, 1.0);
        row.sort_by(f64::total_cmp);
        grid.extend(row);
    }
    let sections = numbers.uniforms(nuclides * points * 5, 0.0, 1.0);
    let [in_material, concs, counts, energies, asked] = lookups(&mut numbers, nuclides, n)?;
    Ok(vec![
        Array::f64(&[nuclides, points], grid)?,
        Array::f64(&[nuclides, points, 5], sections)?,
        in_material,
        concs,
        counts,
        energies,
        asked,
        Array::f64(&[5], numbers.uniforms(5, 0.0, 1.0))?,
    ])
}

/// `rsbench`: nuclides, windows of each, and lookups. A window has 1 to 16 poles, of which every tenth
/// is far away.
pub fn rsbench(sizes: &[usize]) -> Result<Vec<Array>> {
    let [nuclides, windows, n] = dims(sizes)?;
    let mut numbers = Numbers::new(18);
    let mut starts = vec![];
    let mut most = 0;
    for _ in 0..nuclides {
        let mut start = 0;
        starts.push(0);
        for _ in 0..windows {
            start += 1 + numbers.index(16) as i64;
            starts.push(start);
        }
        most = most.max(start as usize);
    }
    let mut poles = numbers.uniforms(nuclides * most * 8, 0.0, 1.0);
    for place in poles.iter_mut().step_by(80) {
        *place = 20.0 * (1.0 + *place);
    }
    let [in_material, concs, counts, energies, asked] = lookups(&mut numbers, nuclides, n)?;
    Ok(vec![
        Array::f64(&[nuclides, most, 8], poles)?,
        Array::i64(&[nuclides, most], numbers.indices(nuclides * most, 4))?,
        Array::f64(&[nuclides, windows, 3], numbers.uniforms(nuclides * windows * 3, 0.0, 1.0))?,
        Array::i64(&[nuclides, windows + 1], starts)?,
        Array::f64(&[nuclides, 4], numbers.uniforms(nuclides * 4, 0.0, 1.0))?,
        in_material,
        concs,
        counts,
        energies,
        asked,
        Array::f64(&[4], numbers.uniforms(4, 0.0, 1.0))?,
    ])
}

/// `matmul`: two square matrices.
pub fn matmul(sizes: &[usize]) -> Result<Vec<Array>> {
    let [m] = dims(sizes)?;
    let mut numbers = Numbers::new(7);
    Ok(vec![
        Array::f64(&[m, m], numbers.normals(m * m))?,
        Array::f64(&[m, m], numbers.normals(m * m))?,
    ])
}

/// A vector of normal numbers.
pub fn vector(sizes: &[usize]) -> Result<Vec<Array>> {
    let [n] = dims(sizes)?;
    Ok(vec![Array::f64(&[n], Numbers::new(8).normals(n))?])
}

/// `convolution`: an image and a kernel.
pub fn convolution(sizes: &[usize]) -> Result<Vec<Array>> {
    let [n, k] = dims(sizes)?;
    let mut numbers = Numbers::new(17);
    Ok(vec![
        Array::f64(&[n, n], numbers.normals(n * n))?,
        Array::f64(&[k, k], numbers.normals(k * k))?,
    ])
}

/// `spmv`: so many rows and columns, and entries per row, sorted by rows.
pub fn spmv(sizes: &[usize]) -> Result<Vec<Array>> {
    let [n, per_row] = dims(sizes)?;
    let mut numbers = Numbers::new(18);
    let entries = n * per_row;
    Ok(vec![
        Array::i64(&[entries], (0..entries).map(|entry| (entry / per_row) as i64).collect())?,
        Array::i64(&[entries], numbers.indices(entries, n))?,
        Array::f64(&[entries], numbers.normals(entries))?,
        Array::f64(&[n], numbers.normals(n))?,
    ])
}

/// So many numbers near one that their product, too, is of the order of one.
fn factors(numbers: &mut Numbers, n: usize) -> Vec<f64> {
    let spread = (1.0 / n as f64).sqrt();
    numbers.uniforms(n, 1.0 - spread, 1.0 + spread)
}

/// `reduce_mul`: a vector of factors.
pub fn product(sizes: &[usize]) -> Result<Vec<Array>> {
    let [n] = dims(sizes)?;
    Ok(vec![Array::f64(&[n], factors(&mut Numbers::new(9), n))?])
}

/// `scan_prod`: factors and weights.
pub fn scan_prod(sizes: &[usize]) -> Result<Vec<Array>> {
    let [n] = dims(sizes)?;
    let mut numbers = Numbers::new(10);
    Ok(vec![Array::f64(&[n], factors(&mut numbers, n))?, Array::f64(&[n], numbers.normals(n))?])
}

/// `scan_linrec`: coefficients of a recurrence that forgets, and weights.
pub fn scan_linrec(sizes: &[usize]) -> Result<Vec<Array>> {
    let [n] = dims(sizes)?;
    let mut numbers = Numbers::new(11);
    Ok(vec![
        Array::f64(&[n], numbers.uniforms(n, -0.95, 0.95))?,
        Array::f64(&[n], numbers.normals(n))?,
        Array::f64(&[n], numbers.normals(n))?,
    ])
}

/// `scan_mat2`: matrices near the identity, and weights.
pub fn scan_mat2(sizes: &[usize]) -> Result<Vec<Array>> {
    let [n] = dims(sizes)?;
    let mut numbers = Numbers::new(12);
    let spread = (1.0 / n as f64).sqrt();
    let matrices = (0..4 * n)
        .map(|at| f64::from(at % 4 == 0 || at % 4 == 3) + numbers.uniform(-spread, spread))
        .collect();
    Ok(vec![Array::f64(&[n, 2, 2], matrices)?, Array::f64(&[n, 2, 2], numbers.normals(4 * n))?])
}

/// `hist_add` and `hist_max`: values, bins and weights of bins.
pub fn hist(sizes: &[usize]) -> Result<Vec<Array>> {
    let [n, m] = dims(sizes)?;
    let mut numbers = Numbers::new(13);
    Ok(vec![
        Array::f64(&[n], numbers.normals(n))?,
        Array::i64(&[n], numbers.indices(n, m))?,
        Array::f64(&[m], numbers.normals(m))?,
    ])
}

/// `hist_mul`: like [`hist`], with values whose products are of the order of one.
pub fn hist_mul(sizes: &[usize]) -> Result<Vec<Array>> {
    let [n, m] = dims(sizes)?;
    let mut numbers = Numbers::new(14);
    let spread = (m as f64 / n as f64).sqrt();
    Ok(vec![
        Array::f64(&[n], numbers.uniforms(n, 1.0 - spread, 1.0 + spread))?,
        Array::i64(&[n], numbers.indices(n, m))?,
        Array::f64(&[m], numbers.normals(m))?,
    ])
}

/// `loop_pow`: the start, the factor and the number of steps.
pub fn loop_pow(sizes: &[usize]) -> Result<Vec<Array>> {
    let [n] = dims(sizes)?;
    Ok(vec![Array::scalar(1.0), Array::scalar(1.0), Array::integer(n as i64)])
}

/// `recursive_tree`: a number, and how deep the tree is.
pub fn recursive_tree(sizes: &[usize]) -> Result<Vec<Array>> {
    let [depth] = dims(sizes)?;
    Ok(vec![Array::scalar(0.7), Array::integer(depth as i64)])
}

/// `closure_fold`: the numbers that are captured, and how many steps there are.
pub fn closure_fold(sizes: &[usize]) -> Result<Vec<Array>> {
    let [n] = dims(sizes)?;
    Ok(vec![Array::scalar(0.7), Array::scalar(0.3), Array::integer(n as i64)])
}

/// `loop_rk4`: the Lorenz system for one unit of time.
pub fn loop_rk4(sizes: &[usize]) -> Result<Vec<Array>> {
    let [n] = dims(sizes)?;
    Ok(vec![
        Array::f64(&[3], vec![1.0, 1.5, 2.0])?,
        Array::f64(&[3], vec![10.0, 28.0, 8.0 / 3.0])?,
        Array::scalar(1.0 / n as f64),
        Array::integer(n as i64),
    ])
}

/// `zygote_sincos`: one number.
pub fn number(sizes: &[usize]) -> Result<Vec<Array>> {
    let [] = dims(sizes)?;
    Ok(vec![Array::scalar(0.7)])
}

/// `zygote_loop`: a number whose power is of the order of one, and the power.
pub fn power(sizes: &[usize]) -> Result<Vec<Array>> {
    let [n] = dims(sizes)?;
    Ok(vec![Array::scalar(1.0 + 1.0 / n as f64), Array::integer(n as i64)])
}

/// `zygote_logistic`: weights, offset, examples and labels.
pub fn logistic(sizes: &[usize]) -> Result<Vec<Array>> {
    let [n, d] = dims(sizes)?;
    let mut numbers = Numbers::new(15);
    let label = |bit: i64| bit as f64;
    Ok(vec![
        Array::f64(&[d], numbers.uniforms(d, -0.1, 0.1))?,
        Array::scalar(0.25),
        Array::f64(&[n, d], numbers.normals(n * d))?,
        Array::f64(&[n], numbers.indices(n, 2).into_iter().map(label).collect())?,
    ])
}

/// `zygote_mlp`: weights and offsets of two layers, an example and its label.
pub fn mlp(sizes: &[usize]) -> Result<Vec<Array>> {
    let [inputs, hidden, outputs] = dims(sizes)?;
    let mut numbers = Numbers::new(16);
    Ok(vec![
        Array::f64(&[hidden, inputs], numbers.uniforms(hidden * inputs, -0.1, 0.1))?,
        Array::f64(&[hidden], numbers.uniforms(hidden, -0.1, 0.1))?,
        Array::f64(&[outputs, hidden], numbers.uniforms(outputs * hidden, -0.3, 0.3))?,
        Array::f64(&[outputs], numbers.uniforms(outputs, -0.1, 0.1))?,
        Array::f64(&[inputs], numbers.uniforms(inputs, 0.0, 1.0))?,
        Array::integer(3),
    ])
}
