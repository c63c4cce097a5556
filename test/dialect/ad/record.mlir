// Records print as they parse, with names where fields have some [M15].
// RUN: ad-opt %s | ad-opt | FileCheck %s
// RUN: ad-opt %s --mlir-print-op-generic | ad-opt | FileCheck %s
// RUN: ad-opt %s --emit-bytecode | ad-opt | FileCheck %s

!layer = !ad.record<weights: tensor<?xf64>, count: index>

// CHECK-LABEL: func.func @fields(
// CHECK: ad.record(%{{.*}}, %{{.*}}) : !ad.record<weights: tensor<?xf64>, count: index>
// CHECK: ad.get %{{.*}}[weights] : !ad.record<weights: tensor<?xf64>, count: index>
// CHECK: ad.set %{{.*}}[count] = %{{.*}} : !ad.record<weights: tensor<?xf64>, count: index>
func.func @fields(%w: tensor<?xf64>, %n: index) -> (tensor<?xf64>, !layer) {
  %layer = ad.record(%w, %n) : !layer
  %v = ad.get %layer[weights] : !layer
  %next = ad.set %layer[count] = %n : !layer
  return %v, %next : tensor<?xf64>, !layer
}

// CHECK-LABEL: func.func @numbers(
// CHECK: ad.record(%{{.*}}, %{{.*}}) : tuple<f64, f32>
// CHECK: ad.get %{{.*}}[1] : tuple<f64, f32>
// CHECK: ad.set %{{.*}}[0] = %{{.*}} : tuple<f64, f32>
func.func @numbers(%x: f64, %y: f32) -> (f32, tuple<f64, f32>) {
  %pair = ad.record(%x, %y) : tuple<f64, f32>
  %z = ad.get %pair[1] : tuple<f64, f32>
  %next = ad.set %pair[0] = %x : tuple<f64, f32>
  return %z, %next : f32, tuple<f64, f32>
}

// Names may be words of the language or any text; a record may have no field.
// CHECK-LABEL: func.func @names(
// CHECK-SAME: !ad.record<index: index, "2 words": f64, f64: !ad.record<>>
// CHECK: ad.get %{{.*}}[index]
// CHECK: ad.get %{{.*}}["2 words"]
// CHECK: ad.record() : !ad.record<>
func.func @names(%r: !ad.record<index: index, "2 words": f64, f64: !ad.record<>>) -> (index, f64, !ad.record<>) {
  %i = ad.get %r[index] : !ad.record<index: index, "2 words": f64, f64: !ad.record<>>
  %x = ad.get %r["2 words"] : !ad.record<index: index, "2 words": f64, f64: !ad.record<>>
  %none = ad.record() : !ad.record<>
  return %i, %x, %none : index, f64, !ad.record<>
}

// The derivative of a record has those of its fields that have any [Z33].
!model = !ad.record<hidden: !layer, step: f64, name: i32, shape: !ad.record<rows: index>>
!model_bar = !ad.record<hidden: !ad.record<weights: tensor<?xf64>>, step: f64>
func.func private @loss(%model: !model, %pair: tuple<i32, f64>) -> !ad.record<n: i64, y: f64>

// CHECK-LABEL: func.func @requests(
// CHECK: ad.vjp @loss({{.*}}) seed({{.*}}) : {{.*}}, (!ad.record<y: f64>) -> (!ad.record<n: i64, y: f64>, !ad.record<hidden: !ad.record<weights: tensor<?xf64>>, step: f64>, tuple<f64>)
// CHECK: ad.jvp @loss({{.*}}) seed({{.*}}) {{.*}} -> (!ad.record<n: i64, y: f64>, !ad.record<y: f64>)
func.func @requests(%model: !model, %pair: tuple<i32, f64>, %y_bar: !ad.record<y: f64>)
    -> (!model_bar, !ad.record<y: f64>) {
  %y, %model_bar, %pair_bar = ad.vjp @loss(%model, %pair) seed(%y_bar)
      : (!model, tuple<i32, f64>), (!ad.record<y: f64>) -> (!ad.record<n: i64, y: f64>, !model_bar, tuple<f64>)
  %z, %z_dot = ad.jvp @loss(%model, %pair) seed(%model_bar) {wrt = array<i64: 0>}
      : (!model, tuple<i32, f64>), (!model_bar) -> (!ad.record<n: i64, y: f64>, !ad.record<y: f64>)
  return %model_bar, %z_dot : !model_bar, !ad.record<y: f64>
}

// Buffers in a record have shadows in a record: the rest is returned.
!state = !ad.record<cell: memref<f64>, rate: f64>
func.func private @step(%state: !state)

// CHECK-LABEL: func.func @buffers(
// CHECK: ad.vjp @step(%{{.*}}) seed(%{{.*}}) : (!ad.record<cell: memref<f64>, rate: f64>), (!ad.record<cell: memref<f64>>) -> (!ad.record<rate: f64>)
// CHECK: ad.jvp @step(%{{.*}}) seed(%{{.*}}) : (!ad.record<cell: memref<f64>, rate: f64>), (!ad.record<cell: memref<f64>, rate: f64>) -> ()
func.func @buffers(%state: !state, %shadow: !ad.record<cell: memref<f64>>) -> !ad.record<rate: f64> {
  %rate_bar = ad.vjp @step(%state) seed(%shadow) : (!state), (!ad.record<cell: memref<f64>>) -> (!ad.record<rate: f64>)
  ad.jvp @step(%state) seed(%state) : (!state), (!state) -> ()
  return %rate_bar : !ad.record<rate: f64>
}

// So it is for the aggregates of LLVM.
!pair = !llvm.struct<(f64, i64, array<2 x f32>, struct<(i32)>)>
!pair_bar = !llvm.struct<(f64, array<2 x f32>)>
func.func private @aggregate(%pair: !pair) -> f64

// CHECK-LABEL: func.func @aggregates(
// CHECK: ad.vjp @aggregate({{.*}}) -> (f64, !llvm.struct<(f64, array<2 x f32>)>)
func.func @aggregates(%pair: !pair, %y_bar: f64) -> !pair_bar {
  %y, %pair_bar = ad.vjp @aggregate(%pair) seed(%y_bar) : (!pair), (f64) -> (f64, !pair_bar)
  return %pair_bar : !pair_bar
}
