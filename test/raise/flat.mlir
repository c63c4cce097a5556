// Flat arrays that loops number by rows and columns, as programs of C and Fortran do, are views with a dimension for each loop before
// they are differentiated, so that nests become maps, and products of matrices such (F45, F49): where rows end before the next ones
// begin, and in every iteration. The rest stays. What they compute is what blocks compute.
// RUN: ad-opt %s --ad-differentiate | FileCheck %s
// RUN: ad-opt %s --ad-optimize | FileCheck %s --check-prefix=PRODUCT
// RUN: ad-opt %s --convert-scf-to-cf --ad-differentiate -o %t.blocks.mlir
// DEFINE: %{random} = %python %S/../bench/Inputs/random_npy.py
// RUN: %{random} %t.x.npy '<f8' '(60,)' -1 1 1 && %{random} %t.y.npy '<f8' '(60,)' -1 1 2 && %{random} %t.z.npy '<f8' '(60,)' -1 1 3
// DEFINE: %{entry} =
// DEFINE: %{m} = 3
// DEFINE: %{n} = 4
// DEFINE: %{inputs} = --entry=%{entry} --input=%t.x.npy --input=%t.y.npy --input=%t.z.npy --input=%{m} --input=%{n}
// DEFINE: %{compare} = %python %S/../bench/Inputs/compare.py
// DEFINE: %{same} = ad-opt run %t.blocks.mlir %{inputs} > %t.blocks && ad-opt run %s %{inputs} > %t.cpu && ad-opt run %s %{inputs} --target=gpu-emulate > %t.gpu && \
// DEFINE:           %{compare} %t.blocks %t.cpu 1e-14 && %{compare} %t.cpu %t.gpu 1e-14
// REDEFINE: %{entry} = product_gradient
// RUN: %{same}
// REDEFINE: %{entry} = beside_gradient
// RUN: %{same}
// REDEFINE: %{entry} = three_gradient
// RUN: %{same}
// REDEFINE: %{entry} = transposed_gradient
// RUN: %{same}
// REDEFINE: %{entry} = columns_gradient
// RUN: %{same}
// REDEFINE: %{entry} = overlapping_gradient
// RUN: %{same}
// REDEFINE: %{entry} = in_branch_gradient
// RUN: %{same}
// No loop runs, or one does not: nothing is read of the arrays, which have one element.
// RUN: %python %S/../driver/Inputs/npy.py %t.none.npy '<f8' '(1,)' 0.5
// REDEFINE: %{inputs} = --entry=%{entry} --input=%t.none.npy --input=%t.none.npy --input=%t.none.npy --input=%{m} --input=%{n}
// REDEFINE: %{n} = 0
// REDEFINE: %{entry} = product_gradient
// RUN: %{same}
// REDEFINE: %{entry} = beside_gradient
// RUN: %{same}
// REDEFINE: %{m} = 0
// REDEFINE: %{n} = 4
// REDEFINE: %{entry} = three_gradient
// RUN: %{same}
// A row of one element.
// REDEFINE: %{inputs} = --entry=%{entry} --input=%t.x.npy --input=%t.y.npy --input=%t.z.npy --input=%{m} --input=%{n}
// REDEFINE: %{m} = 1
// REDEFINE: %{n} = 1
// REDEFINE: %{entry} = product_gradient
// RUN: %{same}
// REDEFINE: %{entry} = transposed_gradient
// RUN: %{same}

// x y, by a pointer to each row of x: the gradient is two products.
// PRODUCT-LABEL: func.func @product_gradient
// PRODUCT-NOT: ad.tape
// PRODUCT-COUNT-2: iterator_types = ["parallel", "parallel", "reduction"]
// PRODUCT: return
func.func private @product(%x: memref<?xf64>, %y: memref<?xf64>, %z: memref<?xf64>, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    %in = arith.muli %i, %n overflow<nsw> : index
    %row = memref.reinterpret_cast %x to offset: [%in], sizes: [%n], strides: [1] : memref<?xf64> to memref<?xf64, strided<[1], offset: ?>>
    scf.for %j = %c0 to %n step %c1 {
      %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
        %a = memref.load %row[%k] : memref<?xf64, strided<[1], offset: ?>>
        %kn = arith.muli %k, %n : index
        %kj = arith.addi %kn, %j : index
        %b = memref.load %y[%kj] : memref<?xf64>
        %ab = arith.mulf %a, %b : f64
        %t = arith.addf %s, %ab : f64
        scf.yield %t : f64
      }
      %ij = arith.addi %in, %j : index
      memref.store %sum, %z[%ij] : memref<?xf64>
    }
  }
  return
}

// By columns, as in Fortran, which begin with zeros: the two inner loops are loops over all columns each, and have one view of z.
// PRODUCT-LABEL: func.func @columns_gradient
// PRODUCT-NOT: ad.tape
// PRODUCT-COUNT-2: iterator_types = ["parallel", "parallel", "reduction"]
// PRODUCT: return
func.func private @columns(%x: memref<?xf64>, %y: memref<?xf64>, %z: memref<?xf64>, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %j = %c0 to %n step %c1 {
    %jn = arith.muli %j, %n : index
    scf.for %i = %c0 to %n step %c1 {
      %ij = arith.addi %i, %jn : index
      memref.store %zero, %z[%ij] : memref<?xf64>
    }
    scf.for %k = %c0 to %n step %c1 {
      %kn = arith.muli %k, %n : index
      %kj = arith.addi %k, %jn : index
      scf.for %i = %c0 to %n step %c1 {
        %ij = arith.addi %i, %jn : index
        %ik = arith.addi %i, %kn : index
        %c = memref.load %z[%ij] : memref<?xf64>
        %a = memref.load %x[%ik] : memref<?xf64>
        %b = memref.load %y[%kj] : memref<?xf64>
        %ab = arith.mulf %a, %b : f64
        %t = arith.addf %c, %ab : f64
        memref.store %t, %z[%ij] : memref<?xf64>
      }
    }
  }
  return
}

// What is beside something else in its row is in one view with it: columns 0 to n of rows of n + 1.
// CHECK-LABEL: func.func private @beside.vjp_0_1_2(
// CHECK-SAME: %[[X:arg[0-9]+]]: memref<?xf64>
// CHECK: memref.reinterpret_cast %[[X]] to offset: [%{{.*}}], sizes: [%{{.*}}, %{{.*}}], strides: [%[[ROW:.*]], %{{.*}}] : memref<?xf64> to memref<?x?xf64
// CHECK-NOT: memref.reinterpret_cast %[[X]]
// CHECK: return
func.func private @beside(%x: memref<?xf64>, %y: memref<?xf64>, %z: memref<?xf64>, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %row = arith.addi %n, %c1 : index
  scf.for %i = %c0 to %m step %c1 {
    %at = arith.muli %i, %row : index
    scf.for %j = %c1 to %n step %c1 {
      %here = arith.addi %at, %j : index
      %before = arith.subi %here, %c1 : index
      %behind = arith.addi %here, %c1 : index
      %a = memref.load %x[%before] : memref<?xf64>
      %b = memref.load %x[%here] : memref<?xf64>
      %c = memref.load %x[%behind] : memref<?xf64>
      %ab = arith.mulf %a, %b : f64
      %abc = arith.mulf %ab, %c : f64
      memref.store %abc, %z[%here] : memref<?xf64>
    }
  }
  return
}

// Three dimensions, of m, n and 5 elements.
// CHECK-LABEL: func.func private @three.vjp_0_1_2(
// CHECK: memref.reinterpret_cast {{.*}} to memref<?x?x?xf64
// CHECK: return
func.func private @three(%x: memref<?xf64>, %y: memref<?xf64>, %z: memref<?xf64>, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      scf.for %k = %c0 to %c5 step %c1 {
        %in = arith.muli %i, %n : index
        %ij = arith.addi %in, %j : index
        %ij5 = arith.muli %ij, %c5 : index
        %ijk = arith.addi %ij5, %k : index
        %a = memref.load %x[%ijk] : memref<?xf64>
        %b = math.sin %a : f64
        %c = memref.load %y[%ijk] : memref<?xf64>
        %bc = arith.mulf %b, %c : f64
        memref.store %bc, %z[%ijk] : memref<?xf64>
      }
    }
  }
  return
}

// Both loops of one parallel one, each of which numbers the rows of one of two views of x.
// CHECK-LABEL: func.func private @transposed.vjp_0_1_2(
// CHECK-SAME: %[[X:arg[0-9]+]]: memref<?xf64>
// CHECK-COUNT-2: memref.reinterpret_cast %[[X]] to
// CHECK: return
func.func private @transposed(%x: memref<?xf64>, %y: memref<?xf64>, %z: memref<?xf64>, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) {
    %in = arith.muli %i, %n : index
    %ij = arith.addi %in, %j : index
    %jn = arith.muli %j, %n : index
    %ji = arith.addi %jn, %i : index
    %a = memref.load %x[%ij] : memref<?xf64>
    %b = memref.load %x[%ji] : memref<?xf64>
    %b3 = arith.mulf %b, %b : f64
    %ab = arith.mulf %a, %b3 : f64
    memref.store %ab, %z[%ij] : memref<?xf64>
    scf.reduce
  }
  return
}

// Rows of n elements, m apart, which is not known to be as much.
// CHECK-LABEL: func.func private @overlapping.vjp_0_1_2(
// CHECK-NOT: memref.reinterpret_cast
// CHECK: return
func.func private @overlapping(%x: memref<?xf64>, %y: memref<?xf64>, %z: memref<?xf64>, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %im = arith.muli %i, %m : index
      %ij = arith.addi %im, %j : index
      %a = memref.load %x[%ij] : memref<?xf64>
      %b = memref.load %z[%ij] : memref<?xf64>
      %ab = arith.mulf %a, %b : f64
      memref.store %ab, %z[%ij] : memref<?xf64>
    }
  }
  return
}

// Element -1 would be in a view of what is read if j is not 0; that an assertion holds is not known in front of the loops either.
// CHECK-LABEL: func.func private @in_branch.vjp_0_1_2(
// CHECK-SAME: %[[X:arg[0-9]+]]: memref<?xf64>, %[[Y:arg[0-9]+]]: memref<?xf64>
// CHECK-NOT: memref.reinterpret_cast %[[X]]
// CHECK-NOT: memref.reinterpret_cast %[[Y]]
// CHECK: return
func.func private @in_branch(%x: memref<?xf64>, %y: memref<?xf64>, %z: memref<?xf64>, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %in = arith.muli %i, %n : index
      %ij = arith.addi %in, %j : index
      %is_behind = arith.cmpi sgt, %j, %c0 : index
      %a = scf.if %is_behind -> f64 {
        %before = arith.subi %ij, %c1 : index
        %read = memref.load %x[%before] : memref<?xf64>
        scf.yield %read : f64
      } else {
        scf.yield %zero : f64
      }
      memref.store %a, %z[%ij] : memref<?xf64>
    }
  }
  %size = memref.dim %y, %c0 : memref<?xf64>
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %in = arith.muli %i, %n : index
      %ij = arith.addi %in, %j : index
      %is_inside = arith.cmpi slt, %ij, %size : index
      cf.assert %is_inside, "no such element"
      %b = memref.load %y[%ij] : memref<?xf64>
      %c = memref.load %z[%ij] : memref<?xf64>
      %bc = arith.mulf %b, %c : f64
      memref.store %bc, %z[%ij] : memref<?xf64>
    }
  }
  return
}

func.func @product_gradient(%x: tensor<?xf64>, %y: tensor<?xf64>, %z: tensor<?xf64>, %m: index, %n: index) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %size = tensor.dim %x, %c0 : tensor<?xf64>
  %x_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %x in restrict writable %x_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %y_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %y in restrict writable %y_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %z_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %z in restrict writable %z_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %x_bar_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %y in restrict writable %x_bar_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %y_bar_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %z in restrict writable %y_bar_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %z_bar_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %x in restrict writable %z_bar_m : (tensor<?xf64>, memref<?xf64>) -> ()
  ad.vjp @product(%x_m, %y_m, %z_m, %m, %n) seed(%x_bar_m, %y_bar_m, %z_bar_m)
      : (memref<?xf64>, memref<?xf64>, memref<?xf64>, index, index), (memref<?xf64>, memref<?xf64>, memref<?xf64>) -> ()
  %x_bar_t = bufferization.to_tensor %x_bar_m restrict : memref<?xf64> to tensor<?xf64>
  %y_bar_t = bufferization.to_tensor %y_bar_m restrict : memref<?xf64> to tensor<?xf64>
  %z_bar_t = bufferization.to_tensor %z_bar_m restrict : memref<?xf64> to tensor<?xf64>
  return %x_bar_t, %y_bar_t, %z_bar_t : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

func.func @beside_gradient(%x: tensor<?xf64>, %y: tensor<?xf64>, %z: tensor<?xf64>, %m: index, %n: index) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %size = tensor.dim %x, %c0 : tensor<?xf64>
  %x_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %x in restrict writable %x_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %y_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %y in restrict writable %y_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %z_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %z in restrict writable %z_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %x_bar_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %y in restrict writable %x_bar_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %y_bar_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %z in restrict writable %y_bar_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %z_bar_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %x in restrict writable %z_bar_m : (tensor<?xf64>, memref<?xf64>) -> ()
  ad.vjp @beside(%x_m, %y_m, %z_m, %m, %n) seed(%x_bar_m, %y_bar_m, %z_bar_m)
      : (memref<?xf64>, memref<?xf64>, memref<?xf64>, index, index), (memref<?xf64>, memref<?xf64>, memref<?xf64>) -> ()
  %x_bar_t = bufferization.to_tensor %x_bar_m restrict : memref<?xf64> to tensor<?xf64>
  %y_bar_t = bufferization.to_tensor %y_bar_m restrict : memref<?xf64> to tensor<?xf64>
  %z_bar_t = bufferization.to_tensor %z_bar_m restrict : memref<?xf64> to tensor<?xf64>
  return %x_bar_t, %y_bar_t, %z_bar_t : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

func.func @three_gradient(%x: tensor<?xf64>, %y: tensor<?xf64>, %z: tensor<?xf64>, %m: index, %n: index) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %size = tensor.dim %x, %c0 : tensor<?xf64>
  %x_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %x in restrict writable %x_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %y_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %y in restrict writable %y_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %z_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %z in restrict writable %z_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %x_bar_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %y in restrict writable %x_bar_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %y_bar_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %z in restrict writable %y_bar_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %z_bar_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %x in restrict writable %z_bar_m : (tensor<?xf64>, memref<?xf64>) -> ()
  ad.vjp @three(%x_m, %y_m, %z_m, %m, %n) seed(%x_bar_m, %y_bar_m, %z_bar_m)
      : (memref<?xf64>, memref<?xf64>, memref<?xf64>, index, index), (memref<?xf64>, memref<?xf64>, memref<?xf64>) -> ()
  %x_bar_t = bufferization.to_tensor %x_bar_m restrict : memref<?xf64> to tensor<?xf64>
  %y_bar_t = bufferization.to_tensor %y_bar_m restrict : memref<?xf64> to tensor<?xf64>
  %z_bar_t = bufferization.to_tensor %z_bar_m restrict : memref<?xf64> to tensor<?xf64>
  return %x_bar_t, %y_bar_t, %z_bar_t : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

func.func @transposed_gradient(%x: tensor<?xf64>, %y: tensor<?xf64>, %z: tensor<?xf64>, %m: index, %n: index) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %size = tensor.dim %x, %c0 : tensor<?xf64>
  %x_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %x in restrict writable %x_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %y_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %y in restrict writable %y_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %z_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %z in restrict writable %z_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %x_bar_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %y in restrict writable %x_bar_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %y_bar_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %z in restrict writable %y_bar_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %z_bar_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %x in restrict writable %z_bar_m : (tensor<?xf64>, memref<?xf64>) -> ()
  ad.vjp @transposed(%x_m, %y_m, %z_m, %m, %n) seed(%x_bar_m, %y_bar_m, %z_bar_m)
      : (memref<?xf64>, memref<?xf64>, memref<?xf64>, index, index), (memref<?xf64>, memref<?xf64>, memref<?xf64>) -> ()
  %x_bar_t = bufferization.to_tensor %x_bar_m restrict : memref<?xf64> to tensor<?xf64>
  %y_bar_t = bufferization.to_tensor %y_bar_m restrict : memref<?xf64> to tensor<?xf64>
  %z_bar_t = bufferization.to_tensor %z_bar_m restrict : memref<?xf64> to tensor<?xf64>
  return %x_bar_t, %y_bar_t, %z_bar_t : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

func.func @columns_gradient(%x: tensor<?xf64>, %y: tensor<?xf64>, %z: tensor<?xf64>, %m: index, %n: index) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %size = tensor.dim %x, %c0 : tensor<?xf64>
  %x_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %x in restrict writable %x_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %y_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %y in restrict writable %y_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %z_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %z in restrict writable %z_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %x_bar_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %y in restrict writable %x_bar_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %y_bar_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %z in restrict writable %y_bar_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %z_bar_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %x in restrict writable %z_bar_m : (tensor<?xf64>, memref<?xf64>) -> ()
  ad.vjp @columns(%x_m, %y_m, %z_m, %m, %n) seed(%x_bar_m, %y_bar_m, %z_bar_m)
      : (memref<?xf64>, memref<?xf64>, memref<?xf64>, index, index), (memref<?xf64>, memref<?xf64>, memref<?xf64>) -> ()
  %x_bar_t = bufferization.to_tensor %x_bar_m restrict : memref<?xf64> to tensor<?xf64>
  %y_bar_t = bufferization.to_tensor %y_bar_m restrict : memref<?xf64> to tensor<?xf64>
  %z_bar_t = bufferization.to_tensor %z_bar_m restrict : memref<?xf64> to tensor<?xf64>
  return %x_bar_t, %y_bar_t, %z_bar_t : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

func.func @overlapping_gradient(%x: tensor<?xf64>, %y: tensor<?xf64>, %z: tensor<?xf64>, %m: index, %n: index) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %size = tensor.dim %x, %c0 : tensor<?xf64>
  %x_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %x in restrict writable %x_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %y_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %y in restrict writable %y_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %z_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %z in restrict writable %z_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %x_bar_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %y in restrict writable %x_bar_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %y_bar_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %z in restrict writable %y_bar_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %z_bar_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %x in restrict writable %z_bar_m : (tensor<?xf64>, memref<?xf64>) -> ()
  ad.vjp @overlapping(%x_m, %y_m, %z_m, %m, %n) seed(%x_bar_m, %y_bar_m, %z_bar_m)
      : (memref<?xf64>, memref<?xf64>, memref<?xf64>, index, index), (memref<?xf64>, memref<?xf64>, memref<?xf64>) -> ()
  %x_bar_t = bufferization.to_tensor %x_bar_m restrict : memref<?xf64> to tensor<?xf64>
  %y_bar_t = bufferization.to_tensor %y_bar_m restrict : memref<?xf64> to tensor<?xf64>
  %z_bar_t = bufferization.to_tensor %z_bar_m restrict : memref<?xf64> to tensor<?xf64>
  return %x_bar_t, %y_bar_t, %z_bar_t : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

func.func @in_branch_gradient(%x: tensor<?xf64>, %y: tensor<?xf64>, %z: tensor<?xf64>, %m: index, %n: index) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %size = tensor.dim %x, %c0 : tensor<?xf64>
  %x_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %x in restrict writable %x_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %y_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %y in restrict writable %y_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %z_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %z in restrict writable %z_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %x_bar_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %y in restrict writable %x_bar_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %y_bar_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %z in restrict writable %y_bar_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %z_bar_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %x in restrict writable %z_bar_m : (tensor<?xf64>, memref<?xf64>) -> ()
  ad.vjp @in_branch(%x_m, %y_m, %z_m, %m, %n) seed(%x_bar_m, %y_bar_m, %z_bar_m)
      : (memref<?xf64>, memref<?xf64>, memref<?xf64>, index, index), (memref<?xf64>, memref<?xf64>, memref<?xf64>) -> ()
  %x_bar_t = bufferization.to_tensor %x_bar_m restrict : memref<?xf64> to tensor<?xf64>
  %y_bar_t = bufferization.to_tensor %y_bar_m restrict : memref<?xf64> to tensor<?xf64>
  %z_bar_t = bufferization.to_tensor %z_bar_m restrict : memref<?xf64> to tensor<?xf64>
  return %x_bar_t, %y_bar_t, %z_bar_t : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}
