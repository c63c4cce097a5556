// Places where nothing can be written, and names that say nothing.
// RUN: rm -rf %t && mkdir -p %t/folder.so %t/header.h
// RUN: not ad-opt compile %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not ad-opt compile %s -o %t/f.dll 2>&1 | FileCheck %s --check-prefix=EXTENSION
// RUN: not ad-opt compile %s -o %t/missing/f.so 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not ad-opt compile %s -o %t/folder.so 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: not ad-opt compile %s -o %t/header.so 2>&1 | FileCheck %s --check-prefix=HEADER
// RUN: not ad-opt compile %s -o %t/f.o --header=%t/f.o 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not ad-opt compile %s -o %t/f.o --header=%t/folder.so/../f.o 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: cd %t && not ad-opt compile %s -o f.o --header=./f.o 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: cp %s %t/source.so
// RUN: not ad-opt compile %t/source.so -o %t/source.so 2>&1 | FileCheck %s --check-prefix=SOURCE
// RUN: not ad-opt compile %t/source.so -o %t/f.so --header=%t/folder.so/../source.so 2>&1 | FileCheck %s --check-prefix=SOURCE
// RUN: diff %s %t/source.so
// RUN: ls -A %t | FileCheck %s --check-prefix=FILES

// NONE: error: the following required arguments were not provided
// NONE: --output <FILE>
// EXTENSION: error: cannot write {{.*}}f.dll: a shared library has a name that ends in .so, an object file one in .o
// MISSING: error: cannot write {{.*}}/missing/f.h: there is no folder {{.*}}/missing{{$}}
// FOLDER: error: cannot write {{.*}}folder.so: it is a folder
// HEADER: error: cannot write {{.*}}header.h: it is a folder
// BOTH: error: code and header cannot both be {{.*}}f.o
// SOURCE: error: cannot write {{.*}}source.so: it is what is compiled
// FILES: {{^}}folder.so
// FILES-NEXT: {{^}}header.h
// FILES-NEXT: {{^}}source.so
// FILES-NOT: {{.}}
func.func @f(%x: f64) -> f64 {
  return %x : f64
}
