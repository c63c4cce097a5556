//===- SplitValues.h - one value as several ---------------------*- C++ -*-===//
//
// What is the same for all types whose values are split: the boundaries of
// functions, calls, requests, closures, blocks and structured control flow.
//
//===----------------------------------------------------------------------===//

#ifndef AD_SPLIT_VALUES_H
#define AD_SPLIT_VALUES_H

#include "mlir/Transforms/DialectConversion.h"

namespace ad {

/// All values of the groups, in order.
llvm::SmallVector<mlir::Value>
flattened(llvm::ArrayRef<mlir::ValueRange> groups);

/// The types of the parts of a type; the type itself if it is not split.
llvm::SmallVector<mlir::Type> partsOf(const mlir::TypeConverter &types,
                                      mlir::Type type);

/// Replaces an operation of one result by the parts of the result.
void replaceByParts(mlir::ConversionPatternRewriter &rewriter,
                    mlir::Operation *op, llvm::SmallVector<mlir::Value> parts);

/// Splits the values of the types that `types` converts to several in all that
/// only hands values on, and in what `patterns` and `target` say besides.
llvm::LogicalResult splitValues(mlir::Operation *module,
                                mlir::TypeConverter &types,
                                mlir::RewritePatternSet patterns,
                                mlir::ConversionTarget &target);

} // namespace ad

#endif // AD_SPLIT_VALUES_H
