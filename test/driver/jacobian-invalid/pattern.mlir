// Patterns that are not, are of another Jacobian, or have colours that leave entries mixed.
// RUN: rm -rf %t && mkdir %t
// RUN: not ad-opt jacobian %s --entry=f --input=1.0 --input=2.0 --pattern=%t/absent 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: ad-opt jacobian %s --entry=f --input=1.0 --input=2.0 --output-dir=%t
// RUN: not ad-opt jacobian %s --entry=f --wrt=0 --input=1.0 --input=2.0 --pattern=%t 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: %python %S/../Inputs/npy.py %t/row_colors.npy '<i8' '(2,)' 0 0
// RUN: rm -f %t/column_colors.npy
// RUN: not ad-opt jacobian %s --entry=f --input=1.0 --input=2.0 --pattern=%t 2>&1 | FileCheck %s --check-prefix=COLORS
// RUN: %python %S/../Inputs/npy.py %t/row_colors.npy '<i8' '(2,)' 0 9223372036854775807
// RUN: not ad-opt jacobian %s --entry=f --input=1.0 --input=2.0 --pattern=%t 2>&1 | FileCheck %s --check-prefix=COLORS
// RUN: rm %t/row_colors.npy
// RUN: not ad-opt jacobian %s --entry=f --input=1.0 --input=2.0 --pattern=%t 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %python %S/../Inputs/npy.py %t/rows.npy '<i8' '(4,)' 0 0 1 2
// RUN: not ad-opt jacobian %s --entry=f --input=1.0 --input=2.0 --pattern=%t 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: %python %S/../Inputs/npy.py %t/rows.npy '<i8' '(4,)' 0 0 1 -1
// RUN: not ad-opt jacobian %s --entry=f --input=1.0 --input=2.0 --pattern=%t 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: %python %S/../Inputs/npy.py %t/rows.npy '<i8' '(3,)' 0 0 1
// RUN: not ad-opt jacobian %s --entry=f --input=1.0 --input=2.0 --pattern=%t 2>&1 | FileCheck %s --check-prefix=COUNT

// ABSENT: error: cannot read {{.*}}rows.npy
// SHAPE: error: the pattern is of 2 x 2 entries, but the Jacobian of 2 x 1
// COLORS: error: {{.*}}row_colors.npy does not tell all entries apart
// NONE: error: {{.*}} has no colours
// OUTSIDE: error: cannot use {{.*}}: there is no entry in row 2 and column 1 of 2 x 2
// NEGATIVE: error: {{.*}}rows.npy has a negative number
// COUNT: error: {{.*}} has not a row and a column for each entry
func.func @f(%x: f64, %y: f64) -> (f64, f64) {
  %p = arith.mulf %x, %y : f64
  %s = arith.addf %x, %y : f64
  return %p, %s : f64, f64
}
