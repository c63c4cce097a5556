// Vectors of several dimensions: functions of libdevice are computed by row. Vectors in shared memory are read and written by element,
// which LLVM puts together again.
//
// RUN: ad-opt %s --lower-kernel-vectors | FileCheck %s
// RUN: ad-opt %s --pass-pipeline="builtin.module(%kernels-to-ptx)" | %binary-text > %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx --check-prefix=PTX
// RUN: %if ptxas && libdevice %{ %ptxas -arch=sm_80 %t.ptx -o /dev/null %}

// PTX: .entry sines(
// PTX: ret;
gpu.module @kernels attributes {dlti.dl_spec = #dlti.dl_spec<i64 = dense<64> : vector<2xi64>>} {
  // CHECK-LABEL: gpu.func @sines(
  // CHECK: %[[V:.*]] = vector.broadcast
  // CHECK: %[[ROW:.*]] = vector.extract %[[V]][0] : vector<4xf32> from vector<2x4xf32>
  // CHECK: %[[OTHER:.*]] = vector.extract %[[V]][1] : vector<4xf32> from vector<2x4xf32>
  // CHECK: %[[SIN:.*]] = math.sin %[[ROW]] fastmath<contract> : vector<4xf32>
  // CHECK: %[[LAST:.*]] = math.sin %[[OTHER]] fastmath<contract> : vector<4xf32>
  // CHECK: %[[SINS:.*]] = vector.broadcast %[[SIN]] : vector<4xf32> to vector<2x4xf32>
  // CHECK: vector.insert %[[LAST]], %[[SINS]] [1] : vector<4xf32> into vector<2x4xf32>
  // CHECK: arith.remf %{{.*}}, %{{.*}} : vector<4xf32>
  // CHECK: arith.remf %{{.*}}, %{{.*}} : vector<4xf32>
  // CHECK: math.isnan %{{.*}} : vector<4xf32>
  // CHECK: math.isnan %{{.*}} : vector<4xf32>
  // A vector of one dimension stays.
  // CHECK: math.cos %{{.*}} : vector<4xf32>
  gpu.func @sines(%x: f32, %y: memref<?xf32>, %n: index) kernel {
    %i = gpu.global_id x
    %v = vector.broadcast %x : f32 to vector<2x4xf32>
    %s = math.sin %v fastmath<contract> : vector<2x4xf32>
    %r = arith.remf %s, %v : vector<2x4xf32>
    %nan = math.isnan %r : vector<2x4xf32>
    %chosen = arith.select %nan, %v, %r : vector<2x4xi1>, vector<2x4xf32>
    %square = vector.extract_strided_slice %chosen {offsets = [0, 1], sizes = [2, 2], strides = [1, 1]} : vector<2x4xf32> to vector<2x2xf32>
    %e:4 = vector.to_elements %square : vector<2x2xf32>
    %back = vector.from_elements %e#3, %e#2, %e#1, %e#0 : vector<2x2xf32>
    %row = vector.extract %back[1] : vector<2xf32> from vector<2x2xf32>
    %one = vector.extract %row[0] : f32 from vector<2xf32>
    %wide = vector.extract %chosen[1] : vector<4xf32> from vector<2x4xf32>
    %c = math.cos %wide : vector<4xf32>
    %sum = vector.reduction <add>, %c : vector<4xf32> into f32
    %all = arith.addf %sum, %one : f32
    memref.store %all, %y[%i] : memref<?xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @shared(
  // CHECK-SAME:    workgroup(%[[S:[a-z0-9]+]] : memref<8x8xf32,
  // CHECK:         %[[J:.*]] = arith.muli
  // CHECK:         %[[E:.*]]:4 = vector.to_elements
  // CHECK:         memref.store %[[E]]#0, %[[S]][%[[I:.*]], %{{.*}}] {alignment = 16 : i64}
  // CHECK:         %[[J1:.*]] = arith.addi %[[J]], %{{.*}} : index
  // CHECK:         memref.store %[[E]]#1, %[[S]][%[[I]], %[[J1]]] : memref
  // CHECK-COUNT-2: memref.store
  // CHECK:         memref.load %[[S]][%{{.*}}, %{{.*}}] {alignment = 16 : i64}
  // CHECK-COUNT-3: memref.load %[[S]]
  // CHECK:         vector.from_elements
  // Others stay.
  // CHECK:         vector.store %{{.*}}, %{{.*}} : memref<?xf32>, vector<4xf32>
  // PTX: .entry shared(
  // PTX: st.shared.v4.{{[bf]}}32
  // PTX: ld.shared.v4.{{[bf]}}32
  // PTX: ret;
  gpu.func @shared(%x: memref<?xf32>) workgroup(%s: memref<8x8xf32, #gpu.address_space<workgroup>>) kernel
      attributes {workgroup_attrib_attrs = [{llvm.align = 16 : i64}]} {
    %t = gpu.thread_id x
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %i = arith.divui %t, %c2 : index
    %half = arith.remui %t, %c2 : index
    %j = arith.muli %half, %c4 : index
    %at = arith.muli %t, %c4 : index
    %v = vector.load %x[%at] : memref<?xf32>, vector<4xf32>
    vector.store %v, %s[%i, %j] {alignment = 16 : i64} : memref<8x8xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    gpu.barrier
    %w = vector.load %s[%j, %j] {alignment = 16 : i64} : memref<8x8xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    vector.store %w, %x[%at] : memref<?xf32>, vector<4xf32>
    gpu.return
  }
}

// On the host nothing changes.
// CHECK-LABEL: func.func @host(
// CHECK: math.sin %{{.*}} : vector<2x4xf32>
func.func @host(%x: vector<2x4xf32>) -> vector<2x4xf32> {
  %s = math.sin %x : vector<2x4xf32>
  return %s : vector<2x4xf32>
}
