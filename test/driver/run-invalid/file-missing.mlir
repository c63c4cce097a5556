// A file that is not there.
// RUN: not ad-opt run %t.missing --entry=f 2>&1 | FileCheck %s

// CHECK: error: cannot read {{.*}}.missing: No such file
