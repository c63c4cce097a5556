// Names that C does not have, or that mean something else there.
// RUN: rm -rf %t && mkdir %t
// RUN: not ad-opt compile %s --entry=f.part -o %t/f.so 2>&1 | FileCheck %s --check-prefix=DOT
// RUN: not ad-opt compile %s --entry=exp -o %t/f.so 2>&1 | FileCheck %s --check-prefix=LIBRARY
// RUN: not ad-opt compile %s --entry=main -o %t/f.so 2>&1 | FileCheck %s --check-prefix=MAIN
// RUN: not ad-opt compile %s --entry=size_t -o %t/f.so 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not ad-opt compile %s --entry=INT64_MAX -o %t/f.so 2>&1 | FileCheck %s --check-prefix=MACRO
// RUN: not ad-opt compile %s --entry=AD_F64_1D -o %t/f.so 2>&1 | FileCheck %s --check-prefix=OURS
// RUN: not ad-opt compile %s --entry=_Complex -o %t/f.so 2>&1 | FileCheck %s --check-prefix=KEYWORD
// RUN: not ad-opt compile %s --entry=_init -o %t/f.so 2>&1 | FileCheck %s --check-prefix=LINKER
// RUN: not ad-opt compile %s --entry=exp --prefix=a.b -o %t/f.so 2>&1 | FileCheck %s --check-prefix=PREFIX
// RUN: ls -A %t | count 0

// DOT: error: {{.*}}: @f.part cannot be called from C, whose names have letters, digits and underscores only; add a public function with such a name that calls it
// LIBRARY: error: {{.*}}: @exp cannot be called from C, where exp means something else; --prefix=my_ makes it my_exp
// MAIN: error: {{.*}}: @main cannot be called from C, where main means something else
// PREFIX: error: {{.*}}: --prefix=a.b: the beginning of a name in C has letters, digits and underscores only
// TYPE: error: {{.*}}: @size_t cannot be called from C, where size_t means something else
// MACRO: error: {{.*}}: @INT64_MAX cannot be called from C, where INT64_MAX means something else
// OURS: error: {{.*}}: @AD_F64_1D cannot be called from C, where AD_F64_1D means something else
// KEYWORD: error: {{.*}}: @_Complex cannot be called from C, where _Complex means something else
// LINKER: error: {{.*}}: @_init cannot be called from C, where _init means something else
func.func @f.part(%x: f64) -> f64 {
  return %x : f64
}
func.func @exp(%x: f64) -> f64 {
  return %x : f64
}
func.func @main(%x: f64) -> f64 {
  return %x : f64
}
func.func @size_t(%x: f64) -> f64 {
  return %x : f64
}
func.func @INT64_MAX(%x: f64) -> f64 {
  return %x : f64
}
func.func @AD_F64_1D(%x: f64) -> f64 {
  return %x : f64
}
func.func @_Complex(%x: f64) -> f64 {
  return %x : f64
}
func.func @_init(%x: f64) -> f64 {
  return %x : f64
}
