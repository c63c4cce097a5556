// The sum of the squares of a convolution of an image with a kernel, where the kernel is inside of the
// image.
//
// The cotangent of the image is the correlation of that of the result with the kernel: every element
// gathers what the kernel reached from it, less of it at the borders. Nothing is scattered.
//
// Public entries: objective, gradient (of both arguments).

func.func @objective(%image: tensor<?x?xf64>, %kernel: tensor<?x?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %height = tensor.dim %image, %c0 : tensor<?x?xf64>
  %width = tensor.dim %image, %c1 : tensor<?x?xf64>
  %rows = tensor.dim %kernel, %c0 : tensor<?x?xf64>
  %columns = tensor.dim %kernel, %c1 : tensor<?x?xf64>
  %last_row = arith.subi %height, %rows : index
  %last_column = arith.subi %width, %columns : index
  %m = arith.addi %last_row, %c1 : index
  %n = arith.addi %last_column, %c1 : index
  %y = atl.gen (%i in %m, %j in %n) -> tensor<?x?xf64> {
    %sum = atl.sum (%a in %rows, %b in %columns) -> f64 {
      %weight = atl.access %kernel[%a, %b] : tensor<?x?xf64>
      %pixel = atl.access %image[%i + %a, %j + %b] : tensor<?x?xf64>
      %product = arith.mulf %weight, %pixel : f64
      atl.yield %product : f64
    }
    atl.yield %sum : f64
  }
  %loss = atl.sum (%i in %m, %j in %n) -> f64 {
    %e = atl.access %y[%i, %j] : tensor<?x?xf64>
    %square = arith.mulf %e, %e : f64
    atl.yield %square : f64
  }
  return %loss : f64
}

func.func @gradient(%image: tensor<?x?xf64>, %kernel: tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %one = arith.constant 1.0 : f64
  %y, %image_bar, %kernel_bar = ad.vjp @objective(%image, %kernel) seed(%one)
      : (tensor<?x?xf64>, tensor<?x?xf64>), (f64) -> (f64, tensor<?x?xf64>, tensor<?x?xf64>)
  return %image_bar, %kernel_bar : tensor<?x?xf64>, tensor<?x?xf64>
}
