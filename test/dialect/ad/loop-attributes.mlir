// The attributes of the ad dialect on loops are verified.
// RUN: ad-opt %s --split-input-file --verify-diagnostics

func.func @valid(%n: index, %x: tensor<?xf64>, %c: i1) {
  %c0 = arith.constant 0 : index
  %r = scf.for %i = %c0 to %n step %n iter_args(%p = %x) -> tensor<?xf64> {
    scf.yield %p : tensor<?xf64>
  } {ad.strip_mine = array<i64: 16, 8>, ad.no_false_dependencies = array<i1: true>}
  scf.for %i = %c0 to %n step %n {
  } {ad.strip_mine = 4 : i64, ad.no_false_dependencies}
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  } attributes {ad.bound = 100 : i64}
  return
}

// -----

func.func @owner(%c: i1) {
  // expected-error@+1 {{'scf.if' op has attribute 'ad.strip_mine', which belongs on 'scf.for'}}
  scf.if %c {
  } {ad.strip_mine = 4 : i64}
  return
}

// -----

func.func @bound_owner(%n: index) {
  // expected-error@+1 {{'scf.for' op has attribute 'ad.bound', which belongs on 'scf.while'}}
  scf.for %i = %n to %n step %n {
  } {ad.bound = 4 : i64}
  return
}

// -----

func.func @not_positive(%n: index) {
  // expected-error@+1 {{'scf.for' op attribute 'ad.strip_mine' holds 0, which is not positive}}
  scf.for %i = %n to %n step %n {
  } {ad.strip_mine = array<i64: 4, 0>}
  return
}

// -----

func.func @type(%n: index) {
  // expected-error@+1 {{'scf.for' op attribute 'ad.strip_mine' must be a positive integer or an array of them, such as array<i64: 16, 8>}}
  scf.for %i = %n to %n step %n {
  } {ad.strip_mine = "often"}
  return
}

// -----

func.func @empty(%n: index) {
  // expected-error@+1 {{'scf.for' op attribute 'ad.strip_mine' must be a positive integer or an array of them}}
  scf.for %i = %n to %n step %n {
  } {ad.strip_mine = array<i64>}
  return
}

// -----

func.func @flags(%n: index) {
  // expected-error@+1 {{'scf.for' op attribute 'ad.no_false_dependencies' must be 'unit' or say for each loop-carried value whether it is meant, such as array<i1: true, false>}}
  scf.for %i = %n to %n step %n {
  } {ad.no_false_dependencies = 3 : i64}
  return
}

// -----

func.func @bound_type(%c: i1) {
  // expected-error@+1 {{'scf.while' op attribute 'ad.bound' must be a positive integer}}
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  } attributes {ad.bound = array<i64: 3>}
  return
}

// -----

func.func @misspelt(%n: index) {
  // expected-error@+1 {{'scf.for' op has the unknown attribute 'ad.stripmine'; loops take 'ad.strip_mine', 'ad.no_false_dependencies' and 'ad.bound'}}
  scf.for %i = %n to %n step %n {
  } {ad.stripmine = 4 : i64}
  return
}
