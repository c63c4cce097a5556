// # A sum of some elements
//
// The cotangent of x[0] + x[2] + x[3] + x[4] is one tensor, whose element is the seed where one of the
// predicates holds, and not a sum of tensors that are mostly zero (ATL 2.2). Of these predicates at most
// one holds at a time, so that nothing is added.

func.func @elements(%x: tensor<?xf64>) -> f64 {
  %x0 = atl.access %x[0] : tensor<?xf64>
  %x2 = atl.access %x[2] : tensor<?xf64>
  %x3 = atl.access %x[3] : tensor<?xf64>
  %x4 = atl.access %x[4] : tensor<?xf64>
  %a = arith.addf %x0, %x2 : f64
  %b = arith.addf %a, %x3 : f64
  %c = arith.addf %b, %x4 : f64
  return %c : f64
}

func.func @gradient(%x: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @elements(%x) seed(%one) : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %x_bar : tensor<?xf64>
}
