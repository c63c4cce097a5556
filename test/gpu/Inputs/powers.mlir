// Powers with integer exponents, element by element.

func.func @long() -> tensor<5xf64> {
  %x = arith.constant dense<[2.0, -0.5, -1.0, -1.0, 0.5]> : tensor<5xf64>
  %n = arith.constant dense<[-3, 3, 4294967296, 4294967297, 4294967296]> : tensor<5xi64>
  %y = soac.map ins(%x, %n : tensor<5xf64>, tensor<5xi64>) (%x_i: f64, %n_i: i64) -> tensor<5xf64> {
    %p = math.fpowi %x_i, %n_i : f64, i64
    soac.yield %p : f64
  }
  return %y : tensor<5xf64>
}

func.func @short() -> tensor<2xf32> {
  %x = arith.constant dense<[2.0, -0.5]> : tensor<2xf32>
  %n = arith.constant dense<[-3, 3]> : tensor<2xi16>
  %y = soac.map ins(%x, %n : tensor<2xf32>, tensor<2xi16>) (%x_i: f32, %n_i: i16) -> tensor<2xf32> {
    %p = math.fpowi %x_i, %n_i : f32, i16
    soac.yield %p : f32
  }
  return %y : tensor<2xf32>
}

func.func @integers() -> tensor<5xi32> {
  %x = arith.constant dense<[3, -2, 2, -1, 0]> : tensor<5xi32>
  %n = arith.constant dense<[4, 3, -1, -3, 0]> : tensor<5xi32>
  %y = soac.map ins(%x, %n : tensor<5xi32>, tensor<5xi32>) (%x_i: i32, %n_i: i32) -> tensor<5xi32> {
    %p = math.ipowi %x_i, %n_i : i32
    soac.yield %p : i32
  }
  return %y : tensor<5xi32>
}
