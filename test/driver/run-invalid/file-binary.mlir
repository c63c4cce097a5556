// Bytes that are neither text nor bytecode.
// RUN: %python -c "import sys; open(sys.argv[1], 'wb').write(bytes(i * 151 % 256 for i in range(5000)))" %t.mlir
// RUN: not ad-opt run %t.mlir --entry=f 2>&1 | FileCheck %s

// CHECK: error: 
// CHECK: error: {{.*}} is not a valid module
