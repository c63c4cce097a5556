//===- SoacBufferOps.td - what soac says of buffers -------------*- tablegen -*-===//

#ifndef AD_SOAC_BUFFER_OPS
#define AD_SOAC_BUFFER_OPS

include "SoacTypes.td"
include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Soac_RowMajorOp : Op<Soac_Dialect, "row_major", [
    Pure, SameOperandsAndResultType,
    DeclareOpInterfaceMethods<BufferizableOpInterface,
        ["bufferizesToMemoryRead", "bufferizesToMemoryWrite",
         "resultBufferizesToMemoryWrite", "mustBufferizeInPlace",
         "getAliasingValues", "bufferize", "getBufferType"]>]> {
  let summary = "The same array, in a buffer with the identity layout.";
  let description = [{
    Says that the elements lie in memory in row-major order, without gaps. Who
    asks for the type of the result's buffer need not ask for the operand's.
    Bufferisation makes nothing of it where the operand's buffer has that layout,
    and a copy where it has another.

    ```mlir
    %ys = soac.row_major %xs : tensor<?xf64>
    ```

    `lower-known-layouts` makes it, right before bufferisation.
  }];
  let arguments = (ins AnyRankedTensor:$array);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$array attr-dict `:` type($array)";
}

#endif // AD_SOAC_BUFFER_OPS
