//===- AtlDetail.h - what the files of the atl dialect share ----*- C++ -*-===//

#ifndef AD_ATL_DETAIL_H
#define AD_ATL_DETAIL_H

#include "Atl.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/AffineMap.h"

namespace ad::atl {

//===----------------------------------------------------------------------===//
// Affine expressions over SSA values, in AtlAffine.cpp
//===----------------------------------------------------------------------===//

/// The operands of affine expressions while they are parsed, in the order of
/// their first use: operand i is dimension i.
using AffineOperands =
    mlir::SmallVector<mlir::OpAsmParser::UnresolvedOperand, 4>;

/// Parses one affine expression, such as `2 * %i - %j + 1`.
mlir::ParseResult parseAffine(mlir::OpAsmParser &parser,
                              AffineOperands &operands, mlir::AffineExpr &expr);
/// Parses `[` affine (`,` affine)* `]`.
mlir::ParseResult
parseAffineList(mlir::OpAsmParser &parser, AffineOperands &operands,
                mlir::SmallVectorImpl<mlir::AffineExpr> &exprs);
/// Prints what these parse.
void printAffine(mlir::OpAsmPrinter &printer, mlir::AffineExpr expr,
                 mlir::ValueRange operands);
void printAffineList(mlir::OpAsmPrinter &printer,
                     mlir::ArrayRef<mlir::AffineExpr> exprs,
                     mlir::ValueRange operands);

/// The map has a dimension per operand and no symbols, and its results are
/// affine in the sense of the dialect; its operands are indices and sizes.
mlir::LogicalResult verifyAffine(mlir::Operation *op, mlir::AffineMap map,
                                 mlir::OperandRange operands);

/// The value may be a size: it is a constant, or defined outside of all
/// operations of the dialect.
bool isSize(mlir::Value value);

//===----------------------------------------------------------------------===//
// Bodies, in AtlVerify.cpp
//===----------------------------------------------------------------------===//

/// Whether the operation may be in a body, apart from terminators.
bool mayBeInBody(mlir::Operation *op);

} // namespace ad::atl

#endif // AD_ATL_DETAIL_H
