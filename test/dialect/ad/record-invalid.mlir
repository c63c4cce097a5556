// One case per constraint on records.
// RUN: ad-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{a record has two fields "x"}}
func.func private @record_type_c1(!ad.record<x: f64, x: f32>)

// -----

// expected-error @+1 {{a field of a record has an empty name}}
func.func private @record_type_c1_empty(!ad.record<"": f64>)

// -----

func.func @record_c1(%x: f64) {
  // expected-error @+1 {{op failed to verify that fields have the types that the record has}}
  %r = "ad.record"(%x, %x) : (f64, f64) -> !ad.record<x: f64>
  return
}

// -----

func.func @record_of_no_record(%x: f64) {
  // expected-error @+1 {{op result #0 must be record or tuple, but got 'f64'}}
  %r = "ad.record"() : () -> f64
  return
}

// -----

func.func @get_c1(%r: !ad.record<x: f64>) {
  // expected-error @+1 {{'!ad.record<x: f64>' has no field 'y'}}
  %y = ad.get %r[y] : !ad.record<x: f64>
  return
}

// -----

func.func @get_c1_number(%r: tuple<f64>) {
  // expected-error @+1 {{'tuple<f64>' has no field 1}}
  %y = ad.get %r[1] : tuple<f64>
  return
}

// -----

func.func @get_c1_number_of_record(%r: !ad.record<x: f64>) {
  // expected-error @+1 {{'!ad.record<x: f64>' has no field 0}}
  %y = ad.get %r[0] : !ad.record<x: f64>
  return
}

// -----

func.func @get_c1_name_of_tuple(%r: tuple<f64>) {
  // expected-error @+1 {{'tuple<f64>' has no field 'x'}}
  %y = ad.get %r[x] : tuple<f64>
  return
}

// -----

func.func @get_c1_position(%r: tuple<f64>) {
  // expected-error @+2 {{'tuple<f64>' has no field 3}}
  // expected-error @+1 {{op failed to infer returned types}}
  %y = "ad.get"(%r) <{position = 3 : i64}> : (tuple<f64>) -> f64
  return
}

// -----

func.func @set_c1(%r: tuple<f64>, %x: f64) {
  // expected-error @+1 {{op 'tuple<f64>' has no field 1}}
  %y = "ad.set"(%r, %x) <{position = 1 : i64}> : (tuple<f64>, f64) -> tuple<f64>
  return
}

// -----

func.func @set_c1_type(%r: tuple<f64>, %x: f32) {
  // expected-error @+1 {{op sets a field of type 'f64' to a value of type 'f32'}}
  %y = "ad.set"(%r, %x) <{position = 0 : i64}> : (tuple<f64>, f32) -> tuple<f64>
  return
}

// -----

// An integer in a record has no gradient [Z33].
func.func private @f(%r: !ad.record<x: f64, n: i64>) -> f64
func.func @vjp_c4(%r: !ad.record<x: f64, n: i64>, %y_bar: f64) {
  // expected-error @+1 {{op results 1 has type '!ad.record<x: f64, n: i64>' but needs '!ad.record<x: f64>'}}
  %y, %r_bar = ad.vjp @f(%r) seed(%y_bar)
      : (!ad.record<x: f64, n: i64>), (f64) -> (f64, !ad.record<x: f64, n: i64>)
  return
}

// -----

func.func private @f(%r: tuple<i64, !ad.record<n: index>>) -> f64
func.func @vjp_c2(%r: tuple<i64, !ad.record<n: index>>, %y_bar: f64) {
  // expected-error @+1 {{op 'wrt' position 0 has the non-differentiable type 'tuple<i64, !ad.record<n: index>>'}}
  %y = ad.vjp @f(%r) seed(%y_bar) {wrt = array<i64: 0>}
      : (tuple<i64, !ad.record<n: index>>), (f64) -> (f64)
  return
}
