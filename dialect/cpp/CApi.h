//===- CApi.h - C interface of the soac, atl and ad dialects ------------*- C
//-*-===//
//
// Everything is in the style of mlir-c: handles by value, no ownership taken.
//
//===----------------------------------------------------------------------===//

#ifndef AD_CAPI_H
#define AD_CAPI_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Soac, soac);
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Atl, atl);
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Ad, ad);

/// Whether the type is `!soac.acc<...>`.
bool adTypeIsAcc(MlirType type);
/// The accumulator type of a ranked tensor type.
MlirType adAccTypeGet(MlirType array);
/// The ranked tensor type that an accumulator type is a view of.
MlirType adAccTypeGetArray(MlirType acc);

/// Whether the type is `!atl.pair<...>`.
bool adTypeIsPair(MlirType type);
/// The pair of two types of values of the tensor language.
MlirType adPairTypeGet(MlirType first, MlirType second);
/// The types of which a pair type is.
MlirType adPairTypeGetFirst(MlirType pair);
MlirType adPairTypeGetSecond(MlirType pair);

/// Whether the type is `!ad.tape<...>`.
bool adTypeIsTape(MlirType type);
/// The type of a tape that keeps values of `count` types.
MlirType adTapeTypeGet(MlirContext context, intptr_t count,
                       MlirType const *components);
/// What a tape keeps.
intptr_t adTapeTypeGetNumComponents(MlirType tape);
MlirType adTapeTypeGetComponent(MlirType tape, intptr_t position);

/// Whether the type is `!ad.closure<...>`.
bool adTypeIsClosure(MlirType type);
/// The function type of a closure type, and back.
MlirType adClosureTypeGetFunction(MlirType closure);
MlirType adClosureTypeGet(MlirType function);

/// How many fields a record or a tuple has; -1 for other types.
intptr_t adTypeGetNumFields(MlirType type);
/// The type of a field of a record or a tuple.
MlirType adTypeGetField(MlirType record, intptr_t position);

/// The type of the derivative of a type, as requests have it: of what is passed by
/// value, or of what is in buffers, or of both. Null if there is none.
MlirType adDerivativeType(MlirType type, bool values, bool buffers);

/// The bytes of the elements of an attribute, one after the other, or of one if
/// all are equal; those of `i1` may be bits. Null for others than dense numbers.
MlirStringRef adElementBytes(MlirAttribute attribute);

/// Reports an error at `location`, with `count` notes at locations of their
/// own.
void adEmitError(MlirLocation location, MlirStringRef message, intptr_t count,
                 MlirLocation const *noteLocations, MlirStringRef const *notes);

/// Emits a remark of `category` with `count` pairs of key and value: that an
/// optimisation was missed (seen with --remarks-filter-missed=CATEGORY), or
/// what an analysis found (seen with --remarks-filter-analyse=CATEGORY).
void adEmitRemark(MlirLocation location, bool missed, MlirStringRef category,
                  MlirStringRef name, intptr_t count, MlirStringRef const *keys,
                  MlirStringRef const *values);

/// Whether the operation, were its results unused, could be erased without any
/// effect; looks into its regions.
bool adOperationIsTriviallyDead(MlirOperation operation);

/// What the operation itself, not what is in its regions, does with memory: the
/// sum of 1 if it may read and 2 if it may write or free. An assertion counts as
/// neither; calls, and operations on buffers of which nothing is known, as both.
int adOperationMemoryEffects(MlirOperation operation);

/// Calls back with the name of every operation of a loaded dialect.
void adForEachOperationName(MlirContext context, MlirStringRef dialect,
                            MlirStringCallback callback, void *userData);

#ifdef __cplusplus
}
#endif

#endif // AD_CAPI_H
