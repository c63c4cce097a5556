// Contractions of the host become kernels that work in tiles (F49).
// RUN: ad-opt %s --pass-pipeline='builtin.module(lower-contractions-to-gpu,ad-canonicalize,cse)' -split-input-file | FileCheck %s
// RUN: ad-opt %s --lower-contractions-to-gpu --split-input-file --remarks-filter-analyse='lower-contractions-to-gpu' -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT-COUNT-5: tiled | Category:lower-contractions-to-gpu | count=1
// COUNT-COUNT-2: tiled | Category:lower-contractions-to-gpu | count=2
// COUNT-NOT: tiled

// 4 x 8 tiles of 64 x 64 elements. A thread has 4 x 4 elements of one, which begin with what is in C. For each 16
// summands, it reads 4 elements of A and of B from memory, 8 in all for 256 products, where a thread for each element
// would read 512: 64 times fewer. Nobody reads from shared memory what is not yet there, nor writes to what others still read:
// there are two places for 16 summands, which take turns.
// CHECK-LABEL: func.func @large(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: memref<256x32xf32>, %[[B:[a-z0-9]+]]: memref<32x512xf32>, %[[C:[a-z0-9]+]]: memref<256x512xf32>
// CHECK-NOT:     scf.if
// CHECK:         gpu.launch blocks(%[[BLOCK:[a-z0-9]+]],
// CHECK-SAME:      in (%{{[a-z0-9]+}} = %c32,
// CHECK-SAME:      threads(%[[T:[a-z0-9]+]],
// CHECK-SAME:      in (%{{[a-z0-9]+}} = %c256,
// CHECK-SAME:      workgroup(%[[AS:[a-z0-9]+]] : memref<32x68xf32, #gpu.address_space<workgroup>>, %[[BS:[a-z0-9]+]] : memref<32x68xf32, #gpu.address_space<workgroup>>)
// CHECK:         arith.divui %[[BLOCK]], %c8
// CHECK-NOT:     memref.load %[[A]]
// If the result has all elements of the tile, none is asked whether it is there.
// CHECK:         scf.if %[[HAS_ALL:[0-9]+]] -> (f32, f32,
// CHECK-COUNT-16: memref.load %[[C]][
// CHECK-NOT:     memref.load %[[C]][
// CHECK:         } else {
// CHECK-COUNT-16: memref.load %[[C]][
// CHECK-NOT:     memref.load %[[C]][
// A's last dimension is that of the sum, B's that of columns: lines of both begin at multiples of 16 bytes if the first one
// and the second one do. Then 4 neighbouring threads read a line of A, and 16 one of B, each 4 elements side by side. Else the
// elements of a thread are as far apart as there are threads.
// CHECK:         memref.extract_aligned_pointer_as_index %[[A]]
// CHECK:         memref.extract_aligned_pointer_as_index %[[B]]
// CHECK:         %[[ALIGNED:.*]] = arith.cmpi eq, %{{.*}}, %c0
// CHECK:         arith.andi %[[ALIGNED]], %{{.*}}
// CHECK:         %[[WIDE:.*]] = arith.andi
// CHECK:         %[[ROW_A:.*]] = arith.divui %[[T]], %c4
// CHECK:         %[[THREAD_A:.*]] = arith.remui %[[T]], %c4
// CHECK:         %[[FAR_A:.*]] = arith.addi %[[THREAD_A]], %c4
// CHECK:         %[[FIRST_A:.*]] = arith.muli %[[THREAD_A]], %c4
// CHECK:         %[[NEXT_A:.*]] = arith.addi %[[FIRST_A]], %c1
// CHECK:         %[[FROM_A:.*]] = arith.select %[[WIDE]], %[[FIRST_A]], %[[THREAD_A]]
// CHECK:         %[[TO_A:.*]] = arith.select %[[WIDE]], %[[NEXT_A]], %[[FAR_A]]
// Each line that a thread copies has a view: only its index along the sum changes from tile to tile.
// CHECK:         %[[BEHIND_A:.*]] = arith.subi %[[TO_A]], %[[FROM_A]]
// CHECK:         %[[LINE_A:.*]] = memref.reinterpret_cast %[[A]] to {{.*}}, sizes: [32, 32], strides: [1, 1]
// CHECK:         %[[FAR_B:.*]] = arith.addi %[[THREAD_B:.*]], %c16
// CHECK:         %[[NEXT_B:.*]] = arith.addi %[[FIRST_B:.*]], %c1
// CHECK:         %[[FROM_B:.*]] = arith.select %[[WIDE]], %[[FIRST_B]], %[[THREAD_B]]
// CHECK:         %[[TO_B:.*]] = arith.select %[[WIDE]], %[[NEXT_B]], %[[FAR_B]]
// Behind the last column, that one is read again: nobody uses what is made of it.
// CHECK:         %[[COLUMN:.*]] = arith.addi %{{.*}}, %[[FROM_B]]
// CHECK:         %[[KNOWN:.*]] = arith.minsi %[[COLUMN]], %c511
// CHECK:         %[[BEFORE:.*]] = arith.muli %[[ROW_B:.*]], %c512
// CHECK:         %[[PLACE:.*]] = arith.addi %[[BEFORE]], %[[KNOWN]]
// CHECK:         %[[LINE_B:.*]] = memref.reinterpret_cast %[[B]] to offset: [%[[PLACE]]], sizes: [32, 512], strides: [512, 1]
// A loop goes over tiles that have all summands, if what threads read lies side by side: nothing is asked in it but whether
// there is a next one, and sixteen bytes are read at a time. All 16 summands are added without another loop.
// CHECK:         %[[FIRST:.*]] = arith.muli %{{.*}}, %c32
// CHECK:         %[[SOME:.*]] = arith.select %[[WIDE]], %[[END:.*]], %[[FIRST]]
// CHECK:         %[[ALL:.*]] = arith.maxsi %[[SOME]], %[[FIRST]]
// CHECK:         %[[NUMBER:.*]] = arith.subi %[[ALL]], %[[FIRST]]
// CHECK:         %[[REST:.*]] = arith.remui %[[NUMBER]], %c16
// CHECK:         %[[UP_TO:.*]] = arith.subi %[[ALL]], %[[REST]]
// CHECK:         %[[ANY:.*]] = arith.cmpi slt, %[[FIRST]], %[[UP_TO]]
// CHECK:         %[[FULL:[0-9]+]]:17 = scf.if %[[ANY]]
// CHECK-NEXT:      vector.load %[[LINE_A]][%[[FIRST]], %c0] {alignment = 16 : i64} : {{.*}}, vector<4xf32>
// CHECK:           vector.load %[[LINE_B]][%[[FIRST]], %c0] {alignment = 16 : i64} : {{.*}}, vector<4xf32>
// CHECK:           %[[STATE:[0-9]+]]:25 = scf.for %{{.*}} = %[[FIRST]] to %[[UP_TO]] step %c16 iter_args(
// CHECK-SAME:      %[[PLACE:[a-z0-9]+]] = %c0, %
// CHECK-NOT:       {{scf.if|scf.for|arith.select|memref.load}}
// CHECK:           %[[NEXT:.*]] = arith.addi %{{.*}}, %c16
// CHECK:           %[[IN_A:.*]] = arith.addi %[[PLACE]], %[[FIRST_A]]
// CHECK-NEXT:      memref.store %{{.*}}, %[[AS]][%[[IN_A]], %[[ROW_A]]]
// CHECK-NEXT:      %[[NEXT_IN_A:.*]] = arith.addi %[[PLACE]], %[[NEXT_A]]
// CHECK-NEXT:      memref.store %{{.*}}, %[[AS]][%[[NEXT_IN_A]], %[[ROW_A]]]
// CHECK-COUNT-2:   memref.store %{{.*}}, %[[AS]][
// CHECK:           %[[IN_B:.*]] = arith.addi %[[PLACE]], %[[ROW_B]]
// CHECK-NEXT:      %[[OWN_B:.*]] = vector.from_elements %{{.*}} : vector<4xf32>
// CHECK-NEXT:      vector.store %[[OWN_B]], %[[BS]][%[[IN_B]], %[[FIRST_B]]] {alignment = 16 : i64}
// CHECK-NEXT:      gpu.barrier
// CHECK-NEXT:      %[[IS_NEXT:.*]] = arith.cmpi slt, %[[NEXT]], %[[UP_TO]]
// CHECK-NEXT:      scf.if %[[IS_NEXT]]
// CHECK-NEXT:        vector.load %[[LINE_A]][%[[NEXT]], %c0] {alignment = 16 : i64} : {{.*}}, vector<4xf32>
// CHECK:             vector.load %[[LINE_B]][%[[NEXT]], %c0] {alignment = 16 : i64} : {{.*}}, vector<4xf32>
// CHECK:           } else {
// CHECK-NEXT:        scf.yield
// CHECK-NEXT:      }
// CHECK-NOT:       {{scf.if|scf.for|arith.select|gpu.barrier}}
// CHECK-COUNT-128: memref.load %{{.*}}, #gpu.address_space<workgroup>>
// CHECK-NOT:       memref.load
// CHECK:           %[[OTHER:.*]] = arith.subi %c16, %[[PLACE]]
// CHECK:           scf.yield {{.*}}, %[[OTHER]], %{{.*}} :
// CHECK:         } else {
// The other loop goes on where that one ends, if there is anything left. Each element is asked whether the sum has its
// summand.
// CHECK:         %[[ANY:.*]] = arith.cmpi slt, %[[UP_TO]], %[[END]]
// CHECK:         scf.if %[[ANY]]
// CHECK:           %[[LEFT:.*]] = arith.subi %[[END]], %[[UP_TO]]
// CHECK:           arith.cmpi slt, %[[FROM_A]], %[[LEFT]]
// CHECK:           memref.load %[[LINE_A]][%[[UP_TO]], %c0]
// CHECK:           arith.cmpi slt, %[[TO_A]], %[[LEFT]]
// CHECK:           memref.load %[[LINE_A]][%[[UP_TO]], %[[BEHIND_A]]]
// CHECK-COUNT-2:   memref.load %[[LINE_A]]
// CHECK:           arith.cmpi slt, %[[ROW_B]], %[[LEFT]]
// CHECK-COUNT-4:   memref.load %[[LINE_B]]
// CHECK:           scf.for %{{.*}} = %[[UP_TO]] to %[[END]] step %c16 iter_args(
// CHECK-SAME:      %[[PLACE:[a-z0-9]+]] = %[[FULL]]#16, %
// CHECK-NEXT:      %[[NEXT:.*]] = arith.addi %{{.*}}, %c16
// CHECK-NOT:       gpu.barrier
// CHECK:           %[[IN_A:.*]] = arith.addi %[[PLACE]], %[[FROM_A]]
// CHECK-NEXT:      memref.store %{{.*}}, %[[AS]][%[[IN_A]], %[[ROW_A]]]
// CHECK-COUNT-3:   memref.store %{{.*}}, %[[AS]][
// CHECK:           %[[IN_B:.*]] = arith.addi %[[PLACE]], %[[ROW_B]]
// CHECK-NEXT:      memref.store %{{.*}}, %[[BS]][%[[IN_B]], %[[FROM_B]]]
// CHECK-NEXT:      memref.store %{{.*}}, %[[BS]][%[[IN_B]], %[[TO_B]]]
// CHECK-COUNT-2:   memref.store %{{.*}}, %[[BS]][
// CHECK-NEXT:      gpu.barrier
// CHECK-NOT:       gpu.barrier
// CHECK-COUNT-4:   memref.load %[[LINE_A]][%[[NEXT]],
// CHECK-COUNT-4:   memref.load %[[LINE_B]][%[[NEXT]],
// CHECK-NOT:       memref.load
// A tile that is full has a loop of known length.
// CHECK:           %[[IS_FULL:.*]] = arith.cmpi sge, %[[LEFT:.*]], %c16
// CHECK:           scf.if %[[IS_FULL]]
// CHECK:             scf.for %[[KK:.*]] = %c0 to %c16 step %c1 iter_args(
// CHECK-NEXT:          %[[FROM:.*]] = arith.addi %[[PLACE]], %[[KK]]
// CHECK-COUNT-4:       memref.load %[[AS]][%[[FROM]], %
// CHECK-COUNT-4:       memref.load %[[BS]][%[[FROM]], %
// CHECK-NOT:           memref.load
// CHECK-COUNT-16:      arith.mulf
// CHECK-NOT:           arith.mulf
// CHECK:             } else {
// CHECK:             scf.for %[[KK:.*]] = %c0 to %[[LEFT]] step %c1 iter_args(
// CHECK-NEXT:          %[[FROM:.*]] = arith.addi %[[PLACE]], %[[KK]]
// CHECK-COUNT-4:     memref.load %[[AS]][%[[FROM]], %
// CHECK-COUNT-4:     memref.load %[[BS]][%[[FROM]], %
// CHECK-NOT:         memref.load
// CHECK-COUNT-16:    arith.mulf
// CHECK-NOT:         arith.mulf
// CHECK:           %[[OTHER:.*]] = arith.subi %c16, %[[PLACE]]
// CHECK:           scf.yield {{.*}}, %[[OTHER]], %{{.*}} :
// They are written four at a time if each four begin at a multiple of 16 bytes.
// CHECK:         scf.if %[[HAS_ALL]] {
// CHECK:           memref.extract_aligned_pointer_as_index %[[C]]
// CHECK:           %[[BEHIND:.*]] = arith.andi %{{.*}}, %c15
// CHECK:           %[[IS_ALIGNED:.*]] = arith.cmpi eq, %[[BEHIND]], %c0
// CHECK:           scf.if %[[IS_ALIGNED]] {
// CHECK-COUNT-4:     vector.store %{{.*}}, %[[C]][{{.*}}] {alignment = 16 : i64} : memref<256x512xf32>, vector<4xf32>
// CHECK-NOT:         vector.store
// CHECK:           } else {
// CHECK-COUNT-16:    memref.store %{{.*}}, %[[C]][
// CHECK-NOT:         memref.store
// CHECK:         } else {
// CHECK-COUNT-16:  memref.store %{{.*}}, %[[C]][
// CHECK-NOT:     memref.store
// CHECK:         gpu.terminator
func.func @large(%A: memref<256x32xf32>, %B: memref<32x512xf32>, %C: memref<256x512xf32>) {
  linalg.matmul ins(%A, %B : memref<256x32xf32>, memref<32x512xf32>) outs(%C : memref<256x512xf32>)
  return
}

// -----

// Both factors are transposed, and so is the result: its last dimension is that of A's rows, so that A has the columns of
// tiles. The threads go along the last dimension of each.
// CHECK-LABEL: func.func @transposed(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: memref<32x256xf64>, %[[B:[a-z0-9]+]]: memref<512x32xf64>, %[[C:[a-z0-9]+]]: memref<512x256xf64>
// CHECK:         threads(%[[T:[a-z0-9]+]],
// CHECK-SAME:    workgroup(%{{.*}} : memref<32x68xf64, #gpu.address_space<workgroup>>, %{{.*}} : memref<32x68xf64, #gpu.address_space<workgroup>>)
// CHECK:         %[[ROW_B:.*]] = arith.divui %[[T]], %c8
// CHECK:         %[[ALONG_B:.*]] = arith.remui %[[T]], %c8
// CHECK-COUNT-2: memref.reinterpret_cast %[[B]] to {{.*}}, sizes: [32, 32], strides: [1, 1]
// CHECK:         %[[ROW_A:.*]] = arith.divui %[[T]], %c32
// CHECK:         %[[ALONG_A:.*]] = arith.remui %[[T]], %c32
// CHECK-COUNT-2: memref.reinterpret_cast %[[A]] to {{.*}}, sizes: [32, 256], strides: [256, 1]
// Before the loop over tiles, and in it.
// CHECK-COUNT-2: vector.load %{{.*}} {alignment = 16 : i64} : memref<32x32xf64, {{.*}}, vector<2xf64>
// CHECK-COUNT-2: vector.load %{{.*}} {alignment = 16 : i64} : memref<32x256xf64, {{.*}}, vector<2xf64>
// CHECK:         scf.for
// CHECK-COUNT-2: vector.load %{{.*}} {alignment = 16 : i64} : memref<32x32xf64, {{.*}}, vector<2xf64>
// CHECK-COUNT-2: vector.load %{{.*}} {alignment = 16 : i64} : memref<32x256xf64, {{.*}}, vector<2xf64>
// CHECK-NOT:     vector.load
#ki = affine_map<(i, j, k) -> (k, i)>
#jk = affine_map<(i, j, k) -> (j, k)>
#ji = affine_map<(i, j, k) -> (j, i)>
func.func @transposed(%A: memref<32x256xf64>, %B: memref<512x32xf64>, %C: memref<512x256xf64>) {
  linalg.generic {indexing_maps = [#ki, #jk, #ji], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%A, %B : memref<32x256xf64>, memref<512x32xf64>) outs(%C : memref<512x256xf64>) {
  ^bb0(%a: f64, %b: f64, %c: f64):
    %ab = arith.mulf %a, %b : f64
    %sum = arith.addf %c, %ab : f64
    linalg.yield %sum : f64
  }
  return
}

// -----

// Few elements and a long sum: a tile of 32 x 32 elements, for which the sum has 128 parts of 784 summands.
// Then a thread for each element adds its parts, four of which it reads at a time.
// CHECK-LABEL: func.func @long(
// CHECK-SAME:    %{{.*}}: memref<24x100000xf32>, %{{.*}}: memref<100000x20xf32>, %[[C:[a-z0-9]+]]: memref<24x20xf32>
// CHECK:         %[[PARTS:.*]] = memref.alloc() : memref<61440xf32>
// CHECK:         gpu.launch
// CHECK-SAME:      blocks(%[[PART:[a-z0-9]+]],
// CHECK-SAME:      in (%{{[a-z0-9]+}} = %c128,
// CHECK-SAME:      workgroup(%{{.*}} : memref<32x36xf32, {{.*}}>, %{{.*}} : memref<32x36xf32, {{.*}}>)
// CHECK-NOT:       memref.load %[[C]]
// CHECK:           %[[FIRST:.*]] = arith.muli %[[PART]], %c784
// CHECK:           %[[SOME:.*]] = arith.addi %[[FIRST]], %c784
// CHECK:           %[[END:.*]] = arith.minsi %[[SOME]], %c100000
// CHECK:           scf.for %{{.*}} = %[[FIRST]] to %[[END]] step %c16
// CHECK:           %[[BEFORE:.*]] = arith.muli %[[PART]], %c480
// CHECK-COUNT-4:   memref.store %{{.*}}, %[[PARTS]][
// CHECK-NOT:       memref.store
// CHECK:           gpu.terminator
// CHECK:         gpu.launch
// CHECK-SAME:      in (%{{[a-z0-9]+}} = %c2,
// CHECK:           memref.load %[[C]][
// CHECK:           scf.for %{{.*}} = %c0 to %c128 step %c4
// CHECK-COUNT-4:     memref.load %[[PARTS]][
// CHECK-NOT:         memref.load
// CHECK-COUNT-4:     arith.addf
// CHECK-NEXT:        scf.yield
// CHECK-NOT:       scf.for
// CHECK:           memref.store %{{.*}}, %[[C]][
// CHECK:         memref.dealloc %[[PARTS]]
func.func @long(%A: memref<24x100000xf32>, %B: memref<100000x20xf32>, %C: memref<24x20xf32>) {
  linalg.matmul ins(%A, %B : memref<24x100000xf32>, memref<100000x20xf32>) outs(%C : memref<24x20xf32>)
  return
}

// -----

// What is not known is asked when the program runs: are the tiles of 16 x 16 full enough, or few and the sum long? Which
// tile has enough of it filled? Is the sum split? Otherwise the operation stays, for a thread for each element.
// CHECK-LABEL: func.func @unknown(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: memref<?x?x?xi64>, %[[B:[a-z0-9]+]]: memref<?x?x?xi64>, %[[C:[a-z0-9]+]]: memref<?x?x?xi64>
// CHECK-DAG:     %[[ROWS:.*]] = memref.dim %[[A]], %c1
// CHECK-DAG:     %[[COLUMNS:.*]] = memref.dim %[[B]], %c2
// CHECK-DAG:     %[[SUM:.*]] = memref.dim %[[A]], %c2
// CHECK-DAG:     %[[FILLED:.*]] = arith.cmpi sge, %[[ROWS]], %c4
// CHECK-DAG:     arith.cmpi sge, %[[COLUMNS]], %c4
// CHECK-DAG:     arith.cmpi sge, %[[SUM]], %c8
// CHECK-DAG:     %[[LONG:.*]] = arith.cmpi sge, %[[SUM]], %c128
// CHECK:         %[[TILES:.*]] = arith.ori
// CHECK:         scf.if %[[TILES]] {
// CHECK:           %[[MANY_ROWS:.*]] = arith.cmpi sgt, %[[ROWS]], %c32
// CHECK:           %[[MANY_COLUMNS:.*]] = arith.cmpi sgt, %[[COLUMNS]], %c32
// CHECK:           %[[LARGE:.*]] = arith.andi %[[MANY_ROWS]], %[[MANY_COLUMNS]]
// CHECK:           %[[SOME_ROWS:.*]] = arith.cmpi sgt, %[[ROWS]], %c16
// CHECK:           %[[WIDE:.*]] = arith.andi %[[SOME_ROWS]], %[[MANY_COLUMNS]]
// CHECK:           %[[SOME_COLUMNS:.*]] = arith.cmpi sgt, %[[COLUMNS]], %c16
// CHECK:           %[[TALL:.*]] = arith.andi %[[MANY_ROWS]], %[[SOME_COLUMNS]]
// CHECK:           %[[MEDIUM:.*]] = arith.andi %[[SOME_ROWS]], %[[SOME_COLUMNS]]
// CHECK:           %[[SPLIT:.*]] = arith.cmpi sgt, %{{.*}}, %c1
// CHECK:           memref.alloc(
// CHECK:           scf.if %[[LARGE]] {
// CHECK:             memref<32x68xi64, {{.*}} memref<32x68xi64
// CHECK:             scf.if %[[WIDE]] {
// CHECK:               memref<32x36xi64, {{.*}} memref<32x132xi64
// CHECK:               scf.if %[[TALL]] {
// CHECK:                 memref<32x132xi64, {{.*}} memref<32x36xi64
// CHECK:                 scf.if %[[MEDIUM]] {
// CHECK:                   memref<32x36xi64, {{.*}} memref<32x36xi64
// CHECK:                   memref<32x20xi64, {{.*}} memref<32x20xi64
// CHECK:           scf.if %[[SPLIT]] {
// CHECK:             gpu.launch
// CHECK:           memref.dealloc
// CHECK:         } else {
// CHECK-NEXT:      linalg.batch_matmul
func.func @unknown(%A: memref<?x?x?xi64>, %B: memref<?x?x?xi64>, %C: memref<?x?x?xi64>) {
  linalg.batch_matmul ins(%A, %B : memref<?x?x?xi64>, memref<?x?x?xi64>) outs(%C : memref<?x?x?xi64>)
  return
}

// -----

// Where there are more than 66 tiles of 128 x 128, threads make 8 x 8 elements of these: they read 16 from shared memory for 64
// products, in groups of 4 that are 64 apart, so that what neighbours read lies side by side. Sums of 2048 count twice: they can
// be split. If there are too few, there are tiles of 128 x 64, where that makes more than 66.
// CHECK-LABEL: func.func @huge(
// CHECK-DAG:     %[[ROWS:.*]] = memref.dim %{{.*}}, %c0 : memref<?x2048xf32>
// CHECK-DAG:     %[[COLUMNS:.*]] = memref.dim %{{.*}}, %c1 : memref<2048x?xf32>
// CHECK:         %[[MANY_ROWS:.*]] = arith.cmpi sgt, %[[ROWS]], %c64
// CHECK:         %[[MANY_COLUMNS:.*]] = arith.cmpi sgt, %[[COLUMNS]], %c64
// CHECK:         %[[FILLED:.*]] = arith.andi %[[MANY_ROWS]], %[[MANY_COLUMNS]]
// CHECK:         %[[ABOVE:.*]] = arith.ceildivsi %[[ROWS]], %c128
// CHECK:         %[[BESIDE:.*]] = arith.ceildivsi %[[COLUMNS]], %c128
// CHECK:         %[[TILES:.*]] = arith.muli %[[ABOVE]], %[[BESIDE]]
// CHECK:         %[[BLOCKS:.*]] = arith.muli %[[TILES]], %c2
// CHECK:         %[[MANY:.*]] = arith.cmpi sgt, %[[BLOCKS]], %c66
// CHECK:         %[[HUGE:.*]] = arith.andi %[[FILLED]], %[[MANY]]
// CHECK:         %[[SOME_COLUMNS:.*]] = arith.cmpi sgt, %[[COLUMNS]], %c32
// CHECK:         %[[HALF:.*]] = arith.ceildivsi %[[COLUMNS]], %c64
// CHECK:         arith.muli %[[ABOVE]], %[[HALF]]
// CHECK:         %[[BIG:.*]] = arith.andi
// CHECK:         scf.if %[[HUGE]] {
// CHECK:           gpu.launch
// CHECK-SAME:        threads(%[[T:[a-z0-9]+]],
// CHECK-SAME:        workgroup(%[[AS:[a-z0-9]+]] : memref<32x132xf32, {{.*}} %[[BS:[a-z0-9]+]] : memref<32x132xf32
// CHECK:             %[[DOWN:.*]] = arith.divui %[[T]], %c16
// CHECK:             %[[ALONG:.*]] = arith.remui %[[T]], %c16
// CHECK:             %[[ROW:.*]] = arith.muli %[[DOWN]], %c4
// CHECK:             %[[COLUMN:.*]] = arith.muli %[[ALONG]], %c4
// CHECK:             scf.for {{.*}} = %c0 to %c16 step %c1
// CHECK:               memref.load %[[AS]][%{{.*}}, %[[ROW]]]
// CHECK-COUNT-3:       memref.load %[[AS]]
// CHECK:               %[[NEXT:.*]] = arith.addi %[[ROW]], %c64
// CHECK:               memref.load %[[AS]][%{{.*}}, %[[NEXT]]]
// CHECK-COUNT-3:       memref.load %[[AS]]
// CHECK:               memref.load %[[BS]][%{{.*}}, %[[COLUMN]]]
// CHECK-COUNT-3:       memref.load %[[BS]]
// CHECK:               %[[NEXT:.*]] = arith.addi %[[COLUMN]], %c64
// CHECK:               memref.load %[[BS]][%{{.*}}, %[[NEXT]]]
// CHECK-COUNT-3:       memref.load %[[BS]]
// CHECK-NOT:           memref.load
// CHECK-COUNT-64:      arith.mulf
// CHECK-NOT:           arith.mulf
// CHECK:               scf.yield
// CHECK:           scf.if %[[BIG]] {
// CHECK:             memref<32x132xf32, {{.*}} memref<32x68xf32
// CHECK:             memref<32x68xf32, {{.*}} memref<32x68xf32
func.func @huge(%A: memref<?x2048xf32>, %B: memref<2048x?xf32>, %C: memref<?x?xf32>) {
  linalg.matmul ins(%A, %B : memref<?x2048xf32>, memref<2048x?xf32>) outs(%C : memref<?x?xf32>)
  return
}

// -----

// 64 such tiles leave half of the card without one; of 8192 summands each there may be 8 parts, which are 4 rounds of blocks.
// Of 1024 summands there is one part, in 128 tiles of 128 x 64, which are made at a time.
// CHECK-LABEL: func.func @parts(
// CHECK:         %[[PARTS:.*]] = memref.alloc() : memref<8388608xf32>
// CHECK:         gpu.launch
// CHECK-SAME:      in (%{{[a-z0-9]+}} = %c512,
// CHECK-SAME:      workgroup(%{{[a-z0-9]+}} : memref<32x132xf32, {{.*}} %{{[a-z0-9]+}} : memref<32x132xf32
// CHECK:           gpu.terminator
// CHECK:         gpu.launch
// CHECK-SAME:      in (%{{[a-z0-9]+}} = %c4096,
// CHECK:           scf.for %{{.*}} = %c0 to %c8 step %c4
// CHECK:           gpu.terminator
// CHECK:         memref.dealloc %[[PARTS]]
// CHECK-NOT:     memref.alloc
// CHECK:         gpu.launch
// CHECK-SAME:      in (%{{[a-z0-9]+}} = %c128,
// CHECK-SAME:      workgroup(%{{[a-z0-9]+}} : memref<32x132xf32, {{.*}} %{{[a-z0-9]+}} : memref<32x68xf32
// CHECK:           gpu.terminator
// CHECK-NOT:     gpu.launch
// CHECK:         return
func.func @parts(%A: memref<1024x8192xf32>, %B: memref<8192x1024xf32>, %X: memref<1024x1024xf32>, %Y: memref<1024x1024xf32>,
                 %C: memref<1024x1024xf32>) {
  linalg.matmul ins(%A, %B : memref<1024x8192xf32>, memref<8192x1024xf32>) outs(%C : memref<1024x1024xf32>)
  linalg.matmul ins(%X, %Y : memref<1024x1024xf32>, memref<1024x1024xf32>) outs(%C : memref<1024x1024xf32>)
  return
}

// -----

// A thread for each element: tiles would be mostly empty, or the sum is short; a kernel is around; the sum is no sum; an
// index is of one factor alone.
// CHECK-LABEL: func.func @stay(
// CHECK-NOT:     gpu.launch
// CHECK:         return
#ik = affine_map<(i, j, k) -> (i, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
#i = affine_map<(i, j, k) -> (i)>
func.func @stay(%A: memref<512x4xf32>, %B: memref<4x512xf32>, %C: memref<512x512xf32>, %D: memref<512xf32>,
                %X: memref<64x64xf32>, %Y: memref<64x64xf32>, %Z: memref<64x64xf32>, %narrow: memref<100000x4xf32>, %four: memref<4x4xf32>) {
  linalg.matmul ins(%A, %B : memref<512x4xf32>, memref<4x512xf32>) outs(%C : memref<512x512xf32>)
  linalg.matmul ins(%narrow, %four : memref<100000x4xf32>, memref<4x4xf32>) outs(%narrow : memref<100000x4xf32>)
  scf.forall (%t) in (64) {
    linalg.matmul ins(%X, %Y : memref<64x64xf32>, memref<64x64xf32>) outs(%Z : memref<64x64xf32>)
  }
  linalg.generic {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%X, %Y : memref<64x64xf32>, memref<64x64xf32>) outs(%Z : memref<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %xy = arith.mulf %x, %y : f32
    %most = arith.maximumf %z, %xy : f32
    linalg.yield %most : f32
  }
  linalg.generic {indexing_maps = [#ik, #kj, #i], iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%A, %B : memref<512x4xf32>, memref<4x512xf32>) outs(%D : memref<512xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %xy = arith.mulf %x, %y : f32
    %sum = arith.addf %z, %xy : f32
    linalg.yield %sum : f32
  }
  return
}
