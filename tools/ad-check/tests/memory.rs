//! Buffers in the interpreter: what they mean, and what is a fault.

use ad_check::decode::{Options, decode};
use ad_check::{Tensor, Value, run};
use melior::ir::Module;

fn execute(source: &str, inputs: &[Value]) -> Result<Vec<Value>, String> {
    let context = ad_dialect::context();
    let module = Module::parse(&context, source).ok_or("does not parse")?;
    let program = decode(&module, "main", Options::default()).map_err(|f| f.to_string())?;
    run(&program, "main", inputs).map(|outcome| outcome.results).map_err(|f| f.to_string())
}

fn results(source: &str, inputs: &[Value]) -> Vec<Value> {
    execute(source, inputs).unwrap()
}

fn failure(body: &str) -> String {
    let source = format!(
        "func.func @main(%i: index) -> f64 {{ %c0 = arith.constant 0 : index\n\
         %one = arith.constant 1.0 : f64\n{body}\nreturn %y : f64 }}"
    );
    execute(&source, &[Value::Int(3)]).unwrap_err()
}

fn floats(x: &[f64]) -> Value {
    Value::Tensor(Tensor::from_floats(&[x.len()], x.to_vec()))
}

#[test]
fn views_share_memory() {
    let source = r#"
    func.func @main(%m: memref<6xf64>, %i: index) -> (f64, memref<6xf64>, memref<2x3xf64>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %nine = arith.constant 9.0 : f64
      %odd = memref.subview %m[1] [3] [2] : memref<6xf64> to memref<3xf64, strided<[2], offset: 1>>
      memref.store %nine, %odd[%i] : memref<3xf64, strided<[2], offset: 1>>
      %grid = memref.expand_shape %m [[0, 1]] output_shape [2, 3] : memref<6xf64> into memref<2x3xf64>
      %turned = memref.transpose %grid (i, j) -> (j, i) : memref<2x3xf64> to memref<3x2xf64, strided<[1, 3]>>
      memref.store %nine, %turned[%c0, %c1] : memref<3x2xf64, strided<[1, 3]>>
      %y = memref.load %m[%c1] : memref<6xf64>
      return %y, %m, %grid : f64, memref<6xf64>, memref<2x3xf64>
    }"#;
    let got = results(source, &[floats(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]), Value::Int(2)]);
    assert_eq!(got[0], Value::Float(1.0));
    assert_eq!(got[1], floats(&[0.0, 1.0, 2.0, 9.0, 4.0, 9.0]));
}

#[test]
fn overlapping_copies_read_first() {
    let source = r#"
    func.func @main(%m: memref<4xf64>) -> memref<4xf64> {
      %low = memref.subview %m[0] [3] [1] : memref<4xf64> to memref<3xf64, strided<[1]>>
      %high = memref.subview %m[1] [3] [1] : memref<4xf64> to memref<3xf64, strided<[1], offset: 1>>
      memref.copy %low, %high : memref<3xf64, strided<[1]>> to memref<3xf64, strided<[1], offset: 1>>
      return %m : memref<4xf64>
    }"#;
    assert_eq!(results(source, &[floats(&[1.0, 2.0, 3.0, 4.0])])[0], floats(&[1.0, 1.0, 2.0, 3.0]));
}

#[test]
fn structured_operations_write_to_buffers() {
    let source = r#"
    func.func @main(%a: memref<2x2xf64>, %b: memref<2x2xf64>) -> memref<2x2xf64> {
      %zero = arith.constant 0.0 : f64
      %c = memref.alloc() : memref<2x2xf64>
      linalg.fill ins(%zero : f64) outs(%c : memref<2x2xf64>)
      linalg.matmul ins(%a, %b : memref<2x2xf64>, memref<2x2xf64>) outs(%c : memref<2x2xf64>)
      return %c : memref<2x2xf64>
    }"#;
    let matrix = |x: [f64; 4]| Value::Tensor(Tensor::from_floats(&[2, 2], x.to_vec()));
    let inputs = [matrix([1.0, 2.0, 3.0, 4.0]), matrix([0.0, 1.0, 1.0, 0.0])];
    assert_eq!(results(source, &inputs)[0], matrix([2.0, 1.0, 4.0, 3.0]));
}

#[test]
fn constants_of_memory_are_read_and_variables_are_one_for_all() {
    let source = r#"
    memref.global "private" constant @table : memref<3xf64> = dense<[1.0, 2.0, 4.0]>
    memref.global "private" @state : memref<f64> = dense<1.0>
    func.func private @count(%x: f64) {
      %m = memref.get_global @state : memref<f64>
      %old = memref.load %m[] : memref<f64>
      %new = arith.addf %old, %x : f64
      memref.store %new, %m[] : memref<f64>
      return
    }
    func.func @main(%i: index) -> (f64, f64) {
      %m = memref.get_global @table : memref<3xf64>
      %x = memref.load %m[%i] : memref<3xf64>
      call @count(%x) : (f64) -> ()
      call @count(%x) : (f64) -> ()
      %s = memref.get_global @state : memref<f64>
      %y = memref.load %s[] : memref<f64>
      return %x, %y : f64, f64
    }"#;
    assert_eq!(results(source, &[Value::Int(2)]), [Value::Float(4.0), Value::Float(9.0)]);
}

#[test]
fn what_a_program_must_not_do_is_a_fault() {
    let fault =
        failure("%m = memref.alloc() : memref<3xf64>\n%y = memref.load %m[%i] : memref<3xf64>");
    assert!(fault.contains("index 3 is out of bounds for dimension 0 of size 3"), "{fault}");
    let fault = failure(
        "%m = memref.alloc() : memref<f64>\nmemref.store %one, %m[] : memref<f64>\n\
         memref.dealloc %m : memref<f64>\n%y = memref.load %m[] : memref<f64>",
    );
    assert!(fault.contains("uses memory that is freed"), "{fault}");
    let fault = failure(
        "%m = memref.alloc() : memref<f64>\nmemref.dealloc %m : memref<f64>\n\
         memref.dealloc %m : memref<f64>\n%y = arith.addf %one, %one : f64",
    );
    assert!(fault.contains("uses memory that is freed"), "{fault}");
    let fault = failure(
        "%m = memref.alloca() : memref<f64>\nmemref.dealloc %m : memref<f64>\n\
         %y = arith.addf %one, %one : f64",
    );
    assert!(fault.contains("not on the heap"), "{fault}");
    let fault = failure(
        "%m = memref.alloc() : memref<f64>\n%u = memref.load %m[] : memref<f64>\n\
         %y = arith.addf %u, %one : f64",
    );
    assert!(fault.contains("memory that was never written"), "{fault}");
    let fault = failure(
        "%m = memref.alloc() : memref<4xf64>\n\
         %v = memref.subview %m[%i] [2] [1] : memref<4xf64> to memref<2xf64, strided<[1], offset: ?>>\n\
         %y = memref.load %v[%c0] : memref<2xf64, strided<[1], offset: ?>>",
    );
    assert!(fault.contains("out of bounds"), "{fault}");
}

#[test]
fn what_is_on_the_stack_goes_with_its_function() {
    let source = r#"
    func.func private @dangling() -> memref<f64> {
      %m = memref.alloca() : memref<f64>
      return %m : memref<f64>
    }
    func.func @main() -> f64 {
      %m = call @dangling() : () -> memref<f64>
      %y = memref.load %m[] : memref<f64>
      return %y : f64
    }"#;
    assert!(execute(source, &[]).unwrap_err().contains("uses memory that is freed"));
}
