//===- AdTapeOps.td - the growable tape -------------------------*- tablegen -*-===//

#ifndef AD_AD_TAPE_OPS
#define AD_AD_TAPE_OPS

include "AdTypes.td"
include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// What is on tapes. No other memory holds it, and it holds no other memory.
def Ad_TapeResource : Resource<"::ad::request::TapeResource">;

class Ad_TapeOp<string mnemonic, list<Trait> traits = []>
    : Op<Ad_Dialect, mnemonic, traits>;

class Ad_TapeAccessOp<string mnemonic> : Ad_TapeOp<mnemonic, [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<BufferizableOpInterface,
        ["bufferizesToAllocation", "bufferizesToMemoryRead",
         "bufferizesToMemoryWrite", "getAliasingValues", "bufferize",
         "getBufferType"]>]> {
  let hasVerifier = 1;
}

def Ad_TapeCreateOp : Ad_TapeOp<"tape_create"> {
  let summary = "A new, empty tape.";
  let description = [{
    Gives the handle of a tape that is empty and grows with what is pushed. It
    takes memory until `ad.tape_free`.

    ```mlir
    %tape = ad.tape_create : !ad.tape<f64, index>
    ```

    Components that nobody reads go, and so does a tape without components or
    one that nobody pops from, where all that is done with the handle is known.
  }];
  let results = (outs Res<Ad_TapeType, "", [MemAlloc<Ad_TapeResource>]>:$tape);
  let assemblyFormat = "attr-dict `:` qualified(type($tape))";
  let hasCanonicalizer = 1;
}

def Ad_TapePushOp : Ad_TapeAccessOp<"tape_push"> {
  let summary = "Puts an entry on a tape.";
  let description = [{
    Tensors are copied, buffers are not. After bufferisation tensors are buffers,
    too, which are copied as before: the type of the tape stays what it was.

    ```mlir
    ad.tape_push %tape, %x, %i : !ad.tape<f64, index>
    ad.tape_push %tape, %row : !ad.tape<tensor<?xf64>>, memref<?xf64>
    ```

    (C1) There is one value for each component of the tape, of its type, or a
         buffer of the same shape and elements if that is a tensor.
  }];
  let arguments = (ins Ad_TapeType:$tape, Variadic<AnyType>:$values);
  let assemblyFormat = [{
    $tape (`,` $values^)? attr-dict `:`
    custom<TapeTypes>(type($tape), type($values))
  }];
}

def Ad_TapePopOp : Ad_TapeAccessOp<"tape_pop"> {
  let summary = "Takes the last entry off a tape.";
  let description = [{
    There must be one. What was pushed last and is on the tape still is gone
    from there, also if nobody uses the results.

    ```mlir
    %x, %i = ad.tape_pop %tape : !ad.tape<f64, index>
    %row = ad.tape_pop %tape : !ad.tape<tensor<?xf64>>, memref<?xf64>
    ```

    (C1) There is one result for each component of the tape, of its type, or a
         buffer of the same shape and elements if that is a tensor.

    A push right before it, in the same block, is the entry that it takes: then
    both go.
  }];
  let arguments = (ins Ad_TapeType:$tape);
  let results = (outs Variadic<AnyType>:$values);
  let assemblyFormat = [{
    $tape attr-dict `:` custom<TapeTypes>(type($tape), type($values))
  }];
  let hasCanonicalizer = 1;
}

def Ad_TapeFreeOp : Ad_TapeOp<"tape_free"> {
  let summary = "Frees a tape and what is left on it.";
  let description = [{
    Nothing may be done with the tape afterwards.

    ```mlir
    ad.tape_free %tape : !ad.tape<f64, index>
    ```
  }];
  let arguments = (ins Arg<Ad_TapeType, "", [MemFree<Ad_TapeResource>]>:$tape);
  let assemblyFormat = "$tape attr-dict `:` qualified(type($tape))";
}

#endif // AD_AD_TAPE_OPS
