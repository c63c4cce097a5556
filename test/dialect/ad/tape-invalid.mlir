// What tapes keep is checked, with the place of what is wrong.
// RUN: ad-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{a tape has no component of type 'memref<*xf64>'}}
func.func private @tape_c1(!ad.tape<memref<*xf64>>)

// -----

// expected-error @+1 {{a tape has no component of type 'tensor<*xf64>'}}
func.func private @tape_c1_rank(!ad.tape<f64, tensor<*xf64>>)

// -----

// expected-error @+1 {{a tape has no component of type 'vector<[4]xf64>'}}
func.func private @tape_c1_scalable(!ad.tape<vector<[4]xf64>>)

// -----

func.func @tape_push_c1_count(%t: !ad.tape<f64, index>, %x: f64) {
  // expected-error @+1 {{'ad.tape_push' op has 1 values, but the tape has 2 components}}
  "ad.tape_push"(%t, %x) : (!ad.tape<f64, index>, f64) -> ()
  return
}

// -----

func.func @tape_push_c1_type(%t: !ad.tape<f64, index>, %x: f64, %y: f32) {
  // expected-error @+1 {{'ad.tape_push' op value 1 has type 'f32', but the tape keeps 'index'}}
  ad.tape_push %t, %x, %y : !ad.tape<f64, index>, f64, f32
  return
}

// -----

func.func @tape_push_c1_buffer(%t: !ad.tape<tensor<?xf64>>, %a: memref<4xf64>) {
  // expected-error @+1 {{'ad.tape_push' op value 0 has type 'memref<4xf64>', but the tape keeps 'tensor<?xf64>'}}
  ad.tape_push %t, %a : !ad.tape<tensor<?xf64>>, memref<4xf64>
  return
}

// -----

func.func @tape_pop_c1_count(%t: !ad.tape<f64>) {
  // expected-error @+1 {{'ad.tape_pop' op has 2 results, but the tape has 1 components}}
  %x, %y = ad.tape_pop %t : !ad.tape<f64>, f64, f64
  return
}

// -----

func.func @tape_pop_c1_type(%t: !ad.tape<f64>) {
  // expected-error @+1 {{'ad.tape_pop' op result 0 has type 'f32', but the tape keeps 'f64'}}
  %x = ad.tape_pop %t : !ad.tape<f64>, f32
  return
}

// -----

func.func @tape_type(%t: f64) {
  // expected-error @+1 {{expected the type of a tape}}
  %x = ad.tape_pop %t : f64
  return
}
