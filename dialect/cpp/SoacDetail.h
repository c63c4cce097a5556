//===- SoacDetail.h - what the files of the soac dialect share --*- C++ -*-===//

#ifndef AD_SOAC_DETAIL_H
#define AD_SOAC_DETAIL_H

#include "Soac.h"

namespace ad::soac {

//===----------------------------------------------------------------------===//
// Syntax, in Soac.cpp
//===----------------------------------------------------------------------===//

/// Parses `keyword(%a, %b : t, u)` and returns how many operands there were, or
/// -1 when the keyword is absent.
mlir::FailureOr<int> parseGroup(mlir::OpAsmParser &parser,
                                mlir::OperationState &result,
                                mlir::StringRef keyword,
                                mlir::SmallVectorImpl<mlir::Type> &types);
void printGroup(mlir::OpAsmPrinter &printer, mlir::StringRef keyword,
                mlir::OperandRange operands);

/// `(` block-arguments `)` (`->` result-types)? attr-dict? region
mlir::ParseResult parseBody(mlir::OpAsmParser &parser,
                            mlir::OperationState &result, bool explicitResults);
void printBody(mlir::OpAsmPrinter &printer, mlir::Operation *op,
               mlir::Region &body, bool explicitResults);

//===----------------------------------------------------------------------===//
// Checks, in SoacVerify.cpp
//===----------------------------------------------------------------------===//

/// There are inputs, of rank one or more and of one outer size, the `width`.
mlir::LogicalResult verifyInputs(mlir::Operation *op, mlir::OperandRange inputs,
                                 int64_t &width);

/// The body takes and yields what is expected.
mlir::LogicalResult verifyBodyArguments(mlir::Operation *op, mlir::Region &body,
                                        mlir::ArrayRef<mlir::Type> expected);
mlir::LogicalResult verifyYield(mlir::Operation *op, mlir::Region &body,
                                mlir::ArrayRef<mlir::Type> expected);

//===----------------------------------------------------------------------===//
// Canonicalisations, in SoacSlices.cpp
//===----------------------------------------------------------------------===//

void populateSlicePatterns(mlir::RewritePatternSet &patterns);

} // namespace ad::soac

#endif // AD_SOAC_DETAIL_H
