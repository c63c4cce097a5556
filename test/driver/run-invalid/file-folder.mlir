// A folder in place of a file.
// RUN: not ad-opt run %S --entry=f 2>&1 | FileCheck %s

// CHECK: error: cannot read {{.*}}: it is a folder
