//! The tensor language as written, with values worked out by hand from ATL Figures 4 and 5.

use ad_check::decode::{Options, decode};
use ad_check::{Outcome, Tensor, Value, run};
use melior::ir::Module;

fn execute(source: &str, inputs: &[Value]) -> Result<Outcome, String> {
    let context = ad_dialect::context();
    let module = Module::parse(&context, source).expect("the source parses");
    let program = decode(&module, "main", Options::default()).map_err(|f| f.to_string())?;
    run(&program, "main", inputs).map_err(|f| f.to_string())
}

fn results(source: &str, inputs: &[Value]) -> Vec<Value> {
    execute(source, inputs).unwrap().results
}

fn floats(x: &[f64]) -> Value {
    Value::Tensor(Tensor::from_floats(&[x.len()], x.to_vec()))
}

fn matrix(rows: usize, columns: usize, x: &[f64]) -> Value {
    Value::Tensor(Tensor::from_floats(&[rows, columns], x.to_vec()))
}

fn ints(x: &[i64]) -> Value {
    Value::Tensor(Tensor::from_ints(&[x.len()], x.to_vec()))
}

fn pair(first: Value, second: Value) -> Value {
    Value::Pair(Box::new([first, second]))
}

/// A generation of brackets, with the condition in its place.
fn marks(arguments: &str, size: usize, condition: &str) -> String {
    format!(
        "func.func @main({arguments}) -> tensor<{size}xf64> {{
          %size = arith.constant {size} : index
          %one = arith.constant 1.0 : f64
          %y = atl.gen (%i in %size) -> tensor<{size}xf64> {{
            %p = {condition}
            %e = atl.bracket %p -> f64 {{
              atl.yield %one : f64
            }}
            atl.yield %e : f64
          }}
          return %y : tensor<{size}xf64>
        }}"
    )
}

#[test]
fn a_generation_is_the_tensor_of_its_bodys_values() {
    let source = "
    func.func @main(%x: tensor<?x?xf64>, %n: index, %m: index) -> tensor<?x?xf64> {
      %y = atl.gen (%i in %n, %j in %m) -> tensor<?x?xf64> {
        %e = atl.access %x[%j, 2 * %i - 1 + %n - %n + 1] : tensor<?x?xf64>
        atl.yield %e : f64
      }
      return %y : tensor<?x?xf64>
    }";
    let x = matrix(3, 3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
    let got = results(source, &[x.clone(), Value::Int(2), Value::Int(3)]);
    assert_eq!(got, [matrix(2, 3, &[1.0, 4.0, 7.0, 3.0, 6.0, 9.0])]);
    assert_eq!(results(source, &[x, Value::Int(0), Value::Int(3)]), [matrix(0, 3, &[])]);
}

#[test]
fn rows_are_accessed_and_generated() {
    let source = "
    func.func @main(%x: tensor<?x?xf64>, %n: index) -> tensor<?x?xf64> {
      %y = atl.gen (%i in %n) -> tensor<?x?xf64> {
        %row = atl.access %x[1 - %i] : tensor<?x?xf64>
        atl.yield %row : tensor<?xf64>
      }
      return %y : tensor<?x?xf64>
    }";
    let x = matrix(2, 2, &[1.0, 2.0, 3.0, 4.0]);
    let got = results(source, &[x.clone(), Value::Int(2)]);
    assert_eq!(got, [matrix(2, 2, &[3.0, 4.0, 1.0, 2.0])]);
    assert_eq!(results(source, &[x, Value::Int(0)]), [matrix(0, 2, &[])]);
}

#[test]
fn a_sum_adds_up_in_the_precision_of_its_type() {
    let source = "
    func.func @main(%x: tensor<?xf32>, %n: index) -> f32 {
      %s = atl.sum (%i in %n, %j in %n) -> f32 {
        %e = atl.access %x[%i] : tensor<?xf32>
        atl.yield %e : f32
      }
      return %s : f32
    }";
    let sum = |x: &[f64]| execute(source, &[floats(x), Value::Int(x.len() as i64)]).unwrap();
    let got = sum(&[16_777_216.0, 1.0]);
    // 2^24 twice is exact, and one more is no f32.
    assert_eq!(got.results, [Value::Float(33_554_432.0)]);
    assert_eq!(got.counts.float_ops, 3);
    assert_eq!(sum(&[]).results, [Value::Float(0.0)]);
    let none = execute(source, &[floats(&[1.0]), Value::Int(-1)]).unwrap();
    assert_eq!(none.results, [Value::Float(0.0)]);
}

#[test]
fn whole_numbers_are_compared_below_zero_too() {
    for (condition, expected) in [
        ("atl.compare %i - 2 < -1", [1.0, 0.0, 0.0]),
        ("atl.compare %i - 2 <= -1", [1.0, 1.0, 0.0]),
        ("atl.compare 2 * %i - 2 = 0", [0.0, 1.0, 0.0]),
    ] {
        assert_eq!(results(&marks("", 3, condition), &[]), [floats(&expected)], "{condition}");
    }
}

#[test]
fn a_predicate_holds_for_some_index_or_for_none() {
    let source = |body: &str| {
        format!("atl.exists (%k in %n) {{ %q = atl.compare {body} \n atl.yield %q : i1 }}")
    };
    let even = marks("%n: index", 4, &source("%i = 2 * %k"));
    assert_eq!(results(&even, &[Value::Int(2)]), [floats(&[1.0, 0.0, 1.0, 0.0])]);
    assert_eq!(results(&even, &[Value::Int(0)]), [floats(&[0.0; 4])]);
}

#[test]
fn a_mask_has_no_members_outside_of_it() {
    let source = marks("%m: tensor<?xi1>", 4, "atl.member %m[%i - 1] : tensor<?xi1>");
    let got = results(&source, &[ints(&[1, 0])]);
    assert_eq!(got, [floats(&[0.0, 1.0, 0.0, 0.0])]);
}

#[test]
fn a_list_has_the_tuples_that_are_in_it() {
    let columns = "%a: tensor<?xindex>, %b: tensor<?xi32>";
    let types = "tensor<?xindex>, tensor<?xi32>";
    let (a, b) = (ints(&[2, 0, 3]), ints(&[2, 1, -3]));
    let any = marks(columns, 4, &format!("atl.member (%a, %b)[%i, 6 - 3 * %i] : {types}"));
    assert_eq!(results(&any, &[a.clone(), b.clone()]), [floats(&[0.0, 0.0, 0.0, 1.0])]);
    let numbered = marks(columns, 4, &format!("atl.member (%a, %b)[2, 2] at %i - 1 : {types}"));
    assert_eq!(results(&numbered, &[a.clone(), b]), [floats(&[0.0, 1.0, 0.0, 0.0])]);
    let uneven = execute(&numbered, &[a, ints(&[2])]).unwrap_err();
    assert!(uneven.contains("different sizes 3 and 1"), "{uneven}");
}

#[test]
fn a_bracket_evaluates_its_body_only_where_it_holds() {
    let source = "
    func.func @main(%x: tensor<?xf64>, %n: index) -> f64 {
      %s = atl.sum (%i in %n) -> f64 {
        %p = atl.compare %i + 1 < %n
        %e = atl.bracket %p -> f64 {
          %t = atl.access %x[%i + 1] : tensor<?xf64>
          atl.yield %t : f64
        }
        atl.yield %e : f64
      }
      return %s : f64
    }";
    let got = results(source, &[floats(&[1.0, f64::NAN, 4.0][..1]), Value::Int(1)]);
    assert_eq!(got, [Value::Float(0.0)]);
    let got = results(source, &[floats(&[f64::NAN, 2.0, 4.0]), Value::Int(3)]);
    assert_eq!(got, [Value::Float(6.0)]);
}

/// Zeros of pairs, of tensors in pairs, of parts and halves of tensors of pairs, and of generations in the body.
#[test]
fn a_zero_has_the_sizes_that_the_bodys_value_would_have() {
    let source = "
    !point = !atl.pair<f64, tensor<2xf64>>
    !both = !atl.pair<tensor<?x?xf64>, !atl.pair<f64, tensor<?x?xf64>>>
    !rows = tensor<?x?x!point>
    func.func @main(%p: i1, %x: tensor<?x?xf64>, %n: index)
        -> (tensor<?xf64>, !both, tensor<?x!point>, tensor<?xf64>) {
      %points = atl.gen (%i in %n, %j in %n) -> !rows {
        %one = arith.constant 1.0 : f64
        %two = arith.constant 2 : index
        %v = atl.gen (%k in %two) -> tensor<2xf64> {
          %e = atl.access %x[%i, %j] : tensor<?x?xf64>
          atl.yield %e : f64
        }
        %point = atl.pair %one, %v : f64, tensor<2xf64>
        atl.yield %point : !point
      }
      %row = atl.bracket %p -> tensor<?xf64> {
        %t = atl.access %x[7] : tensor<?x?xf64>
        atl.yield %t : tensor<?xf64>
      }
      %both = atl.bracket %p -> !both {
        %three = arith.constant 3 : index
        %t = atl.gen (%i in %n) -> tensor<?x?xf64> {
          %u = atl.gen (%j in %three) -> tensor<?xf64> {
            %e = atl.access %x[%i, %j] : tensor<?x?xf64>
            atl.yield %e : f64
          }
          atl.yield %u : tensor<?xf64>
        }
        %e = atl.access %x[0, 0] : tensor<?x?xf64>
        %inner = atl.pair %e, %x : f64, tensor<?x?xf64>
        %outer = atl.pair %t, %inner : tensor<?x?xf64>, !atl.pair<f64, tensor<?x?xf64>>
        atl.yield %outer : !both
      }
      %part = atl.bracket %p -> tensor<?x!point> {
        %t = atl.access %points[7] : !rows
        atl.yield %t : tensor<?x!point>
      }
      %half = atl.bracket %p -> tensor<?xf64> {
        %q = atl.compare 1 < 0
        %t = atl.bracket %q -> !both {
          atl.yield %both : !both
        }
        %first = atl.project %t[0] : !both
        %u = atl.access %first[9] : tensor<?x?xf64>
        atl.yield %u : tensor<?xf64>
      }
      return %row, %both, %part, %half : tensor<?xf64>, !both, tensor<?x!point>, tensor<?xf64>
    }";
    let x = matrix(2, 4, &[1.0; 8]);
    let got = results(source, &[Value::Int(0), x, Value::Int(2)]);
    assert_eq!(got[0], floats(&[0.0; 4]));
    let inner = pair(Value::Float(0.0), matrix(2, 4, &[0.0; 8]));
    assert_eq!(got[1], pair(matrix(2, 3, &[0.0; 6]), inner));
    assert_eq!(got[2], pair(floats(&[0.0; 2]), matrix(2, 2, &[0.0; 4])));
    assert_eq!(got[3], floats(&[0.0; 3]));
}

#[test]
fn pairs_are_taken_apart_and_accessed() {
    let source = "
    !point = !atl.pair<f64, tensor<2xf64>>
    func.func @main(%n: index, %k: index) -> (tensor<?x!point>, tensor<2xf64>, index) {
      %x = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>
      %zero = arith.constant 0 : index
      %points = atl.gen (%i in %n) -> tensor<?x!point> {
        %v = atl.access %x[%i] : tensor<2x2xf64>
        %e = atl.access %x[%i, %i] : tensor<2x2xf64>
        %point = atl.pair %e, %v : f64, tensor<2xf64>
        atl.yield %point : !point
      }
      %point = atl.access %points[%k] : tensor<?x!point>
      %v = atl.project %point[1] : !point
      %size = tensor.dim %points, %zero : tensor<?x!point>
      return %points, %v, %size : tensor<?x!point>, tensor<2xf64>, index
    }";
    let got = results(source, &[Value::Int(2), Value::Int(1)]);
    assert_eq!(got[0], pair(floats(&[1.0, 4.0]), matrix(2, 2, &[1.0, 2.0, 3.0, 4.0])));
    assert_eq!(got[1..], [floats(&[3.0, 4.0]), Value::Int(2)]);
    let none = execute(source, &[Value::Int(0), Value::Int(0)]).unwrap_err();
    assert!(none.contains("'atl.access' op index 0 is out of bounds"), "{none}");
}

#[test]
fn what_has_no_value_is_a_fault_where_it_is() {
    let access = |place: &str| {
        format!(
            "func.func @main(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {{
              %y = atl.gen (%i in %n) -> tensor<?xf64> {{
                %e = atl.access %x[{place}] : tensor<?xf64>
                atl.yield %e : f64
              }}
              return %y : tensor<?xf64>
            }}"
        )
    };
    let fails = |source: &str, n: i64| {
        execute(source, &[floats(&[1.0, 2.0]), Value::Int(n)]).map(|got| got.results).unwrap_err()
    };
    let above = fails(&access("%i + 1"), 2);
    let expected = "index 2 is out of bounds for dimension 0 of size 2";
    assert_eq!(above, format!("-:3:22: error: 'atl.access' op {expected}"));
    let below = fails(&access("%i - 1"), 1);
    assert!(
        below.ends_with("'atl.access' op index -1 is out of bounds for dimension 0"),
        "{below}"
    );
    let negative = fails(&access("0"), -3);
    assert_eq!(negative, "-:2:20: error: 'atl.gen' op negative size or index -3");
    let fixed = access("%i").replace("-> tensor<?xf64>", "-> tensor<2xf64>");
    let fixed = fails(&fixed.replace("%y : tensor<?xf64>", "%y : tensor<2xf64>"), 1);
    assert!(fixed.contains("'atl.gen' op expects tensor<2xf64>, got shape [1]"), "{fixed}");
}

/// A map over no elements has rows as its body would make them.
#[test]
fn a_map_over_nothing_is_told_the_sizes_of_generations() {
    let source = "
    func.func @main(%x: tensor<?xf64>, %y: tensor<?xf64>, %n: index) -> tensor<?x?xf64> {
      %m = soac.map ins(%x : tensor<?xf64>) (%a: f64) -> tensor<?x?xf64> {
        %row = atl.gen (%i in %n) -> tensor<?xf64> {
          %e = atl.access %y[%i + 7] : tensor<?xf64>
          %p = arith.mulf %a, %e : f64
          atl.yield %p : f64
        }
        soac.yield %row : tensor<?xf64>
      }
      return %m : tensor<?x?xf64>
    }";
    let got = results(source, &[floats(&[]), floats(&[]), Value::Int(5)]);
    assert_eq!(got, [matrix(0, 5, &[])]);
}
