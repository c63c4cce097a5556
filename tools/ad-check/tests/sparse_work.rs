//! What sums over sparse data cost, counted by the interpreter: in proportion to the tuples, not
//! to the sizes of the matrices that they are in.
//!
//! Shows the checklist row T45 by number.

use ad_check::decode::{Options, decode};
use ad_check::{Counts, Tensor, Value, run};
use melior::ir::Module;

/// The gradients of a loss of a sparse matrix in rows, times a vector.
const ROWS: &str = include_str!("../../../examples/tensor-language/sparse-rows.mlir");

/// The sum of the elements of the product of two sparse matrices that are lists, and its gradient.
const LISTS: &str = r#"
func.func private @product(%ai: tensor<?xindex>, %aj: tensor<?xindex>, %a: tensor<?xf64>,
    %bj: tensor<?xindex>, %bk: tensor<?xindex>, %b: tensor<?xf64>, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %na = tensor.dim %a, %zero : tensor<?xf64>
  %nb = tensor.dim %b, %zero : tensor<?xf64>
  %s = atl.sum (%i in %n, %j in %n, %k in %n, %p in %na, %q in %nb) -> f64 {
    %in_a = atl.member (%ai, %aj)[%i, %j] at %p : tensor<?xindex>, tensor<?xindex>
    %in_b = atl.member (%bj, %bk)[%j, %k] at %q : tensor<?xindex>, tensor<?xindex>
    %both = arith.andi %in_a, %in_b : i1
    %e = atl.bracket %both -> f64 {
      %x = atl.access %a[%p] : tensor<?xf64>
      %y = atl.access %b[%q] : tensor<?xf64>
      %t = arith.mulf %x, %y : f64
      atl.yield %t : f64
    }
    atl.yield %e : f64
  }
  return %s : f64
}
func.func @gradient(%ai: tensor<?xindex>, %aj: tensor<?xindex>, %a: tensor<?xf64>,
    %bj: tensor<?xindex>, %bk: tensor<?xindex>, %b: tensor<?xf64>, %n: index) -> (tensor<?xf64>, tensor<?xf64>) {
  %one = arith.constant 1.0 : f64
  %s, %a_bar, %b_bar = ad.vjp @product(%ai, %aj, %a, %bj, %bk, %b, %n) seed(%one) {wrt = array<i64: 2, 5>}
      : (tensor<?xindex>, tensor<?xindex>, tensor<?xf64>, tensor<?xindex>, tensor<?xindex>, tensor<?xf64>, index),
        (f64) -> (f64, tensor<?xf64>, tensor<?xf64>)
  return %a_bar, %b_bar : tensor<?xf64>, tensor<?xf64>
}
"#;

fn counts(program: &str, arguments: &[Value]) -> Counts {
    let context = ad_dialect::context();
    let mut module = Module::parse(&context, program).expect("the program parses");
    ad_passes::pipeline::run(&context, &mut module, "ad-optimize").expect("the pipeline runs");
    let program = decode(&module, "gradient", Options::default()).expect("it decodes");
    run(&program, "gradient", arguments).expect("it runs").counts
}

fn numbers(elements: impl Iterator<Item = i64>) -> Value {
    let elements: Vec<i64> = elements.collect();
    Value::Tensor(Tensor::from_ints(&[elements.len()], elements))
}

fn values(count: i64) -> Value {
    let elements = (0..count).map(|i| (i * 37 % 101) as f64 / 8.0 - 6.0);
    Value::Tensor(Tensor::from_floats(&[count as usize], elements.collect()))
}

/// A matrix with so many rows, columns, and entries in each row.
fn rows(rows: i64, columns: i64, per_row: i64) -> Counts {
    let entries = rows * per_row;
    counts(
        ROWS,
        &[
            numbers((0..=rows).map(|row| row * per_row)),
            numbers((0..entries).map(|entry| entry * 7 % columns)),
            values(entries),
            values(columns),
            Value::Int(rows),
        ],
    )
}

#[test]
fn rows_cost_as_much_as_they_have_entries() {
    let steps = |m, n, per_row| rows(m, n, per_row).steps as i64;
    // So many more for a row, for an entry of each row, and for a column.
    let start = steps(20, 30, 5);
    let (row, entries) = (steps(21, 30, 5) - start, steps(20, 30, 6) - start);
    let column = steps(20, 31, 5) - start;
    assert!(row < 1000 && entries < 20 * 150 && column < 20, "{row} {entries} {column}");
    assert_eq!(steps(20, 30, 16) - start, 11 * entries);
    assert_eq!(steps(40, 30, 5) - start, 20 * row);
    assert_eq!(steps(20, 3000, 5) - start, 2970 * column);
}

#[test]
fn pairs_of_tuples_are_found_without_looking_through_lists() {
    // Each entry of one list meets two of the other.
    let lists = |count: i64| {
        let places = |by: i64| numbers((0..count).map(|entry| entry * by % (count / 2)));
        let all = [places(3), places(1), values(count), places(1), places(5), values(count)];
        counts(LISTS, &[&all[..], &[Value::Int(count / 2)]].concat()).steps as f64
    };
    let growth = lists(512) / lists(256);
    assert!(growth < 2.4, "{growth}");
}
