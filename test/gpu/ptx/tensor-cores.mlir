// Products of matrices on tensor cores: instructions of the hardware for f64, TF32, f16 and bf16, which is multiplied as TF32. Without the option there are none.
//
// RUN: ad-opt %s --pass-pipeline="builtin.module(%tensor-program-to-ptx)" -o %t.mlir
// RUN: %binary-text < %t.mlir | FileCheck %s
// RUN: %binary-text < %t.mlir | FileCheck %s --check-prefix=SHARED
// RUN: ad-opt %s --pass-pipeline="builtin.module(%program-to-ptx)" | %binary-text | FileCheck %s --check-prefix=NONE
//
// Registers are not spilled, and there is shared memory for several blocks at a time. Of registers there are enough for two
// blocks of 256 threads if a thread takes 128.
// RUN: echo '{"products": {"sm_80": {"registers": 128, "shared": 35840}, "sm_90": {"registers": 128, "shared": 35840}}}' > %t.json
// RUN: %if ptxas %{ %python %S/../assemble.py %ptxas products %t.json < %t.mlir | FileCheck %s --check-prefix=ASSEMBLED %}
// ASSEMBLED: products sm_80:
// ASSEMBLED: products sm_90:
//
// The gradients of programs, too.
// RUN: ad-opt %bench/programs/matmul.mlir --pass-pipeline="builtin.module(%tensor-program-to-ptx)" -o %t.matmul.mlir
// RUN: %binary-text < %t.matmul.mlir | FileCheck %s --check-prefix=MATMUL
// RUN: ad-opt %bench/programs/lstm_batched.mlir --pass-pipeline="builtin.module(%tensor-program-to-ptx)" -o %t.lstm.mlir
// RUN: %binary-text < %t.lstm.mlir | FileCheck %s --check-prefix=LSTM
// RUN: sed -i -e 's/products/matmul/' -e 's/35840/46080/g' %t.json
// RUN: %if ptxas %{ %python %S/../assemble.py %ptxas matmul %t.json < %t.matmul.mlir %}
//
// Tiles of 128 x 128 and of 128 x 64 are for one block at a time.
// RUN: sed -i -e 's/matmul/lstm/' -e 's/: 1[0-9]*,/: 255,/g' -e 's/46080/36864/g' %t.json
// RUN: %if ptxas %{ %if libdevice %{ %python %S/../assemble.py %ptxas lstm %t.json < %t.lstm.mlir %} %}
//
// A library has them where the option says so.
// RUN: ad-opt compile %bench/programs/matmul.mlir --target=cuda --tensor-cores=f64 -o %t.so && grep -q mma.sync %t.so
// RUN: ad-opt compile %bench/programs/matmul.mlir --target=cuda --tensor-cores=tf32 -o %t.so && not grep -q mma.sync %t.so
// MATMUL-COUNT-96: mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64
// LSTM-COUNT-16: mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32

// Threads read what they have of the factors as they read anything else.
// CHECK-LABEL: .visible .entry double_kernel(
// CHECK:       .shared .align 16 .b8 {{.*}}[18432];
// CHECK:       .shared .align 16 .b8 {{.*}}[17408];
// CHECK-NOT:   .shared
// CHECK-NOT:   wmma
// CHECK:       ld.shared.{{[bf]}}64
// CHECK-COUNT-64: mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64
// CHECK-NOT:   mma.sync
// A thread writes what it has of the sums, two elements at once.
// CHECK-COUNT-8: st.global.v2.{{[bf]}}64
// CHECK:       ret;

// Sums take few registers, so that two blocks can run at a time.
// CHECK-LABEL: .visible .entry single_kernel(
// CHECK:       .maxnreg 128
// CHECK:       .shared .align 16 .b8 {{.*}}[9216];
// A round of each of both loops has two tiles, a tile two steps, a step four products of 16 x 8 elements.
// CHECK-COUNT-32: mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
// CHECK-NOT:   mma.sync
// Each fragment has four pairs of a thread.
// CHECK-COUNT-8: st.global.v2.{{[bf]}}32
// CHECK:       ret;

// CHECK-LABEL: .visible .entry half_kernel(
// CHECK:       .shared .align 16 .b8 {{.*}}[5120];
// CHECK:       mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// CHECK:       ret;

// CHECK-LABEL: .visible .entry brain_kernel(
// CHECK:       mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
// CHECK:       ret;

// They write 16 bytes to shared memory at once, and read a fragment of f16 at once, and one of f32 where its summands lie side by side there.
// SHARED-LABEL: .visible .entry double_kernel(
// SHARED:       st.shared.v2.{{[bf]}}64
// SHARED-LABEL: .visible .entry single_kernel(
// SHARED:       ldmatrix.sync.aligned.m8n8.x4.shared.b16
// SHARED:       st.shared.v4.{{[bf]}}32
// SHARED:       ldmatrix.sync.aligned.m8n8.x4.shared.b16
// SHARED-LABEL: .visible .entry half_kernel(
// SHARED:       ldmatrix.sync.aligned.m8n8.x4.shared.b16
// SHARED:       st.shared.v2.b32

// NONE-NOT: mma.sync
// NONE: .visible .entry double_kernel(
// NONE-NOT: mma.sync
func.func @double(%a: tensor<512x512xf64>, %b: tensor<512x512xf64>, %c: tensor<512x512xf64>) -> tensor<512x512xf64> {
  %r = linalg.matmul ins(%a, %b : tensor<512x512xf64>, tensor<512x512xf64>) outs(%c : tensor<512x512xf64>) -> tensor<512x512xf64>
  return %r : tensor<512x512xf64>
}
func.func @single(%a: tensor<512x512xf32>, %b: tensor<512x512xf32>, %c: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<512x512xf32>, tensor<512x512xf32>) outs(%c : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %r : tensor<512x512xf32>
}
func.func @half(%a: tensor<512x512xf16>, %b: tensor<512x512xf16>, %c: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<512x512xf16>, tensor<512x512xf16>) outs(%c : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %r : tensor<512x512xf32>
}
func.func @brain(%a: tensor<512x512xbf16>, %b: tensor<512x512xbf16>, %c: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<512x512xbf16>, tensor<512x512xbf16>) outs(%c : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %r : tensor<512x512xf32>
}
