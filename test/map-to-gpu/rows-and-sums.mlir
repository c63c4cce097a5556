// Where the body of a map makes rows and reduces them, a block does both for each row: a thread combines the elements that it
// has made and stored.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu,canonicalize,cse)' | FileCheck %s
// DEFINE: %{call} =
// DEFINE: %{both} = rm -rf %t.cpu %t.gpu && ad-opt run %s %{call} --output-dir=%t.cpu && \
// DEFINE:           ad-opt run %s %{call} --output-dir=%t.gpu --target=gpu-emulate --emulate-report=%t.json && diff -r %t.cpu %t.gpu
// REDEFINE: %{call} = --entry=run --input=0 --input=200
// RUN: %{both}
// REDEFINE: %{call} = --entry=run --input=3 --input=0
// RUN: %{both}
// REDEFINE: %{call} = --entry=run --input=5 --input=1
// RUN: %{both}
// REDEFINE: %{call} = --entry=run --input=5 --input=63
// RUN: %{both}
// One launch for the rows and their sums, and one for the array that they are made of.
// REDEFINE: %{call} = --entry=run --input=1 --input=64
// RUN: %{both}
// RUN: FileCheck %s --check-prefix=TOGETHER --input-file=%t.json
// REDEFINE: %{call} = --entry=run --input=5 --input=1024
// RUN: %{both}
// RUN: FileCheck %s --check-prefix=TOGETHER --input-file=%t.json
// RUN: FileCheck %s --check-prefix=MOVED --input-file=%t.json
// TOGETHER-COUNT-2: "launches": 1,
// TOGETHER-NOT: "launches"
// Three arrays of 5 rows of 8192 bytes, and a sector for the sums of each block.
// MOVED: "run_kernel_0.run_kernel_0": {
// MOVED: "moved_bytes": 123040,
// A few long rows have a thread for each element, and so have many short ones.
// REDEFINE: %{call} = --entry=run --input=5 --input=1025
// RUN: %{both}
// RUN: FileCheck %s --check-prefix=APART --input-file=%t.json
// REDEFINE: %{call} = --entry=run --input=4096 --input=127
// RUN: %{both}
// RUN: FileCheck %s --check-prefix=APART --input-file=%t.json
// APART-COUNT-3: "launches": 1,
// APART-NOT: "launches"
// REDEFINE: %{call} = --entry=run --input=512 --input=1025
// RUN: %{both}
// RUN: FileCheck %s --check-prefix=TOGETHER --input-file=%t.json

// CHECK-LABEL: func.func @rows(
// CHECK: %[[FEW:.*]] = arith.cmpi slt, %[[N:.*]], %c32768
// CHECK: scf.if %[[FEW]]
// CHECK:   %[[MANY:.*]] = arith.cmpi sge, %[[N]], %c512
// CHECK:   %[[MOST:.*]] = arith.select %[[MANY]], %[[M:.*]], %c1024
// CHECK:   %[[IS_SHORT:.*]] = arith.cmpi sge, %[[MOST]], %[[M]]
// CHECK:   arith.andi %{{.*}}, %[[IS_SHORT]]
// CHECK:   scf.if
// CHECK:     scf.forall (%[[I:.*]]) in (%[[N]]) shared_outs(%[[YSS:.*]] = %{{.*}}, %[[ZSS:.*]] = %{{.*}}, %{{.*}} = %{{.*}})
// CHECK:       %[[YS:.*]] = tensor.extract_slice %[[YSS]][%[[I]], 0]
// CHECK:       scf.forall (%[[T:.*]]) in (256) shared_outs(%[[OWN:.*]] = %[[YS]], %{{.*}} = %{{.*}})
// CHECK:         tensor.extract_slice %[[OWN]][%[[T]]] [%{{.*}}] [256]
// CHECK:         scf.for %[[J:.*]] = %{{.*}} to %[[M]] step %c256 iter_args(%[[SUM:.*]] = %{{.*}}, %[[Y_PART:.*]] = %{{.*}}, %[[Z_PART:.*]] = %{{.*}})
// CHECK:           %[[X:.*]] = tensor.extract
// CHECK:           %[[Y:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK:           %[[Z:.*]] = arith.addf %[[Y]], %[[X]]
// CHECK:           %[[TERM:.*]] = arith.subf %[[Y]], %{{.*}}
// CHECK:           arith.addf %[[SUM]], %[[TERM]]
// CHECK:           %[[K:.*]] = arith.divui %[[J]], %c256
// CHECK:           tensor.insert %[[Y]] into %[[Y_PART]][%[[K]]]
// CHECK:           tensor.insert %[[Z]] into %[[Z_PART]][%[[K]]]
// CHECK:         gpu.shuffle down
// CHECK:         tensor.parallel_insert_slice %{{.*}} into %[[OWN]][%[[T]]] [%{{.*}}] [256]
// CHECK:       } {mapping = [#gpu.thread<linear_dim_0>]}
// CHECK:     } {mapping = [#gpu.block<linear_dim_0>]}
// CHECK:   } else {
// CHECK:     scf.forall (%{{.*}}, %{{.*}}) in (%[[N]], %[[M]])
func.func @rows(%xs: tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?xf64>) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %y, %z, %s = soac.map ins(%xs : tensor<?x?xf64>) (%row: tensor<?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?xf64>) {
    %ys, %zs = soac.map ins(%row : tensor<?xf64>) (%x: f64) -> (tensor<?xf64>, tensor<?xf64>) {
      %y = arith.mulf %x, %x : f64
      %z = arith.addf %y, %x : f64
      soac.yield %y, %z : f64, f64
    }
    %terms = soac.map ins(%ys : tensor<?xf64>) (%y: f64) -> tensor<?xf64> {
      %term = arith.subf %y, %one : f64
      soac.yield %term : f64
    }
    %sum = soac.reduce ins(%terms : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
      %s = arith.addf %l, %r : f64
      soac.yield %s : f64
    }
    soac.yield %ys, %zs, %sum : tensor<?xf64>, tensor<?xf64>, f64
  }
  return %y, %z, %s : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?xf64>
}

// CHECK-LABEL: func.func @run(
func.func @run(%n: index, %m: index) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?xf64>) {
  %xs = tensor.generate %n, %m {
  ^bb0(%i: index, %j: index):
    %k = arith.addi %i, %j : index
    %k64 = arith.index_cast %k : index to i64
    %x = arith.sitofp %k64 : i64 to f64
    tensor.yield %x : f64
  } : tensor<?x?xf64>
  %y, %z, %s = func.call @rows(%xs) : (tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?xf64>)
  return %y, %z, %s : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?xf64>
}

// Sizes that are known leave one version: the sum and the largest element, with its place, of rows in single precision. What
// follows is a kernel of its own, which reads the rows again.
// REDEFINE: %{call} = --entry=two_results
// RUN: %{both}
// CHECK-LABEL: func.func @two_results(
// CHECK-NOT: scf.if
// CHECK: %[[MADE:.*]]:4 = scf.forall (%{{.*}}) in (40)
// CHECK:   scf.forall (%{{.*}}) in (256) shared_outs(
// CHECK-COUNT-3: gpu.shuffle down
// CHECK: } {mapping = [#gpu.block<linear_dim_0>]}
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (40, 300)
// CHECK:   tensor.extract_slice %[[MADE]]#0
// CHECK-NOT: scf.forall (
// CHECK: return
func.func @two_results() -> (tensor<40x300xf32>, tensor<40x300xf32>, tensor<40xindex>) {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %none = arith.constant -1 : index
  %seven = arith.constant 7 : index
  %rows = soac.iota : tensor<40xindex>
  %columns = soac.iota : tensor<300xindex>
  %y, %z, %p = soac.map ins(%rows : tensor<40xindex>) (%i: index) -> (tensor<40x300xf32>, tensor<40x300xf32>, tensor<40xindex>) {
    %ys = soac.map ins(%columns : tensor<300xindex>) (%j: index) -> tensor<300xf32> {
      %ij = arith.muli %i, %j : index
      %rest = arith.remui %ij, %seven : index
      %k = arith.index_cast %rest : index to i64
      %y = arith.sitofp %k : i64 to f32
      soac.yield %y : f32
    }
    %sum, %most, %place = soac.reduce ins(%ys, %ys, %columns : tensor<300xf32>, tensor<300xf32>, tensor<300xindex>)
        neutral(%zero, %least, %none : f32, f32, index) (%ls: f32, %l: f32, %li: index, %rs: f32, %r: f32, %ri: index) {
      %s = arith.addf %ls, %rs : f32
      %is_number = arith.cmpf ord, %l, %l : f32
      %is_more = arith.cmpf ugt, %r, %l : f32
      %wins = arith.andi %is_more, %is_number : i1
      %m = arith.maximumf %l, %r : f32
      %k = arith.select %wins, %ri, %li : index
      soac.yield %s, %m, %k : f32, f32, index
    }
    %scale = arith.subf %sum, %most : f32
    %zs = soac.map ins(%ys : tensor<300xf32>) (%y: f32) -> tensor<300xf32> {
      %z = arith.subf %y, %scale : f32
      soac.yield %z : f32
    }
    soac.yield %ys, %zs, %place : tensor<300xf32>, tensor<300xf32>, index
  }
  return %y, %z, %p : tensor<40x300xf32>, tensor<40x300xf32>, tensor<40xindex>
}

// In two maps around the body. Rows that nothing else needs are stored nowhere.
// REDEFINE: %{call} = --entry=not_stored
// RUN: %{both}
// CHECK-LABEL: func.func @not_stored(
// CHECK: scf.forall (%[[I:.*]], %[[J:.*]]) in (3, 200) shared_outs(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (tensor<3x200x100xi64>, tensor<3x200xi64>)
// CHECK:   scf.forall (%{{.*}}) in (256) shared_outs(%{{[^,]*}}) -> (tensor<100xi64>) {
// CHECK: #gpu.block<linear_dim_1>
// CHECK-NOT: scf.forall (
// CHECK: return
func.func @not_stored() -> (tensor<3x200x100xi64>, tensor<3x200xi64>) {
  %zero = arith.constant 0 : i64
  %planes = soac.iota : tensor<3xi64>
  %rows = soac.iota : tensor<200xi64>
  %columns = soac.iota : tensor<100xi64>
  %y, %s = soac.map ins(%planes : tensor<3xi64>) (%k: i64) -> (tensor<3x200x100xi64>, tensor<3x200xi64>) {
    %yk, %sk = soac.map ins(%rows : tensor<200xi64>) (%i: i64) -> (tensor<200x100xi64>, tensor<200xi64>) {
      %ys, %zs = soac.map ins(%columns : tensor<100xi64>) (%j: i64) -> (tensor<100xi64>, tensor<100xi64>) {
        %ij = arith.muli %i, %j : i64
        %y = arith.addi %ij, %k : i64
        %z = arith.muli %y, %y : i64
        soac.yield %y, %z : i64, i64
      }
      %sum = soac.reduce ins(%zs : tensor<100xi64>) neutral(%zero : i64) (%l: i64, %r: i64) {
        %s = arith.addi %l, %r : i64
        soac.yield %s : i64
      }
      soac.yield %ys, %sum : tensor<100xi64>, i64
    }
    soac.yield %yk, %sk : tensor<200x100xi64>, tensor<200xi64>
  }
  return %y, %s : tensor<3x200x100xi64>, tensor<3x200xi64>
}

// Elements that take long are made by a thread for each, of which no block has too many.
// REDEFINE: %{call} = --entry=long
// RUN: %{both}
// CHECK-LABEL: func.func @long(
// CHECK: %[[YS:.*]] = scf.forall (%{{.*}}, %{{.*}}) in (600, 100)
// CHECK:   scf.while
// CHECK: scf.forall (%{{.*}}) in (600)
// CHECK:   tensor.extract_slice %[[YS]]
// CHECK: return
func.func @long() -> tensor<600xi64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %rows = soac.iota : tensor<600xi64>
  %columns = soac.iota : tensor<100xi64>
  %sums = soac.map ins(%rows : tensor<600xi64>) (%i: i64) -> tensor<600xi64> {
    %ys = soac.map ins(%columns : tensor<100xi64>) (%j: i64) -> tensor<100xi64> {
      %ij = arith.addi %i, %j : i64
      %digits, %last = scf.while (%count = %zero, %n = %ij) : (i64, i64) -> (i64, i64) {
        %goes_on = arith.cmpi sgt, %n, %zero : i64
        scf.condition(%goes_on) %count, %n : i64, i64
      } do {
      ^bb0(%count: i64, %n: i64):
        %half = arith.shrui %n, %one : i64
        %more = arith.addi %count, %one : i64
        scf.yield %more, %half : i64, i64
      }
      soac.yield %digits : i64
    }
    %sum = soac.reduce ins(%ys : tensor<100xi64>) neutral(%zero : i64) (%l: i64, %r: i64) {
      %s = arith.addi %l, %r : i64
      soac.yield %s : i64
    }
    soac.yield %sum : i64
  }
  return %sums : tensor<600xi64>
}

// An operator that does not commute takes neighbouring elements first, which are not those that a thread has made.
// REDEFINE: %{call} = --entry=in_order
// RUN: %{both}
// CHECK-LABEL: func.func @in_order(
// CHECK: %[[YS:.*]] = scf.forall (%{{.*}}, %{{.*}}) in (40, 300)
// CHECK-NOT: mapping
// CHECK: scf.forall (%{{.*}}) in (40)
// CHECK:   tensor.extract_slice %[[YS]]
// CHECK: return
func.func @in_order() -> (tensor<40x300xi64>, tensor<40xi64>, tensor<40xi64>) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %rows = soac.iota : tensor<40xi64>
  %columns = soac.iota : tensor<300xi64>
  %y, %c, %d = soac.map ins(%rows : tensor<40xi64>) (%i: i64) -> (tensor<40x300xi64>, tensor<40xi64>, tensor<40xi64>) {
    %ys = soac.map ins(%columns : tensor<300xi64>) (%j: i64) -> tensor<300xi64> {
      %y = arith.addi %i, %j : i64
      soac.yield %y : i64
    }
    %a, %b = soac.reduce ins(%ys, %columns : tensor<300xi64>, tensor<300xi64>) neutral(%one, %zero : i64, i64)
        (%a1: i64, %b1: i64, %a2: i64, %b2: i64) {
      %a = arith.muli %a1, %a2 : i64
      %ba = arith.muli %b1, %a2 : i64
      %b = arith.addi %ba, %b2 : i64
      soac.yield %a, %b : i64, i64
    }
    soac.yield %ys, %a, %b : tensor<300xi64>, i64, i64
  }
  return %y, %c, %d : tensor<40x300xi64>, tensor<40xi64>, tensor<40xi64>
}

// Nor does a thread have what a reduction looks up in the row, or what the second one of two reads again.
// REDEFINE: %{call} = --entry=looked_up
// RUN: %{both}
// CHECK-LABEL: func.func @looked_up(
// CHECK: %[[YS:.*]] = scf.forall (%{{.*}}, %{{.*}}) in (40, 300)
// CHECK-NOT: mapping
// CHECK: scf.forall (%{{.*}}) in (40)
// CHECK:   tensor.extract_slice %[[YS]]
// CHECK: return
func.func @looked_up() -> (tensor<40x300xi64>, tensor<40xi64>) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : index
  %rows = soac.iota : tensor<40xi64>
  %columns = soac.iota : tensor<300xindex>
  %y, %s = soac.map ins(%rows : tensor<40xi64>) (%i: i64) -> (tensor<40x300xi64>, tensor<40xi64>) {
    %ys = soac.map ins(%columns : tensor<300xindex>) (%j: index) -> tensor<300xi64> {
      %k = arith.index_cast %j : index to i64
      %y = arith.muli %i, %k : i64
      soac.yield %y : i64
    }
    %terms = soac.map ins(%columns, %ys : tensor<300xindex>, tensor<300xi64>) (%j: index, %y: i64) -> tensor<300xi64> {
      %half = arith.shrui %j, %one : index
      %other = tensor.extract %ys[%half] : tensor<300xi64>
      %term = arith.addi %y, %other : i64
      soac.yield %term : i64
    }
    %sum = soac.reduce ins(%terms : tensor<300xi64>) neutral(%zero : i64) (%l: i64, %r: i64) {
      %s = arith.addi %l, %r : i64
      soac.yield %s : i64
    }
    soac.yield %ys, %sum : tensor<300xi64>, i64
  }
  return %y, %s : tensor<40x300xi64>, tensor<40xi64>
}

// REDEFINE: %{call} = --entry=read_twice
// RUN: %{both}
// CHECK-LABEL: func.func @read_twice(
// CHECK: %[[YS:.*]] = scf.forall (%{{.*}}, %{{.*}}) in (40, 300)
// CHECK-NOT: mapping
// CHECK: scf.forall (%{{.*}}) in (40)
// CHECK:   tensor.extract_slice %[[YS]]
// CHECK: return
func.func @read_twice() -> (tensor<40x300xi64>, tensor<40xi64>) {
  %zero = arith.constant 0 : i64
  %rows = soac.iota : tensor<40xi64>
  %columns = soac.iota : tensor<300xi64>
  %y, %s = soac.map ins(%rows : tensor<40xi64>) (%i: i64) -> (tensor<40x300xi64>, tensor<40xi64>) {
    %ys = soac.map ins(%columns : tensor<300xi64>) (%j: i64) -> tensor<300xi64> {
      %y = arith.muli %i, %j : i64
      soac.yield %y : i64
    }
    %sum = soac.reduce ins(%ys : tensor<300xi64>) neutral(%zero : i64) (%l: i64, %r: i64) {
      %s = arith.addi %l, %r : i64
      soac.yield %s : i64
    }
    %squares = soac.map ins(%ys : tensor<300xi64>) (%y: i64) -> tensor<300xi64> {
      %difference = arith.subi %y, %sum : i64
      %square = arith.muli %difference, %difference : i64
      soac.yield %square : i64
    }
    %all = soac.reduce ins(%squares : tensor<300xi64>) neutral(%zero : i64) (%l: i64, %r: i64) {
      %s = arith.addi %l, %r : i64
      soac.yield %s : i64
    }
    soac.yield %ys, %all : tensor<300xi64>, i64
  }
  return %y, %s : tensor<40x300xi64>, tensor<40xi64>
}
