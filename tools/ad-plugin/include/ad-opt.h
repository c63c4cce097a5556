//===- ad-opt.h - C interface of libad_opt.so ------------------*- C -*-===//
//
// What a program that loads or links the library may call, in the style of
// mlir-c: handles by value, no ownership taken.
//
//===----------------------------------------------------------------------===//

#ifndef AD_OPT_H
#define AD_OPT_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Registers the soac, atl and ad dialects.
void ad_register_dialects(MlirDialectRegistry registry);

/// Registers all passes and pipelines; further calls do nothing.
void ad_register_all_passes(void);

/// How derivatives pass through an operation of the program's own, or through
/// calls of a function that has no body. What is differentiated below are the
/// operands and results whose types have derivatives, in their order.
///
/// The callbacks may be called from any thread, with `data` as the last
/// argument. They append operations to `block`, which has no terminator, and
/// read nothing but its arguments. They return false after a failure.
typedef struct AdRule {
  void *data;
  /// Whether the rule applies to an operation of its name; null for all.
  bool (*applies)(MlirOperation op, void *data);
  /// Forward mode, null for none. The block's arguments are the operands, the
  /// results, and the tangents of the operands. Writes the tangents of the
  /// results; a null value, as they are before the call, is zero.
  bool (*jvp)(MlirOperation op, MlirBlock block, MlirValue *tangents,
              void *data);
  /// Reverse mode, null for none. The block's arguments are the operands, the
  /// results, and the cotangents of the results. Writes the cotangents of the
  /// operands; a null value is zero.
  bool (*vjp)(MlirOperation op, MlirBlock block, MlirValue *cotangents,
              void *data);
} AdRule;

/// Registers a rule for operations of a name, such as `kernels.attention`, or
/// `func.call` with `applies` for the calls of a function. The rule is copied
/// and stays for as long as the process; later rules are asked first. Nothing
/// is registered for an empty name, which no operation has.
void ad_register_rule(MlirStringRef operation, AdRule const *rule);

#ifdef __cplusplus
}
#endif

#endif // AD_OPT_H
