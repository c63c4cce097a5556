// The first lanes of a vector of equal numbers, added up.
func.func @f(%n: index) -> tensor<2xf64> {
  %x = arith.constant dense<[1.5, -2.0]> : tensor<2xf64>
  %mask = vector.create_mask %n : vector<4xi1>
  %y = soac.map ins(%x : tensor<2xf64>) (%x_i: f64) -> tensor<2xf64> {
    %zeros = arith.constant dense<0.0> : vector<4xf64>
    %all = vector.broadcast %x_i : f64 to vector<4xf64>
    %some = arith.select %mask, %all, %zeros : vector<4xi1>, vector<4xf64>
    %sum = vector.reduction <add>, %some : vector<4xf64> into f64
    soac.yield %sum : f64
  }
  return %y : tensor<2xf64>
}
