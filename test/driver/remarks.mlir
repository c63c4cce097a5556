// Every pass reports its statistics as analysis remarks.
// RUN: ad-opt %s --ad-simplify --remarks-filter-analyse=ad-simplify 2>&1 | FileCheck %s

// CHECK: remark: [Analysis] erased | Category:ad-simplify | count={{[0-9]+}}
func.func @nothing() {
  return
}
