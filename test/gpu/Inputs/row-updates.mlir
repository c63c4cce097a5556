// Springs between points: the energy is the sum over springs of |x[from] - x[to]|^2 times how many of a point's neighbours
// are counted, so that threads run for as long as their springs say and add to rows of three at places of their own.
func.func @energy(%x: tensor<?x3xf64>, %from: tensor<?xi64>, %to: tensor<?xi64>, %turns: tensor<?xi64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %from, %c0 : tensor<?xi64>
  %each = soac.map ins(%from, %turns : tensor<?xi64>, tensor<?xi64>) (%a_i: i64, %turns_i: i64) -> tensor<?xf64> {
    %a = arith.index_cast %a_i : i64 to index
    %count = arith.index_cast %turns_i : i64 to index
    %all = scf.for %j = %c0 to %count step %c1 iter_args(%sum = %zero) -> (f64) {
      %place = arith.addi %a, %j : index
      %spring = arith.remui %place, %n : index
      %b_i = tensor.extract %to[%spring] : tensor<?xi64>
      %b = arith.index_cast %b_i : i64 to index
      %is_other = arith.cmpi ne, %a, %b : index
      %one = scf.if %is_other -> (f64) {
        %square = scf.for %k = %c0 to %c3 step %c1 iter_args(%squares = %zero) -> (f64) {
          %p = tensor.extract %x[%a, %k] : tensor<?x3xf64>
          %q = tensor.extract %x[%b, %k] : tensor<?x3xf64>
          %d = arith.subf %p, %q : f64
          %dd = arith.mulf %d, %d : f64
          %squares_1 = arith.addf %squares, %dd : f64
          scf.yield %squares_1 : f64
        }
        scf.yield %square : f64
      } else {
        scf.yield %zero : f64
      }
      %sum_1 = arith.addf %sum, %one : f64
      scf.yield %sum_1 : f64
    }
    soac.yield %all : f64
  }
  %total = soac.reduce ins(%each : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %total : f64
}

func.func @forces(%x: tensor<?x3xf64>, %from: tensor<?xi64>, %to: tensor<?xi64>, %turns: tensor<?xi64>) -> tensor<?x3xf64> {
  %one = arith.constant 1.0 : f64
  %e, %x_bar = ad.vjp @energy(%x, %from, %to, %turns) seed(%one) {wrt = array<i64: 0>}
    : (tensor<?x3xf64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>), (f64) -> (f64, tensor<?x3xf64>)
  return %x_bar : tensor<?x3xf64>
}
