// Names that C does not have, or that mean something else there.
// RUN: rm -rf %t && mkdir %t
// RUN: not ad-opt compile %s --entry=f.part -o %t/f.so 2>&1 | FileCheck %s --check-prefix=DOT
// RUN: not ad-opt compile %s --entry=exp -o %t/f.so 2>&1 | FileCheck %s --check-prefix=LIBRARY
// RUN: not ad-opt compile %s --entry=main -o %t/f.so 2>&1 | FileCheck %s --check-prefix=MAIN
// RUN: not ad-opt compile %s --entry=exp --prefix=a.b -o %t/f.so 2>&1 | FileCheck %s --check-prefix=PREFIX
// RUN: ls -A %t | count 0

// DOT: error: {{.*}}: @f.part cannot be called from C, whose names have letters, digits and underscores only; add a public function with such a name that calls it
// LIBRARY: error: {{.*}}: @exp cannot be called from C, where exp means something else; --prefix=my_ makes it my_exp
// MAIN: error: {{.*}}: @main cannot be called from C, where main means something else
// PREFIX: error: {{.*}}: --prefix=a.b: the beginning of a name in C has letters, digits and underscores only
func.func @f.part(%x: f64) -> f64 {
  return %x : f64
}
func.func @exp(%x: f64) -> f64 {
  return %x : f64
}
func.func @main(%x: f64) -> f64 {
  return %x : f64
}
