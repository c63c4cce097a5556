// Integers in memory that a loop of blocks writes to: what is read is kept, not read again [Z15].
// RUN: ad-opt check %s --entry=counted --input=0.7 --input=3
// RUN: ad-opt check %s --entry=counted --input=0.7 --input=0

func.func @counted(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloca() : memref<index>
  memref.store %c0, %m[] : memref<index>
  cf.br ^head(%x : f64)
^head(%v: f64):
  %i = memref.load %m[] : memref<index>
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^exit
^body:
  %next = arith.addi %i, %c1 : index
  memref.store %next, %m[] : memref<index>
  %k = arith.index_cast %next : index to i64
  %factor = arith.sitofp %k : i64 to f64
  %s = math.sin %v : f64
  %w = arith.mulf %s, %factor : f64
  cf.br ^head(%w : f64)
^exit:
  return %v : f64
}
