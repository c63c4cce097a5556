//! Products of small matrices that a subgroup makes together, against loops over whole matrices.

mod common;

use std::cell::Cell;

use ad_emulate::matrix::{F16, F64, TF32};
use common::{Thread, alone, cells, launch, launch_calls, no_errors, only_error};

const DIVERGENT: &str = "product of matrices is not reached by all 32 threads of a subgroup of @k";

/// The rows, columns and summands of a kind.
fn sizes(kind: i32) -> [usize; 3] {
    match kind {
        F64 => [8, 8, 4],
        TF32 => [16, 16, 8],
        _ => [16, 16, 16],
    }
}

/// Where the elements of a lane are in both factors and in the sums, as NVIDIA's documents have it for `mma`: the row and
/// column of each, in order.
fn places(kind: i32, lane: usize) -> [Vec<[usize; 2]>; 3] {
    let (group, rest) = (lane / 4, lane % 4);
    match kind {
        F64 => [
            vec![[group, rest]],
            vec![[rest, group]],
            vec![[group, 2 * rest], [group, 2 * rest + 1]],
        ],
        TF32 => [
            vec![[group, rest], [group + 8, rest], [group, rest + 4], [group + 8, rest + 4]],
            vec![[rest, group], [rest, group + 8], [rest + 4, group], [rest + 4, group + 8]],
            sums(group, rest),
        ],
        _ => [
            sums(group, rest),
            sums(group, rest).into_iter().map(|[row, column]| [column, row]).collect(),
            sums(group, rest),
        ],
    }
}

/// Two neighbours, those 8 rows below, and the same 8 columns to the right.
fn sums(group: usize, rest: usize) -> Vec<[usize; 2]> {
    let corner = |row, column| [[row, column], [row, column + 1]];
    let (row, column) = (group, 2 * rest);
    [
        corner(row, column),
        corner(row + 8, column),
        corner(row, column + 8),
        corner(row + 8, column + 8),
    ]
    .concat()
}

/// Multiplies, with the elements of the thread as the kind has them.
fn multiply(t: Thread<'_>, kind: i32, own: &[Vec<f64>; 3], site: i64) -> Vec<f64> {
    if kind == F64 {
        let [x, y, mut sums] = own.clone();
        t.multiply([x.as_ptr() as i64, y.as_ptr() as i64, sums.as_mut_ptr() as i64], kind, site);
        return sums;
    }
    let narrow = |all: &Vec<f64>| all.iter().map(|&x| x as f32).collect::<Vec<_>>();
    let [x, y, mut sums] = own.each_ref().map(narrow);
    t.multiply([x.as_ptr() as i64, y.as_ptr() as i64, sums.as_mut_ptr() as i64], kind, site);
    sums.into_iter().map(f64::from).collect()
}

/// A product of matrices whose elements come from functions of row and column, plus the third: what 64 threads get, in
/// whole matrices for both subgroups. The second one has -1 as its first factor.
fn product(kind: i32, elements: [fn(usize, usize) -> f64; 3]) -> Vec<Vec<Vec<f64>>> {
    let [rows, columns, _] = sizes(kind);
    let result = cells(2 * rows * columns, f64::NAN);
    launch([1, 1, 1], [64, 1, 1], |t| {
        let (subgroup, lane) = (t.x() / 32, t.x() % 32);
        assert_eq!(t.lane(), lane as i64);
        let places = places(kind, lane);
        let mut own = [0, 1, 2].map(|part| {
            places[part].iter().map(|&[i, j]| elements[part](i, j)).collect::<Vec<_>>()
        });
        if subgroup == 1 {
            own[0].fill(-1.0);
        }
        for (&[row, column], sum) in places[2].iter().zip(multiply(t, kind, &own, 7)) {
            result[(subgroup * rows + row) * columns + column].set(sum);
        }
    });
    no_errors();
    let all: Vec<f64> = result.iter().map(Cell::get).collect();
    let whole = all.chunks(columns).map(<[f64]>::to_vec).collect::<Vec<_>>();
    whole.chunks(rows).map(<[Vec<f64>]>::to_vec).collect()
}

#[test]
fn all_kinds_give_the_products_of_whole_matrices() {
    // Small numbers, of which every sum is exact in every type.
    let elements: [fn(usize, usize) -> f64; 3] = [
        |i, j| (3 * i + 5 * j) as f64 - 20.0,
        |i, j| (7 * i) as f64 - (2 * j) as f64,
        |i, j| (100 * i + j) as f64,
    ];
    for seed in 0..3 {
        let _alone = alone(seed, false);
        for kind in [F64, TF32, F16] {
            let [rows, columns, depth] = sizes(kind);
            let [x, y, z] = elements;
            let found = product(kind, elements);
            for (i, j) in (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))) {
                let sum = |x: &dyn Fn(usize) -> f64| {
                    z(i, j) + (0..depth).map(|k| x(k) * y(k, j)).sum::<f64>()
                };
                assert_eq!(found[0][i][j], sum(&|k| x(i, k)), "{kind} {i} {j}");
                assert_eq!(found[1][i][j], sum(&|_| -1.0), "{kind} {i} {j}");
            }
        }
    }
}

#[test]
fn precision_is_that_of_the_hardware() {
    let _alone = alone(1, false);
    // The last of 13 bits that TF32 does not have is cut off; f32 sums have it.
    let found = product(
        TF32,
        [
            |i, j| if (i, j) == (0, 0) { 1.0 + 1.0 / 1024.0 + 1.0 / 2048.0 } else { 0.0 },
            |i, j| if (i, j) == (0, 0) { 1.0 } else { 0.0 },
            |i, j| if (i, j) == (0, 0) { 1.0 / 8_388_608.0 } else { 0.0 },
        ],
    );
    let value = 1.0 + 1.0 / 1024.0 + 1.0 / 8_388_608.0;
    assert_eq!(found[0][0][0], value);
    assert_eq!(found[0][1][1], 0.0);
    // Factors of f16 are not cut off.
    let found = product(
        F16,
        [
            |i, j| if (i, j) == (0, 0) { 1.0 + 1.0 / 1024.0 } else { 0.0 },
            |i, j| if (i, j) == (0, 0) { 1.0 + 1.0 / 1024.0 } else { 0.0 },
            |_, _| 0.0,
        ],
    );
    assert_eq!(found[0][0][0], (1.0 + 1.0 / 1024.0) * (1.0 + 1.0 / 1024.0));
    // Products of f64 are exact before they are added.
    let found = product(
        F64,
        [
            |i, j| if (i, j) == (0, 0) { 1.0 + f64::EPSILON } else { 0.0 },
            |i, j| if (i, j) == (0, 0) { 1.0 - f64::EPSILON } else { 0.0 },
            |i, j| if (i, j) == (0, 0) { -1.0 } else { 0.0 },
        ],
    );
    assert_eq!(found[0][0][0], -f64::EPSILON * f64::EPSILON);
}

#[test]
fn a_product_without_some_threads_is_an_error() {
    let _alone = alone(2, false);
    let own = || [vec![1.0], vec![1.0], vec![0.0; 2]];
    // Some have ended, some wait at a barrier, and some never were.
    launch([1, 1, 1], [64, 1, 1], |t| {
        if t.x() != 40 {
            multiply(t, F64, &own(), 0);
        }
    });
    assert_eq!(only_error(), DIVERGENT);
    launch([1, 1, 1], [64, 1, 1], |t| {
        if t.x() == 3 {
            t.barrier();
        } else {
            multiply(t, F64, &own(), 0);
        }
    });
    assert_eq!(ad_emulate::take_errors()[0], DIVERGENT);
    launch([1, 1, 1], [48, 1, 1], |t| {
        multiply(t, F64, &own(), 0);
    });
    assert_eq!(only_error(), DIVERGENT);
}

#[test]
fn different_products_of_a_subgroup_are_an_error() {
    let _alone = alone(3, false);
    let own = |count| [vec![1.0; count], vec![1.0; count], vec![0.0; 8]];
    let different = "threads of a subgroup of @k make different products";
    // Another operation, and another kind.
    launch([1, 1, 1], [32, 1, 1], |t| {
        multiply(t, F64, &own(1), i64::from(t.x() == 9));
    });
    assert_eq!(only_error(), different);
    launch([1, 1, 1], [32, 1, 1], |t| {
        multiply(t, if t.x() < 16 { TF32 } else { F16 }, &own(8), 0);
    });
    assert_eq!(only_error(), different);
    launch([1, 1, 1], [32, 1, 1], |t| {
        multiply(t, 9, &own(8), 0);
    });
    assert_eq!(only_error(), "a product of matrices of unknown kind 9 in @k");
    launch_calls([1, 1, 1], [32, 1, 1], |t| {
        multiply(t, F64, &own(1), 0);
    });
    assert_eq!(
        only_error(),
        "a product of matrices though the launch says that there are none in @k"
    );
}
