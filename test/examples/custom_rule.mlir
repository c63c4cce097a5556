// The rule is used: 1 / (1 + exp(-x)) also where exp x is infinite; it agrees with the body elsewhere.
// RUN: ad-opt run %examples/custom_rule.mlir --entry=slope --input=1000.0 | FileCheck %s --check-prefix=LARGE
// RUN: ad-opt run %examples/custom_rule.mlir --entry=slope --input=0.0 | FileCheck %s --check-prefix=ZERO
// RUN: ad-opt check %examples/custom_rule.mlir --entry=objective --input=0.7
// LARGE: {{^}}1.0
// ZERO:  {{^}}0.5
