// What is made of fields and read from them again goes.
// RUN: ad-opt %s --canonicalize | FileCheck %s

!r = !ad.record<x: f64, n: index>

// CHECK-LABEL: func.func @get_of_record(
// CHECK-SAME: %{{.*}}: f64, %[[N:[^:]*]]: index
// CHECK-NEXT: return %[[N]]
func.func @get_of_record(%x: f64, %n: index) -> index {
  %r = ad.record(%x, %n) : !r
  %m = ad.get %r[n] : !r
  return %m : index
}

// CHECK-LABEL: func.func @get_of_set(
// CHECK-SAME: %[[R:[^:]*]]: !ad.record<x: f64, n: index>, %[[M:[^:]*]]: index
// CHECK-NEXT: %[[X:.*]] = ad.get %[[R]][x]
// CHECK-NEXT: return %[[X]], %[[M]]
func.func @get_of_set(%r: !r, %m: index) -> (f64, index) {
  %s = ad.set %r[n] = %m : !r
  %x = ad.get %s[x] : !r
  %n = ad.get %s[n] : !r
  return %x, %n : f64, index
}

// CHECK-LABEL: func.func @record_of_gets(
// CHECK-SAME: %[[R:[^:]*]]: !ad.record<x: f64, n: index>
// CHECK-NEXT: return %[[R]]
func.func @record_of_gets(%r: !r) -> !r {
  %x = ad.get %r[x] : !r
  %n = ad.get %r[n] : !r
  %s = ad.record(%x, %n) : !r
  return %s : !r
}

// Other fields, or those of another record, are no copy.
// CHECK-LABEL: func.func @no_copy(
// CHECK: ad.record
// CHECK: ad.record
func.func @no_copy(%p: tuple<f64, f64>, %q: tuple<f64, f64>) -> (tuple<f64, f64>, tuple<f64, f64>) {
  %a = ad.get %p[0] : tuple<f64, f64>
  %b = ad.get %p[1] : tuple<f64, f64>
  %c = ad.get %q[1] : tuple<f64, f64>
  %swapped = ad.record(%b, %a) : tuple<f64, f64>
  %mixed = ad.record(%a, %c) : tuple<f64, f64>
  return %swapped, %mixed : tuple<f64, f64>, tuple<f64, f64>
}

// CHECK-LABEL: func.func @set_of_get(
// CHECK-SAME: %[[R:[^:]*]]: !ad.record<x: f64, n: index>
// CHECK-NEXT: return %[[R]]
func.func @set_of_get(%r: !r) -> !r {
  %x = ad.get %r[x] : !r
  %s = ad.set %r[x] = %x : !r
  return %s : !r
}

// CHECK-LABEL: func.func @set_of_set(
// CHECK-SAME: %[[R:[^:]*]]: !ad.record<x: f64, n: index>, %{{.*}}: f64, %[[Y:[^:]*]]: f64
// CHECK-NEXT: %[[S:.*]] = ad.set %[[R]][x] = %[[Y]]
// CHECK-NEXT: return %[[S]]
func.func @set_of_set(%r: !r, %x: f64, %y: f64) -> !r {
  %s = ad.set %r[x] = %x : !r
  %t = ad.set %s[x] = %y : !r
  return %t : !r
}
