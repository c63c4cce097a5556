// A file without content has no function to run.
// RUN: cp /dev/null %t.mlir
// RUN: not ad-opt run %t.mlir --entry=f 2>&1 | FileCheck %s

// CHECK: error: cannot run {{.*}}.mlir: there is no function @f; the module has no public function
