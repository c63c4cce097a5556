//===- Passes.td - every pass of ad-opt ------------------------*- tablegen -*-===//
//
// The C++ classes come from here; their bodies are in Rust (see PassShims.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef AD_PASSES
#define AD_PASSES

include "mlir/Pass/PassBase.td"

/// A pass over a module that may create any operation of the vocabulary.
class Ad_ModulePass<string name> : Pass<name, "::mlir::ModuleOp"> {
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::cf::ControlFlowDialect",
    "::mlir::complex::ComplexDialect",
    "::mlir::func::FuncDialect",
    "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect",
    "::mlir::vector::VectorDialect",
    "::ad::atl::AtlDialect",
    "::ad::request::AdDialect",
    "::ad::soac::SoacDialect"
  ];
}

def AdDifferentiate : Ad_ModulePass<"ad-differentiate"> {
  let summary = "Answer every derivative request in the module";
  let description = [{
    Replaces every `ad.vjp` and `ad.jvp` by a call of a private derivative
    function, which it creates, and every `ad.stop_gradient` by its operand. A
    function that itself holds requests is differentiated after its own requests
    were answered, so requests nest to any depth in any mix of modes.

    Reverse mode follows [FUT 4] and [FUT 5]: every scope re-executes its forward
    sweep, so that no tape crosses scopes; loops checkpoint the values they
    carry. Forward mode interleaves tangents with primals [FUT 3].

    A function may say by the attribute `ad.inverse = @g` that `@g` finds its
    arguments: for `f: (xs, ws) -> ys`, `g: (ys, ws) -> xs` (any number of arguments
    `ws` stays). Reverse mode then calls `@g` with the results of a call, in place
    of keeping the arguments, where nothing else runs the call again: a loop of such
    calls saves nothing [ZYG 3.1].

    *Requires*: the bodies of the functions asked about are in the module and use
    operations that have a rule or cannot carry a derivative.

    *Ensures*: no operation of the `ad` dialect is left. When a request cannot be
    answered the pass reports an error at the operation that stands in the way,
    with a note at the request, and leaves the module as it was.

    *Leaves for later*: the code re-executed in perfect nests is dead but present
    (see `ad-simplify`).
  }];
  let options = [
    Option<"plainIeee", "plain-ieee", "bool", /*default=*/"false",
           "Multiply the zero cotangent of a value that was not chosen like any "
           "other, so that zero times infinity is NaN">,
    Option<"memoryBudget", "memory-budget", "int64_t", /*default=*/"0",
           "Strip-mine loops whose checkpoints would take more than so many bytes; "
           "0 for no limit">,
    Option<"residuals", "residuals", "std::string", /*default=*/"\"mixed\"",
           "What reverse mode does about values of earlier blocks in functions with "
           "several blocks: store keeps results, recompute runs again all that is "
           "pure, mixed keeps what costs more than to be kept">
  ];
  let statistics = [
    Statistic<"requests", "requests", "Number of derivative requests answered">,
    Statistic<"functions", "functions", "Number of derivative functions generated">,
    Statistic<"checkpoints", "checkpoints", "Number of values checkpointed by loops">
  ];
}

def AdGenerate : Ad_ModulePass<"ad-generate"> {
  let summary = "Add a derivative function to a module that has no request";
  let description = [{
    Adds a public function that computes a derivative of `function`. It is made as
    a request, which is answered at once as by `ad-differentiate`; loops save more of
    what is dear to compute where `ad-inline` ran before:

    * `mode=vjp`: takes the arguments of the function and one cotangent per
      differentiable result; returns the results and one cotangent per argument in
      `wrt`.
    * `mode=jvp`: takes the arguments and one tangent per argument in `wrt`;
      returns the results and one tangent per differentiable result.
    * `mode=gradient`: takes the arguments of a function with one float as its
      only differentiable result; returns the gradients alone.
    * `mode=split`: as `vjp`, but a request that is left to `ad-optimize`, and marked
      for `ad-split-sweeps`, which makes two functions of it there. They are called as
      `name`, or else the function, and `_forward` and `_backward`.

    An empty `wrt` means all differentiable arguments. An empty `name` means the
    name of the function followed by `_vjp`, `_jvp`, `_gradient` or `_split`.

    *Requires*: `function` names a function of the module, with or without its @;
    `name` is not taken.
  }];
  let options = [
    Option<"function", "function", "std::string", /*default=*/"\"\"",
           "The function to differentiate">,
    Option<"mode", "mode", "std::string", /*default=*/"\"vjp\"",
           "What to generate: vjp, jvp, gradient or split">,
    ListOption<"wrt", "wrt", "int64_t",
               "Positions of the arguments to differentiate with respect to">,
    Option<"name", "name", "std::string", /*default=*/"\"\"",
           "The name of the derivative function">
  ];
  let statistics = [
    Statistic<"functions", "functions", "Number of derivative functions generated">
  ];
}

def AdSplitRecords : Pass<"ad-split-records", "::mlir::ModuleOp"> {
  let summary = "Replace records by their fields";
  let description = [{
    A record, a `tuple`, and an `llvm.struct` or an `llvm.array` of up to 64 elements
    becomes the values of its fields, from left to right: arguments and results of
    functions, calls, closures, requests, blocks, `scf` operations and choices are
    fields then, `wrt` lists all differentiable fields of what it listed, and what made
    records or read them is gone. So the engines follow the derivative of each field
    as that of any value, and a field without one has neither adjoint nor zero
    [ZYG 4.2]. Constants of the LLVM dialect that are numbers are those of `arith` then,
    and what is undefined is zero.

    ```mlir
    %y, %p_bar = ad.vjp @f(%p) seed(%y_bar)
        : (!ad.record<w: f64, n: index>), (f64) -> (f64, !ad.record<w: f64>)
    // becomes
    %y, %w_bar = ad.vjp @f(%w, %n) seed(%y_bar) {wrt = array<i64: 0>}
        : (f64, index), (f64) -> (f64, f64)
    ```

    *Ensures*: no record and no tuple is left; where one is an element of an array, or
    an operation needs it that this pass does not know, is an error. Aggregates of the
    LLVM dialect stay as they are in what is not known, and in `llvm.func`.
  }];
  let dependentDialects = ["::ad::request::AdDialect", "::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect", "::mlir::ub::UBDialect"];
}

def AdClosureConvert : Ad_ModulePass<"ad-closure-convert"> {
  let summary = "Make functions of the bodies of lambdas";
  let description = [{
    Every `ad.lambda` becomes an `ad.closure` of a new private function, which takes
    what the body read from around it as its first arguments [MYIA 4]; constants are
    copied instead.

    ```mlir
    %f = ad.lambda (%x : f64) -> f64 {
      %y = arith.mulf %a, %x : f64
      ad.yield %y : f64
    }
    // becomes, with @main.lambda(%a, %x):
    %f = ad.closure @main.lambda(%a) : (f64) -> !ad.closure<(f64) -> f64>
    ```

    *Ensures*: no `ad.lambda` is left.
  }];
  let statistics = [
    Statistic<"converted", "converted", "Number of lambdas that became functions">
  ];
}

def AdClosureSpecialize : Ad_ModulePass<"ad-closure-specialize"> {
  let summary = "Copy functions for the functions that they are called with";
  let description = [{
    A call of a known function value becomes a direct call. A function that is called,
    or whose derivative is asked for, with function values of which the functions are
    known, gets a copy that takes what they capture instead and calls them directly.
    So a program whose functions are all known where they are handed over has no
    function value any more, but those in functions that nobody calls.

    ```mlir
    %y = call @twice(%f, %x)            // %f = ad.closure @scale(%a)
    // becomes
    %y = call @twice.with_scale(%a, %x)
    ```

    *Requires*: no `ad.lambda` (see `ad-closure-convert`), which would count as
    unknown.

    *Leaves for later*: what is known only when the program runs (see
    `ad-closure-eliminate`).
  }];
  let statistics = [
    Statistic<"changed", "changed", "Number of copies and direct calls">
  ];
}

def AdClosureEliminate : Ad_ModulePass<"ad-closure-eliminate"> {
  let summary = "Replace function values by numbers and captured values";
  let description = [{
    A function value becomes a number that says which function of the module it is, if
    there are several that it may be, and the values that are captured; its call becomes
    an `scf.index_switch` of direct calls. Arguments and results of functions, blocks,
    loops and branches carry these values instead. So the engines follow the derivatives
    of captured values as those of any argument [ZYG 3.2], [MYIA 3.2].

    *Requires*: no `ad.lambda`. No closure captures one that it may be itself, as in a
    loop that makes a chain of closures; that is an error.

    *Ensures*: no closure is left. A function that takes or returns closures and that
    nobody needs goes. Values of function types that come from outside of the module, or
    go there, and their calls stay as they are.
  }];
  let statistics = [
    Statistic<"calls", "calls", "Number of calls that became direct ones">
  ];
}

def AdKeepCustomRules : Ad_ModulePass<"ad-keep-custom-rules"> {
  let summary = "Keep functions with custom derivative rules from being inlined";
  let description = [{
    A function whose derivative is given by the attributes `custom_jvp` or
    `custom_vjp`, or that has an `ad.inverse`, must still be a function when requests are answered. This pass marks
    such functions `no_inline`, and `ad-differentiate` lifts what it marked. It belongs
    in front of `inline`, as in `ad-optimize`.

    For `f: xs -> ys`, where `xs'` and `ys'` are those with derivatives:

    * `custom_jvp = @h` with `h: (xs, xs_dot') -> (ys, ys_dot')`;
    * `custom_vjp = @g` with `g: (xs, ys_bar') -> (ys, xs_bar')`;
    * `custom_vjp = [@fwd, @bwd]` with `fwd: xs -> (ys, residuals)` and
      `bwd: (residuals, ys_bar') -> xs_bar'`, where the residuals are any values.

    ```mlir
    func.func private @f(%x: f64) -> f64 attributes {custom_vjp = @g} { ... }
    ```

    The rule is used for every derivative of the function, also of one without a body;
    a mode without a rule differentiates the body. `ad-opt check` compares the rules
    with the body and with each other.
  }];
  let statistics = [
    Statistic<"kept", "kept", "Number of functions marked">
  ];
}

def AdBoundInlining : Ad_ModulePass<"ad-bound-inlining"> {
  let summary = "Keep recursive functions, and long ones that are called often, from being inlined";
  let description = [{
    Marks functions `no_inline` that call themselves, directly or through others: upstream's
    `inline` puts such a function into itself several times over. So it does with functions
    that are called in several places and would have more than 4096 operations, with what is
    inlined into them, or more than 32768 in all those places together: where each function of a chain calls the next one twice, the last one
    would be there more often than anybody can wait for. This pass
    belongs in front of `inline`, as in `ad-optimize`.
  }];
  let statistics = [
    Statistic<"kept", "kept", "Number of functions marked">
  ];
}

def AdSpecialize : Ad_ModulePass<"ad-specialize"> {
  let summary = "Infer ranks, sizes and constants, with a copy of a function for each kind of call";
  let description = [{
    Functions over tensors of unknown rank (`tensor<*xf64>`) or unknown sizes
    (`tensor<?xf64>`) get a copy for each signature with which they are called, or
    of which a derivative is requested [MYIA 4.2]: what is known of the ranks and
    sizes of the tensors, and of the integers, that they are given. Equal signatures
    share a copy. What a function returns is inferred from its body, through calls,
    recursion, loops, branches and the requests themselves. A caller says what it
    has by a `tensor.cast` to the type of the function.

    ```mlir
    func.func private @twice(%x: tensor<*xf64>) -> tensor<*xf64> {
      %y = arith.addf %x, %x : tensor<*xf64>
      return %y : tensor<*xf64>
    }
    // The copy @twice.of_3 for a caller with
    %a = tensor.cast %v : tensor<3xf64> to tensor<*xf64>
    %b = func.call @twice(%a) : (tensor<*xf64>) -> tensor<*xf64>
    ```

    Sizes that cannot be, such as those of a product of a 3x4 and a 5x2 matrix, are
    errors at the operation, with notes at the calls that led to it. So is a call of
    a function that only calls itself, or calls itself with tensors of other ranks.

    *Leaves for later*: the `tensor.cast`s around operations that are not retyped,
    which `canonicalize` mostly removes. Element types are not inferred.
  }];
  let options = [
    Option<"unrankedOnly", "unranked-only", "bool", /*default=*/"false",
           "Specialise functions with tensors of unknown rank only, and do nothing "
           "where there is none">
  ];
  let statistics = [
    Statistic<"copies", "copies", "Number of copies of functions">
  ];
}

def AdLoopsToFunctions : Ad_ModulePass<"ad-loops-to-functions"> {
  let summary = "Turn loops and branches into functions that call themselves last";
  let description = [{
    Brings programs into the functional form of [MYIA 3]: an `scf.for` or `scf.while`
    becomes a private function that calls itself last, and an `scf.if` one that
    chooses what it returns. What a body reads of its surroundings becomes
    parameters, and constants are copied. `ad-functions-to-loops` goes back.

    ```mlir
    func.func private @f.loop_0(%i: index, %a: f64, %n: index, %s: index) -> f64 {
      %more = arith.cmpi slt, %i, %n : index
      cf.cond_br %more, ^step, ^done
    ^step:
      ...
      %r = call @f.loop_0(%j, %b, %n, %s) : (index, f64, index, index) -> f64
      return %r : f64
    ^done:
      return %a : f64
    }
    ```

    *Leaves for later*: what uses buffers or accumulators, or gives nothing, stays.
  }];
  let statistics = [
    Statistic<"functions", "functions", "Number of functions made">
  ];
}

def AdFunctionsToLoops : Ad_ModulePass<"ad-functions-to-loops"> {
  let summary = "Turn functions that call themselves last into loops";
  let description = [{
    A call whose results are returned as they are is last, also in an `scf.if` whose
    results are. A function that calls itself last, be it by way of others that it
    calls last, becomes a loop between blocks: the others are copied into it once
    each. So such recursion takes no stack, and reverse mode takes it for the loop
    that it is. `inline` puts the loop where the function is called from, and
    `lift-cf-to-scf` makes `scf.while` of it.

    *Leaves for later*: calls that are not last, such as in a sum over a tree.
  }];
  let statistics = [
    Statistic<"loops", "loops", "Number of functions that have got a loop">
  ];
}

def RaiseToSoac : Ad_ModulePass<"raise-to-soac"> {
  let summary = "Raise upstream operations to forms that have derivative rules";
  let description = [{
    Replaces operations whose meaning is that of simpler operations, for instance an
    `scf.execute_region` with one block by the operations in it. `ad-differentiate`
    does the same to a copy of each function that it differentiates, so that the
    pass is needed only by who wants to see or to go on from the raised form.

    With `for-kernels`, it replaces what is to become kernels as something else than it is: the
    outermost `scf.parallel` of the host, softmax, gathers and paddings, and structured operations
    on buffers, which become such on tensors.

    With `loops`, it replaces loops of the host whose iterations need nothing of each other but
    what all of them add up, multiply or choose the largest or smallest of, elements or rows of
    arrays that each of them replaces, and elements to which they add: those become maps,
    reductions and accumulators. `exact` leaves loops that would be rounded otherwise; `any-order`
    takes them, too. What they read of buffers element by element is read in front of them.

    *Leaves for later*: what has no raised form stays as it is. So do loops of few iterations, and
    those that make larger arrays than the rows that iterations read or replace.
  }];
  let options = [
    Option<"forKernels", "for-kernels", "bool", "false",
           "Replace what is to become kernels in place of what is to be differentiated">,
    Option<"loops", "loops", "std::string", "\"none\"",
           "Replace loops that may run in parallel instead: none, exact or any-order">
  ];
  let statistics = [
    Statistic<"raised", "raised", "Number of operations replaced">
  ];
}

def AdSimplify : Ad_ModulePass<"ad-simplify"> {
  let summary = "Remove what differentiation leaves over";
  let description = [{
    Removes results, loop-carried values and re-executed code that nothing reads,
    folds arithmetic with known zeros and ones, and drops accumulators that are
    never updated; accumulators that only get arrays of equal numbers become ones
    of numbers. Loops carry arrays in the sizes that these have in front of them, if no
    iteration changes those, which upstream's `canonicalize` does not ask and
    `ad-canonicalize` leaves to this pass. In perfect nests of `soac.map` nothing of the re-executed
    forward sweep stays [FUT 4].

    *Requires*: nothing; the pass is correct on any module.

    *Leaves for later*: what `ad-canonicalize` and `cse` do; run them around this
    pass.
  }];
  let statistics = [
    Statistic<"erased", "erased", "Number of operations erased">
  ];
}

def AdAccToReduce : Ad_ModulePass<"ad-acc-to-reduce"> {
  let summary = "Turn accumulators into maps, reductions and histograms";
  let description = [{
    Looks at every `soac.update_acc` in the nest of maps around it [FUT 6.1]. Where
    its indices are the iteration numbers of some of these maps, the array that it
    accumulates into is the result of a nest over those maps; the maps that no index
    depends on become reductions. If the nest has the maps in another order, the
    update is split off into a nest of its own, with the reductions innermost. Indices
    that are read or computed under one map make a `soac.hist`. Where an update is a
    product of matrices (see `ad-contract`), what its factors depend on is stored as a
    matrix first, in a nest of its own. Before all that, what all iterations of a map multiply
    by is taken out of the sum over the map: the sum of `s_i * q` is the sum of `s_i`, times `q`.
    So is a triangle Q that all iterations multiply their vector by, before they multiply the result by
    the vector again: the sum of `(Q v_i) v_i^T` is Q times the sum of `v_i v_i^T`, half of which is
    added up. There the program tests whether the vectors are many enough. And where fresh rows
    that are kept get all that an array gets in a nest, in the same places, the sum of the rows is
    added to the array:

    ```mlir
    %a_n, %rows_n = soac.with_acc ins(%a) (%s) { soac.map ins(%xs) accs(%s) (%x, %s_i) {
      %row = soac.with_acc ins(%zeros) (%f) { soac.map ... { update_acc %f[%k], %v; update_acc %s_i[%k], %v } } } }
    // becomes
    %rows_n = soac.map ins(%xs) (%x) { %row = soac.with_acc ins(%zeros) (%f) { soac.map ... { update_acc %f[%k], %v } } }
    %a_n = %a + (soac.reduce (+) %rows_n)
    ```

    *Requires*: nothing; the pass is correct on any module.

    *Ensures*: work stays within a constant: a nest is split only if that repeats
    fewer than two accesses to arrays, or is a product of matrices, and repeats nothing
    that is dear. Nothing is stored but matrices of the size of those that are multiplied.

    With `for-kernels`, a nest may repeat what one iteration makes of numbers, up to 64
    operations: many threads that add to the same places take longer.

    *Leaves for later*: all other accumulators; a remark
    (`--remarks-filter-missed=ad-acc-to-reduce`) says for each why it stays.
  }];
  let options = [
    Option<"forKernels", "for-kernels", "bool", "false",
           "Repeat what an iteration makes of numbers rather than let threads add to the same places">
  ];
  let statistics = [
    Statistic<"arrays", "arrays", "Number of accumulators replaced">
  ];
}

def AdContract : Ad_ModulePass<"ad-contract"> {
  let summary = "Turn sums of products in nests of maps into contractions";
  let description = [{
    A sum of products in a nest of `soac.map` becomes a `linalg.generic` in front of the
    nest, if it is a product of matrices: each factor lacks an index that the other one
    has. The nest reads the elements of the result in place of computing them. Further
    indices, which both factors have, are those of a batch; sums of sums are one
    contraction, and a sum of several products is as many. A factor that the nest
    computes, for fewer indices than the product has, is stored as a matrix. What is
    known to be small stays, and so does what a branch or a loop decides about.

    Run it before `ad-fuse`, which merges nests with what is around them. What the nests
    no longer compute is left to `canonicalize` and `ad-simplify`.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"contractions", "contractions", "Number of sums that became contractions">
  ];
}

def AdDelaySums : Ad_ModulePass<"ad-delay-sums"> {
  let summary = "Make sums of products, or of rows, that a loop adds up behind the loop, as one";
  let description = [{
    An `scf.for` from 0 by 1 that adds a product of matrices to what it carries in each
    iteration, as the derivatives for the weights of a recurrent network do, leaves it to
    one `linalg.generic` behind the loop, which sums over the iterations, too. Each factor
    must be a row of an array that has a row for each iteration: one from outside, or one
    that the loop carries and puts the factor into. Or it is the same in all iterations.

    What `soac.reduce` makes of the rows of an iteration, and the loop adds to what it carries
    or to a leading part of it, as the derivative for a bias, is reduced behind the loop for all
    iterations, if the rows are those of such an array. Both rely on sums being associative.

    Indices that a product is summed over, and which are side by side in both factors, are
    made one by `tensor.collapse_shape`.

    Run it after `ad-contract` and `ad-simplify`, which find such products. What the loop
    carried for the sum is left to `canonicalize`.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"delayed", "delayed", "Number of sums that are made behind loops">,
    Statistic<"joined", "joined", "Number of products that are summed over fewer indices">
  ];
}

def AdSplitSweeps : Ad_ModulePass<"ad-split-sweeps"> {
  let summary = "Make two functions of one that runs both ways";
  let description = [{
    For programs that run forwards and backwards at times of their own, as training
    frameworks do. A function with `ad.split = "f"`, of which arguments are marked
    `ad.seed` and results `ad.cotangent`, becomes `@f_forward` and `@f_backward`:

    * `@f_forward` takes all other arguments, and returns all other results and then what
      the way back reads beside arguments and results (the residuals).
    * `@f_backward` takes the same arguments, all that `@f_forward` returned, and the
      seeds, each in its order; it returns the cotangents.

    ```mlir
    func.func @f_split(%x: tensor<?xf64>, %y_bar: f64 {ad.seed})
        -> (f64, tensor<?xf64> {ad.cotangent}) attributes {ad.split = "f"}
    // becomes, where the way back reads an array that the function has made
    func.func @f_forward(%x: tensor<?xf64>) -> (f64, tensor<?xf64>)
    func.func @f_backward(%x: tensor<?xf64>, %y: f64, %kept: tensor<?xf64>, %y_bar: f64) -> tensor<?xf64>
    ```

    The forward sweep is what the results need. Nothing else is computed there, but what
    loops keep. Constants, sizes, and views of arrays are made once more in place of being
    kept. Who calls `@f_backward` gives it arguments and results as they were. It may be
    called any number of times.

    Blocks become loops and branches before, by `lift-cf-to-scf`. What is kept of loops
    of blocks and of buffers is on a tape, which the way back empties: it is called once
    then, and is no function that C can call.

    A function that others call stays, too. It is an error if a result depends on a seed,
    by itself or by what memory holds.
    Run it when derivatives are inlined and loops know what they keep, and before `ad-fuse`,
    which joins what the two would do.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::ub::UBDialect"];
  let statistics = [
    Statistic<"functions", "functions", "Number of functions that became two">,
    Statistic<"residuals", "residuals", "Number of values that are kept between the two">
  ];
}

def AdFuse : Ad_ModulePass<"ad-fuse"> {
  let summary = "Merge combinators so that arrays are passed over once";
  let description = [{
    Runs the body of a `soac.map` in the combinator that reads its result, and merges
    combinators of the same width that do not depend on each other. A map that calls
    functions, which take vectors, stays alone where its reader accesses places that
    depend on data.

    What a map or a structured operation computes, and a later one that cannot be one with it
    computes again, is read from there: costly values of maps, and what structured
    operations store in any case.

    *Requires*: nothing; the pass is correct on any module.

    *Ensures*: no operation is executed more often than before.
  }];
  let statistics = [
    Statistic<"fused", "fused", "Number of combinators merged into others">
  ];
}

def AdTabulate : Ad_ModulePass<"ad-tabulate"> {
  let summary = "Compute once for each row what maps compute of rows that they look up";
  let description = [{
    Where a `soac.map` reads rows at indices that are data, what it computes of nothing but
    the row is computed once for each row, as far as that is costly:

    ```mlir
    %zs = soac.map ins(%is) (%i) { %x = tensor.extract %xs[%i]; %y = f %x ... }
    // becomes, for n rows
    %ys = soac.map ins(soac.iota n) (%r) { %x = tensor.extract %xs[%r]; f %x }
    %zs = soac.map ins(%is) (%i) { %y = tensor.extract %ys[%i] ... }
    ```

    It does so for maps that are in no loop and no other map. Where there are fewer indices
    than rows, which is decided when the program runs, the table is made for the rows that
    are read, as by `ad-gather-first`.

    *Requires*: nothing; the pass is correct on any module. Run it when maps have been fused.

    *Ensures*: no function is called for more rows than there are, or than 4/3 of the indices.
    What a branch computes of floats may be computed where it is not taken.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"tables", "tables", "Number of tables made">
  ];
}

def AdGatherFirst : Ad_ModulePass<"ad-gather-first"> {
  let summary = "Have maps make only the rows that are read";
  let description = [{
    Where all that reads the results of a `soac.map` is another map, which reads rows at
    indices that are data, the first map runs on the rows of its inputs at these indices,
    if they are fewer than all, which is decided when the program runs:

    ```mlir
    %ys = soac.map ins(%xs) (%x) { f }
    %zs = soac.map ins(%is) (%i) { %y = tensor.extract %ys[%i] ... }
    // becomes, for m indices and n rows
    %few = 4 m <= 3 n
    %chosen = scf.if %few { soac.map ins(%is) (%i) { %xs[%i] } } else { %xs }
    %ys = soac.map ins(%chosen) (%x) { f }
    %zs = soac.map ins(%is, soac.iota m) (%i, %k) {
      %y = tensor.extract %ys[select %few, %k, %i]
    }
    ```

    It does so for maps with inner maps or loops, which do much more than to read their
    rows. Run it when maps have been fused.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"gathered", "gathered", "Number of maps that make only what is read">
  ];
}

def AdTransposeReads : Ad_ModulePass<"ad-transpose-reads"> {
  let summary = "Have neighbouring iterations read neighbouring elements";
  let description = [{
    A read whose last index is data, as in `A[i, column]` for the entries of a sparse
    matrix, is somewhere else in memory in every iteration. If another index is the
    number of an iteration of a `soac.map` that runs again and again, an array with that
    index as the last one is made in front of all these runs and read in place of the
    array. `ad-vectorize` then loads vectors.

    It does so only for arrays that are walked over there in any case.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"copies", "copies", "Number of transposed arrays">
  ];
}

def AdStripMine : Ad_ModulePass<"ad-strip-mine"> {
  let summary = "Split annotated loops into nests that need less memory in reverse mode";
  let description = [{
    Turns every `scf.for` with the attribute `ad.strip_mine` into a nest with one
    more level per factor [FUT 4.3]. `ad-differentiate` does so by itself to the
    functions that it differentiates in reverse mode; the pass shows the result.

    *Ensures*: the same iterations in the same order, whatever the trip count.
  }];
  let statistics = [
    Statistic<"stripMined", "strip-mined", "Number of loops split">
  ];
}

def AdTileSums : Ad_ModulePass<"ad-tile-sums"> {
  let summary = "Have sums whose terms share values made in tiles";
  let description = [{
    A sum in a nest of `soac.map`, as a reduction of what a map makes or as an update of
    an accumulator, becomes a `linalg.generic` in front of the nest if each value that it
    is made of is used for several sums. `lower-contractions-to-gpu` makes kernels of
    such operations that read each value from memory once for a tile of sums [FUT 6.1].

    ```mlir
    %d = soac.map ins(%xs) (%x: tensor<?xf64>) {
      %r = soac.map ins(%ys) (%y: tensor<?xf64>) { reduce add of (x_k - y_k)^2 } ... }
    // becomes
    %d = linalg.generic: d[i, j] += (x[i, k] - y[j, k])^2
    ```

    Terms are quick arithmetic of elements of arrays, which are stored in front of the
    nest if it computes them otherwise. The number of terms may be one more than the
    number of an iteration: the terms behind it are masked. Sums that are known to have
    fewer than 8 terms stay, because they would be stored.

    Run it directly before `ad-map-to-gpu`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"sums", "sums", "Number of sums that are made in tiles">
  ];
}

def AdUnrollShort : Ad_ModulePass<"ad-unroll-short"> {
  let summary = "Have combinators compute with numbers in place of arrays of few elements";
  let description = [{
    Inside of combinators, maps, reductions, loops and elementwise operations of at most 8
    iterations, a number that is known, become straight code:

    ```mlir
    %s = soac.reduce ins(%row : tensor<3xf64>) neutral(%zero) (%a, %b) { addf %a, %b }
    // becomes
    %x = tensor.extract %row[0], ..
    %s = ((%zero + %x) + %y) + %z
    ```

    A kernel does such things in one thread anyhow. As numbers they are in registers, and the
    maps around them are simple enough to be computed again where that is better than to store,
    or to add up in many threads, what they make. What is beside other loops stays, as do updates
    of accumulators in loops.

    Run it before `ad-acc-to-reduce{for-kernels}` and `ad-map-to-gpu`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"unrolled", "unrolled", "Number of operations unrolled">
  ];
}

def AdFuseSlices : Ad_ModulePass<"ad-fuse-slices"> {
  let summary = "Make an array that is put together from parts of others at once";
  let description = [{
    Operations on the host that insert slices, take slices and compute with arrays element by
    element, each of which only another one of them needs, become one map:

    ```mlir
    %v = tensor.insert_slice %a into %u[1] [%m] [1]
    %x = tensor.extract_slice %v[2] [%m] [1]
    %y = arith.addf %x, %c
    %w = tensor.insert_slice %y into %v[2] [%m] [1]
    // becomes
    %w = soac.map ins(%is) (%i) {
      %v_i = scf.if 0 <= %i - 1 < %m { %a[%i - 1] } else { %u[%i] }
      scf.if 0 <= %i - 2 < %m { %v_i + %c[%i - 2] } else { %v_i }
    }
    ```

    That is what stencils and their derivatives are made of; each operation would be a kernel. It
    is not done where parts are inserted that leave most of the array as it is, in place: a part
    is most of it if it has at least half of the elements or, where sizes are not known, leaves
    out a border of known width. What is read at several places is computed for each of them, or
    made by itself if that is much.

    Run it after `ad-fuse-structured` and before `ad-map-to-gpu`.
  }];
  let dependentDialects = ["::ad::soac::SoacDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"fused", "fused", "Number of arrays that are made at once">
  ];
}

def AdFuseStructured : Ad_ModulePass<"ad-fuse-structured"> {
  let summary = "Run structured operations in those that read what they make element by element";
  let description = [{
    A structured operation on tensors that computes each element of its results by itself becomes
    one with an operation that reads each of these once, at any permutation of the loops: another
    such operation, or a reduction that alone reads it. What others read, too, is a result of the
    one operation. What only copies elements, such as a broadcast, is read through. Operations of
    `arith` and `math` on tensors become structured ones for that. What is made of the elements
    of a product of matrices comes right behind it, where `lower-contractions-to-gpu` makes one
    kernel of both. It is for kernels.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"fused", "fused", "Number of operations that were merged into others">
  ];
}

def AdParallelStructured : Ad_ModulePass<"ad-parallel-structured"> {
  let summary = "Give structured operations whose iterations depend on each other forms for kernels";
  let description = [{
    A structured operation on tensors that adds up, and whose iterations share elements of its
    result, as those of the derivative of a convolution with respect to its input do, becomes
    one in which each element is a sum by itself: of an input between zeros, with another one
    backwards, whose infinities make NaNs of these zeros. Other reductions, unless they are like
    products of matrices, become maps and reductions of `soac`, over neighbouring dimensions at
    once. So do reductions of what reductions of rows by the same operator give, unless something
    is computed of a row as a whole.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::ad::soac::SoacDialect", "::mlir::tensor::TensorDialect"
  ];
  let statistics = [
    Statistic<"changed", "changed", "Number of operations that got another form">
  ];
}

def AdMapToGpu : Ad_ModulePass<"ad-map-to-gpu"> {
  let summary = "Map the outermost parallel operations to threads and blocks of a GPU";
  let description = [{
    Every outermost combinator becomes one or more kernels. A kernel is an outermost
    `scf.forall`; its iterations are threads, or blocks if there are loops with the
    mapping `#gpu.thread<linear_dim_0>` inside of it:

    * A map has a thread for each row. Maps that only one other operation reads are
      computed by its threads. Where the body of a map only is another map, each of the
      rows of that one has a thread; what is simple around it is computed by each thread.
    * A map whose body has more to distribute than one map, or reductions or scans of
      scalars, has two versions if it is not known how many rows it has: where there are
      many, a row has one thread. Where there are few, each of the maps in the body is a
      kernel, and so are neighbouring reductions and each scan, where each row has a block
      if it is long. Accumulators in the
      body get a row for each iteration then, and a branch on what all rows share is in
      front of the kernels. Where maps need no more than a few numbers of each other, each is
      a kernel however many rows there are, so that neighbouring threads access neighbouring
      elements.
    * Maps in a branch of the body that only update accumulators count as maps of the body:
      each of their iterations decides whether it is in the branch, and reads what the
      branch reads behind that decision.
    * A reduction of scalars has blocks of 256 threads. Each thread combines a part of the
      elements, of which it reads four at a time if it does little with each; each subgroup
      of 32 threads combines, by `gpu.shuffle`, what these have, each block what its
      subgroups have, and one block what the blocks have. Arrays of up to 16 numbers are
      reduced as tuples of numbers, others in chunks.
    * Accumulators, and histograms with an operator that memory has, are buffers, which
      threads update by `memref.atomic_rmw`. Where there are more values than bins, the
      blocks of a histogram have bins in shared memory, all of them or one of up to four
      parts, by which they update the buffers at the end; products of blocks are rows of an array, of
      which a few threads for each bin update it. Where accumulators are small and there are many iterations,
      blocks have their own, as well. A histogram of extrema and their
      places is one of extrema and one of places. Other histograms, and scans of arrays, are
      computed in chunks.
    * A scan of numbers takes two kernels, whose subgroups have a stretch of the array each,
      and one block between them. The second one computes a map or a reduction that reads the
      results before anything else does; they are stored if something else does.
    * Of several values of a scatter for one place the last one is found first.
    * A number that kernels make for kernels, or for structured operations that are no products,
      is read by their threads, not by the host, which would wait for it; a loop carries an array of one in its place. Quick arithmetic of it
      is done again by each thread, other arithmetic by a kernel of one thread. What the host
      needs it reads late.

    What is inside of a thread stays sequential.

    *Requires*: no `ad.vjp` or `ad.jvp` is left.

    *Leaves for later*: the operations in the threads, for `lower-soac-to-loops`, and the
    kernels, for `lower-forall-to-gpu`.

    ```mlir
    %ys = scf.forall (%i) in (%n) shared_outs(%out = %empty) -> (tensor<?xf64>) {
      %x = tensor.extract %xs[%i] : tensor<?xf64>
      ...
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect",
    "::mlir::arith::ArithDialect",
    "::mlir::tensor::TensorDialect",
    "::mlir::linalg::LinalgDialect",
    "::ad::soac::SoacDialect"
  ];
  let statistics = [
    Statistic<"mapped", "mapped", "Number of operations mapped">
  ];
}

def AdParallelize : Ad_ModulePass<"ad-parallelize"> {
  let summary = "Distribute the outermost parallel operations over threads";
  let description = [{
    Every outermost `soac.map`, `reduce`, `scan`, `hist` and `with_acc`, every
    structured operation of `linalg` with an index that all outputs have, and every
    elementwise operation on tensors becomes an `scf.forall` with one iteration per
    thread, inside of which the operation works on a slice of its inputs:

    * The results of a map are shared arrays, of which each thread writes its rows.
      Where an input dies there, a result lies in its place, as it does on one thread.
    * A reduction is a reduction of what the threads' chunks are reduced to.
    * The threads fill histograms and accumulators of their own, which are combined
      in the order of the threads.
    * A scan takes two passes: what the chunks but the last combine to, then the
      chunks, in the loop of a cheap map or reduction that alone reads it.

    What `lower-soac-to-loops` does in one loop stays in one: a map is repeated for
    its readers if that is cheap, and what a map stores is reduced where it is made.
    Structured and elementwise operations that make rows of the same rows, as many as
    follow each other, are in one `scf.forall`; what else reads their results waits.

    An operation is distributed only where its estimated work, which may depend on
    sizes that are known when the program runs, is at least `min-work`, and where it
    has at least as many rows as there are threads; a branch decides, if need be.
    What is inside of an operation stays sequential. Results depend on the number of
    threads, because chunks are summed one by one, and on nothing else.

    *Requires*: no `ad.vjp` or `ad.jvp` is left. Maps that are read once should be
    fused with their reader, or be the input of one (see `ad-fuse`).

    *Leaves for later*: the operations in the loops, for `lower-soac-to-loops`, and
    the loops, for `lower-forall-to-openmp`.

    ```mlir
    // ad-parallelize{threads=2}
    %0 = scf.forall (%t) in (2) shared_outs(%out = %empty) -> (tensor<?xf64>) {
      ...
      %x = tensor.extract_slice %xs[%offset] [%size] [1]
      %y = soac.map ins(%x : tensor<?xf64>) ...
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %y into %out[%offset] [%size] [1]
      }
    }
    ```
  }];
  let options = [
    Option<"threads", "threads", "int64_t", /*default=*/"1",
           "The number of threads; with one, nothing changes">,
    Option<"minWork", "min-work", "int64_t", /*default=*/"524288",
           "The number of scalar operations from which on threads pay">
  ];
  let statistics = [
    Statistic<"split", "split", "Number of operations distributed">
  ];
}

def LowerComplexDivision : Ad_ModulePass<"lower-complex-division"> {
  let summary = "Divide complex numbers by three divisions";
  let description = [{
    Replaces `complex.div` by arithmetic, by Smith's method, with its fast-math flags except `nnan` and `ninf`, and a
    branch for quotients neither part of which is a number. In there is a `complex.div`, with the attribute
    `ad.rare`, for `convert-complex-to-standard`, whose results are the same as without this pass. It would take six
    divisions for each quotient.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::complex::ComplexDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"replaced", "replaced", "Number of operations replaced">
  ];
}

def LowerMathOps : Ad_ModulePass<"lower-math-ops"> {
  let summary = "Replace operations of math that LLVM 22 does not get right";
  let description = [{
    Replaces `math.clampf` by a minimum and a maximum, as its documentation defines it:
    `math-expand-ops` of MLIR 22 exchanges the bounds. Replaces `math.sincos` by a sine
    and a cosine: LLVM 22 crashes on vectors of it. Replaces `math.isinf` and `math.isnormal`, which upstream
    does not lower, by comparisons of the magnitude.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"replaced", "replaced", "Number of operations replaced">
  ];
}

def LowerSoacToLoops : Ad_ModulePass<"lower-soac-to-loops"> {
  let summary = "Turn array combinators into sequential loops";
  let description = [{
    Turns every combinator of the `soac` dialect into `scf.for` over tensors, in
    destination-passing style, so that one-shot bufferisation updates in place.
    `soac.iota` and `soac.replicate` become the loop counter and the value itself
    wherever a combinator reads them, and accumulators become the arrays they
    accumulate into. A map runs in the loop of its only reader, and a cheap one in
    that of each of its readers. A reduction that also finds the position of its least
    or largest element takes blocks, whose loops can be vectorised.

    *Requires*: no `ad.vjp` or `ad.jvp` is left.

    *Ensures*: no operation and no type of the `soac` dialect is left.
  }];
  let statistics = [
    Statistic<"loops", "loops", "Number of loops created">
  ];
}

def LowerSumOrder : Ad_ModulePass<"lower-sum-order"> {
  let summary = "Turn sums of columns into sums of rows";
  let description = [{
    A `soac.map` whose body is a `soac.reduce` of a `soac.map` becomes a reduction of
    rows, where that reads arrays in the order of memory. Every element is combined in
    the same order as before, so that results do not change.
  }];
  let statistics = [
    Statistic<"nests", "nests", "Number of nests put in another order">
  ];
}

def LowerArrayChoices : Ad_ModulePass<"lower-array-choices"> {
  let summary = "Turn choices between arrays into branches";
  let description = [{
    `arith.select` with one condition and two tensors becomes `scf.if`. The tensors
    may have different sizes, but upstream's `convert-elementwise-to-linalg` would
    choose element by element. `scf.index_switch` with a tensor among its results
    becomes nested `scf.if`: upstream's bufferisation does not know that two of its
    results may be one array.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"choices", "choices", "Number of choices that became branches">
  ];
}

def LowerAtomics : Ad_ModulePass<"lower-atomics"> {
  let summary = "Give atomic updates a form that the LLVM dialect can have, and no more order than they need";
  let description = [{
    Runs twice. Before the lowering to the LLVM dialect, a `memref.generic_atomic_rmw` of
    floats becomes one of integers of the same width: upstream makes a compare-and-swap of
    it, which LLVM has for integers only. The buffer is cast by
    `builtin.unrealized_conversion_cast`, which `reconcile-unrealized-casts` removes once
    both are pointers.

    After it, `llvm.cmpxchg` and `llvm.atomicrmw` in a `gpu.module` become `monotonic`:
    upstream orders all other memory around each update. If the module has an NVVM target,
    updates are atomic among the threads of the device, not of the whole system.

    ```mlir
    %bits = builtin.unrealized_conversion_cast %x : memref<?xf64> to memref<?xi64>
    %0 = memref.generic_atomic_rmw %bits[%i] : memref<?xi64> {
    ^bb0(%now: i64):
      %value = arith.bitcast %now : i64 to f64
      %next = arith.mulf %value, %factor : f64
      %next_bits = arith.bitcast %next : f64 to i64
      memref.atomic_yield %next_bits : i64
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"changed", "changed", "Number of operations changed">
  ];
}

def LowerContractions : Ad_ModulePass<"lower-contractions"> {
  let summary = "Turn contractions of buffers into calls of a matrix product";
  let description = [{
    A `linalg` operation on buffers of floats or complex numbers that multiplies two elements
    and adds the product to a third, with a loop for the rows, one for the columns and one for
    the sum, becomes a call of `ad_gemm_f32`, `ad_gemm_f64`, `ad_gemm_complex_f32` or
    `ad_gemm_complex_f64`, inside of loops over its other indices. Products of f16 and bf16 are
    added up in f32, and to the result at last, by `ad_gemm_f16`, `ad_gemm_bf16`, or by
    `ad_gemm_f16_f16_f32` and its like, which are named after both factors and the result where
    one of them is f32. The callee is given three sizes, then for both factors and the result the
    address of the first element and two strides in elements, all as `index`:
    `(m, n, k, a, a_m, a_k, b, b_k, b_n, c, c_m, c_n)`; it adds the product to the result.
    The order of the sum is the callee's. `ad-opt run` has the function; who lowers with
    `--ad-lower-to-llvm` gets loops and needs none.
  }];
  let statistics = [
    Statistic<"calls", "calls", "Number of operations that became calls">
  ];
}

def LowerContractionsToGpu : Ad_ModulePass<"lower-contractions-to-gpu"> {
  let summary = "Make kernels that work in tiles of contractions of buffers";
  let description = [{
    A `linalg` operation of the host that adds to each element of its result a function of
    an element of either input, for all values of some index that both inputs have, becomes
    a `gpu.launch`. A block makes a tile of the result of 64 x 64 or, where that is not
    half full, of 16 x 16 elements, from tiles of the inputs that it copies to shared
    memory, 16 summands at a time; a thread has 4 x 4 elements, or one. Inputs and result
    may have their dimensions in any order: neighbouring threads read along the last one.

    What an elementwise `linalg` operation makes of the result right behind it, of that and
    of other arrays, is made by the threads that have the sums, unless it would be written to
    what is read: nobody reads the sums again, or writes them if nobody else reads them.
    The same is done with a parallel loop over rows, and over columns `j < h`, whose
    iterations read the sums of a row in columns `j`, `h + j` and so on, of two or four such
    bands, as the gates of an LSTM do.

    A long sum is split where there are few tiles: parts of it go to a buffer, which a
    second kernel adds up. Where tiles would be mostly empty, the operation stays as it is,
    for a thread for each element. What is done is chosen by the sizes when the program
    runs, or here if they are static; `scf.if` has the alternatives.

    With `tensor-cores`, tiles of sums of products of two elements are made of
    `gpu.subgroup_mma_compute`, each subgroup of 32 threads some fragments, where these are
    small enough for 8 subgroups to share a tile:

    * `f64`: f64 factors and sums, in fragments of 8 x 8 x 4. Products are exact before
      they are added.
    * `tf32`: f32 factors and sums, in fragments of 16 x 16 x 8. Factors are rounded to 10
      bits of mantissa, to the nearest one, when they are put into shared memory.
    * `f16`: f16 factors, f32 sums, in fragments of 16 x 16 x 16. Products are exact.
    * `bf16`: bf16 factors, f32 sums, in fragments of 16 x 16 x 8 of TF32, of which bf16 is
      a part. Products are exact.

    Sums have another order than in loops then.

    *Requires*: the results are buffers, and where buffers are freed is decided.

    *Leaves for later*: outlining.
  }];
  let dependentDialects = [
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::arith::ArithDialect", "::mlir::ub::UBDialect", "::mlir::vector::VectorDialect"
  ];
  let options = [
    Option<"tensorCores", "tensor-cores", "std::string", /*default=*/"\"none\"",
           "What tensor cores are used for: f64, tf32, f16 and bf16, separated by commas, or none">
  ];
  let statistics = [
    Statistic<"tiled", "tiled", "Number of operations that are made in tiles">,
    Statistic<"onTensorCores", "on-tensor-cores",
              "Number of these of which large tiles are made on tensor cores">
  ];
}

def LowerFastMath : Ad_ModulePass<"lower-fast-math"> {
  let summary = "Say what may be assumed about float arithmetic";
  let description = [{
    Sets fast-math flags on every operation that has them, in addition to those that are
    there: any of LLVM's (`reassoc`, `nnan`, `ninf`, `nsz`, `arcp`, `contract`, `afn`, or
    `fast` for all), and `reductions`, with which sums and products that operators of
    `soac.reduce` and `soac.scan` are made of may be computed in any order, as if the operator were
    associative for floats, too, and those that structured operations make over their reductions. With `limited-range` (or `fast`) complex numbers are divided
    by the textbook's formula, as C's CX_LIMITED_RANGE allows. `flush-subnormals` changes nothing here: with it (or `fast`),
    `ad-opt run` and `ad-opt compile` run `lower-subnormals` for a CPU. The interpreter and the named pipelines assume
    nothing; these two commands have an option.
  }];
  let options = [
    Option<"flags", "flags", "std::string", /*default=*/"\"contract,reductions\"",
           "What may be assumed, separated by commas">
  ];
  let statistics = [
    Statistic<"changed", "changed", "Number of operations with more flags">
  ];
}

def LowerSubnormals : Ad_ModulePass<"lower-subnormals"> {
  let summary = "Let functions that C calls make zeros of results that are too small for a normal number";
  let description = [{
    Functions whose names begin with `_mlir_ciface_` set the bit of x86's register `MXCSR` for this when they are called,
    and set it back to what it was when they return. Numbers that are read are what they are: only results become zero,
    those of f64 below 2.3e-308, those of f32 below 1.2e-38. Some processors take a hundred times as long for a product
    with a subnormal number.

    *Requires*: functions are in the LLVM dialect, for x86.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let statistics = [
    Statistic<"functions", "functions", "Number of functions that do it">
  ];
}

def LowerMathToPolynomials : Ad_ModulePass<"lower-math-to-polynomials"> {
  let summary = "Compute exponentials by arithmetic where there are many of them";
  let description = [{
    Replaces `math.exp` and `math.tanh` of f32 and f64 by arithmetic: of vectors, and in
    innermost loops unless an iteration waits for them for a result of the one before. LLVM
    vectorises arithmetic; a call costs more where a loop is short, because it is made for
    each element that is left over, and because registers are saved around it. `exp` is off
    by less than 1.1 units in the last place, `tanh` by less than 3. Everything else is left for
    `lower-math-to-vector-calls`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
  let statistics = [
    Statistic<"replaced", "replaced", "Number of operations replaced">
  ];
}

def LowerMathToVectorCalls : Ad_ModulePass<"lower-math-to-vector-calls"> {
  let summary = "Call functions that the C library has for vectors, too";
  let description = [{
    A `math` operation on f32 or f64 becomes a call of the function of the C library, and
    the function is declared with the name of its variant for vectors in glibc's libmvec,
    so that LLVM vectorises loops with calls. Vector functions are off by at most 4 units
    in the last place. Operations that libmvec has no function for stay as they are.
  }];
  let options = [
    Option<"instructionSet", "instruction-set", "std::string", /*default=*/"\"avx2\"",
           "The vectors of the processor: sse4, avx2 or avx512">
  ];
  let dependentDialects = ["::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect"];
  let statistics = [
    Statistic<"calls", "calls", "Number of operations that became calls">
  ];
}

def AdVectorize : Ad_ModulePass<"ad-vectorize"> {
  let summary = "Run several iterations of outer loops at once";
  let description = [{
    Turns loops over buffers into loops over vectors where LLVM does not: loops around
    others, and loops over records or with branches. Every scalar of an iteration becomes a
    vector with a lane for each of the iterations that run at once, and so does every element
    of a buffer that is allocated in the loop. A loop is taken if its iterations write to
    places of their own, or only add to others by sums that have the flag `reassoc`; if inner
    loops and branches run alike in all of them, but for branches that can be evaluated on
    both sides; and if an estimate says that it pays. A scalar loop runs what is left, or, if
    iterations call functions, a vector fills several registers, or, with AVX-512, there are
    many arrays, one more iteration on as many registers as that needs, with a mask; if they
    have loops and may run twice, the last vector has some iterations that have run. A loop that LLVM vectorises is
    taken if it calls functions or accesses many arrays, which LLVM would have to tell apart.
    An inner loop along rows, in which sums over the lanes are added to neighbouring elements
    or each lane reads or writes a row of its own, takes as many iterations at once as a
    register has lanes, which are transposed. If a nest then computes with the rows, those of the next lanes are
    fetched meanwhile.

    Run it after bufferisation and before buffers are hoisted.
  }];
  let options = [
    Option<"instructionSet", "instruction-set", "std::string", /*default=*/"\"avx2\"",
           "The vectors of the processor: sse4, avx2 or avx512">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
  let statistics = [
    Statistic<"vectorized", "vectorized", "Number of loops that became loops over vectors">
  ];
}

def AdJoinSweeps : Ad_ModulePass<"ad-join-sweeps"> {
  let summary = "Make one loop of one that runs again and its return loop";
  let description = [{
    A sequential loop and a later loop or map of the same block that has as many iterations become one,
    if the later one needs nothing of the first, and both compute the same at some cost:

    ```
    s = for i < n, with s = 0:  s + f x[i]
    map (\i -> let j = n - 1 - i in            ==>  s = for j < n, with s = 0:
      x'[j] += g (f x[j]))  (iota n)                  y = f x[j];  x'[j] += g y;  s + y
    ```

    A map, or a loop that goes backwards and gives later iterations nothing but sums, goes forwards then, so that
    its sums are added in another order; sums of floats without the flag `contract` or `reassoc` keep theirs. Branches on one condition meet; `canonicalize` makes one of them. Run it twice,
    each time with `ad-canonicalize` and `cse` behind it, where it is decided what runs in parallel, and before
    `lower-soac-to-loops`.
  }];
  let options = [
    Option<"inKernels", "in-kernels", "bool", /*default=*/"false",
           "Only join what an iteration of a parallel loop does: what is outside of those is to "
           "become parallel itself">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"joined", "joined", "Number of loops that joined earlier ones">
  ];
}

def AdFuseLoops : Ad_ModulePass<"ad-fuse-loops"> {
  let summary = "Make one loop of neighbouring loops over the same rows";
  let description = [{
    A loop from 0 on that only accesses elements and computes, or a copy, a fill or a structured
    operation as a loop over the rows of its arrays, joins an earlier one in the same block that has as many
    iterations, if the same iteration of both accesses one element or row, and if no iteration of one
    accesses what another iteration of the other one writes to. Which places are the same or apart
    is known from the indices, seen through views, as sums of sizes and other values. Then the loops in a joint one join.
    What such a loop writes is not read from memory again in the same iteration, only the last of several
    stores to a place is kept, and buffers that nothing reads are removed with what writes to them. An array of which nothing but
    such a loop accesses a row in each iteration is replaced by a buffer for one row.

    Products with elements that are read again and again, as those of a matrix and a vector, stay structured operations, and so
    does what accesses small arrays of several dimensions, of fewer than 256 elements, alone.

    Run it on buffers after bufferisation and before `ad-vectorize`.
  }];
  let options = [
    Option<"inKernels", "in-kernels", "bool", /*default=*/"false",
           "Only join what an iteration of a parallel loop does: a copy or a fill outside of "
           "those is to become parallel itself">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"joined", "joined", "Number of loops and operations that joined earlier ones">
  ];
}

def AdFuseProducts : Ad_ModulePass<"ad-fuse-products"> {
  let summary = "Make products of matrices in blocks of rows, in the loops that read these";
  let description = [{
    A structured operation that adds up terms of two arrays or more, such as a product of
    matrices, into a buffer that is filled for it, joins the loop that reads the buffer if each
    iteration only accesses the row that has its number. The loop runs over blocks of rows, of
    about 2^19 elements and 64 rows at least, and makes each block before it reads it. In place of
    the buffer there is one for a block, which stays in the cache.

    The two are in one block, and nothing in the loop or in front of it writes to what the terms
    are made of.

    Run it on buffers after `ad-fuse-loops` and before `lower-contractions`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"fused", "fused", "Number of products that joined a loop">
  ];
}

def AdFoldBranches : Pass<"ad-fold-branches"> {
  let summary = "Replace branches of which the way is known, and drop blocks that are not reached";
  let description = [{
    A `cf.cond_br` or `cf.switch` on a constant becomes a `cf.br`, and blocks that no branch leads to go.

    Upstream's `canonicalize` does the same in the middle of other rewrites, and does not come to an end where that
    leaves a loop without an edge into it, whose number is then the sum of itself and one. In `ad-canonicalize` this
    pass does it before, and has the `soac` dialect loaded, whose patterns for slices `canonicalize` takes then.
  }];
  let dependentDialects = ["::ad::soac::SoacDialect", "::mlir::cf::ControlFlowDialect"];
  let statistics = [
    Statistic<"folded", "folded", "Number of branches replaced">
  ];
}

def AdUpliftLoops : Pass<"ad-uplift-loops"> {
  let summary = "Make scf.for of loops that count";
  let description = [{
    An `scf.while` that goes on while a number is less than a bound, and adds a positive constant to it each
    time, becomes an `scf.for`, whose number is an index: upstream's rewrite, which has no pass of its own, where
    the step is known to be positive. Run it behind `lift-cf-to-scf`, and that behind `sroa` and `mem2reg`, which
    leave nothing of variables on the stack: so loops of C become such that parallel ones are told by.

    Where the number overflows behind the last iteration, the program is taken to have none, as C has it.
    So does one that counts down to zero by ones, as loops of Fortran do; what it adds up by a constant
    beside that is computed of its number. One that tests behind each iteration tests in front of it, up to the bound or
    the second number if that is greater; a branch in front of it that only asks whether there is an iteration goes.
    It may test whether the number is the bound, if it takes all numbers to there and does not overflow.

    Indices that are computed of integers which do not overflow, as `overflow<nsw>` says, are computed of indices.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"uplifted", "uplifted", "Number of loops that became scf.for">
  ];
}

def AdHoist : Pass<"ad-hoist"> {
  let summary = "Move out of loops what is the same in every iteration, but nothing that may fail";
  let description = [{
    Upstream's `loop-invariant-code-motion` takes whatever has no effects as harmless wherever its
    operands are known. In front of a loop without iterations it may touch what is not there, `x[n - 1]`
    in front of a loop that runs `n` times, read arrays together that are equally large in iterations
    only, give an array a shape that it does not fit, or divide by zero, as `i mod n` there. So here

    * what cannot fail moves: places are constants that the type of the array has, arrays that are read
      together have sizes that their types say or are one array, divisors are not zero;
    * so does what may fail in a loop that surely runs, by its bounds, by the type of what it runs
      over, or as what an `scf.while` does first;
    * where that is not known, costly operations (loops, operations of `linalg` and `math`,
      arithmetic on whole arrays) and what they need move into a branch on whether the loop runs. Other
      reads and remainders stay: LLVM moves them, by then with what it knows of addresses;
    * what is read of a buffer of one element that the function allocates moves, if nothing in the loop
      writes to it: programs of Fortran pass bounds of loops so.

    `scf.while`, `scf.parallel` and `scf.forall` do not know before they run whether they do, so that
    what may fail stays in them.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def AdSplitLoops : Ad_ModulePass<"ad-split-loops"> {
  let summary = "Make several loops of one whose branch depends on the number of the iteration";
  let description = [{
    A loop with steps of one, without loops inside, that compares the number of its iteration with
    a value from outside and branches on the outcome, becomes a loop for each outcome, with
    bounds in place of the branch: for the rows of a triangle, for a diagonal, for a border.
    So does one that branches on the conjunction or disjunction of a value from outside with
    another one; of the two loops, one has no iterations then. A
    branch that only computes numbers stays. And so does a loop around sums whose bounds are the
    larger or the smaller of two values, of which one changes with the number: away from the
    borders of a stencil, all sums are equally long. The iterations run in the same order.

    Run it on buffers before `ad-vectorize`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"loops", "loops", "Number of loops that became several">
  ];
}

def AdReuseBuffers : Ad_ModulePass<"ad-reuse-buffers"> {
  let summary = "Keep what a loop reads in the result that it writes";
  let description = [{
    A buffer that one loop fills, and that a later recurrence reads row by row while it writes
    another buffer of as many rows, is that other buffer, where no row is read after it was
    written:

    ```
    for i < n:           p[i] = ...               for i < n:           r[i] = ...
    for i = n - 1 .. 0:  r[i] = f p[i - 1]  ==>   for i = n - 1 .. 0:  r[i] = f r[i - 1]
    ```

    So is what a scan keeps for the way back. Iterations must stay in order afterwards: run it
    after `ad-vectorize`, and before buffers are freed.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
  let statistics = [
    Statistic<"reused", "reused", "Number of buffers that are others now">
  ];
}

def AdMakeInPlace : Ad_ModulePass<"ad-make-in-place"> {
  let summary = "Make what is copied to a row of a buffer there";
  let description = [{
    An array that a block makes and copies to a row of a buffer at the end, such as the cotangent of one step
    that belongs to the cotangents of all, is in that row from the start:

    ```
    T = alloc n, m                       bytes = alloc (8 n m);  T = view bytes[0], n, m
    for t {                              for t {
      x = alloc m;  ... x ...       ==>    x = view bytes[8 m t], m;  ... x ...
      copy x, T[t]
    }                                    }
    ```

    It may be another allocation in each branch of an `scf.if`. Nothing else may use the buffer in between, or
    the array afterwards. An array that a loop carries, and copies to a row of its own in each iteration, such as a
    state that is kept for the way back, is made in that row by the iteration before; only the first iteration
    copies it. Arrays of parallel loops stay: run it on what the host does, before buffers are freed.
  }];
  let options = [
    Option<"carried", "carried", "bool", /*default=*/"true",
           "Also make what a loop carries in the row that the next iteration would copy it to: "
           "once buffers are moved out of branches, for these would be">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
  let statistics = [
    Statistic<"copies", "copies", "Number of copies that are gone">,
    Statistic<"rare", "rare", "Number of copies that are left to the first iteration of a loop">
  ];
}

def AdNoteSizes : Ad_ModulePass<"ad-note-sizes"> {
  let summary = "Note which sizes requests take for equal";
  let description = [{
    The seed of a jvp has the sizes of its argument, that of a vjp those of its result, and the shadow of
    a buffer has those of the buffer. Public functions get an attribute with the pairs of sizes of their
    arguments, and numbers, that have to be equal for the requests in them, and in what they call or
    differentiate, where what is around a request has anything to do. What is in branches, and sizes that
    are computed, are left out. `ad-check-sizes` compares what is noted.

    Run it before requests are answered, when functions have the arguments that they are going to have.
  }];
  let statistics = [
    Statistic<"noted", "noted", "Number of pairs of sizes that are noted">
  ];
}

def AdCheckSizes : Ad_ModulePass<"ad-check-sizes"> {
  let summary = "Compare sizes that have to be equal when the program runs";
  let description = [{
    Combinators, structured operations and arithmetic on arrays take sizes for equal of which types say
    nothing. Public functions compare them, as far as they are those of their arguments or are known in
    front of loops and combinators, and stop with a message that says which differ. Arrays that are read at
    the number of each iteration have to be large enough. What is in loops, combinators and branches is
    compared if these have anything to do, or are taken.

    Run it when derivatives are there and functions are inlined; seeds and shadows are compared to what they
    belong to as `ad-note-sizes` has noted it.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::cf::ControlFlowDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"compared", "compared", "Number of pairs of sizes that are compared">
  ];
}

def AdMergeBuffers : Ad_ModulePass<"ad-merge-buffers"> {
  let summary = "Allocate together what is freed together";
  let description = [{
    Buffers with one block's allocations, of which none is used before the last of them, and that
    are freed one after the other, become parts of one buffer of bytes, each aligned to 64 bytes.
    So a program asks for memory once instead of many times, and the C library, which gives back
    to the system what is free beyond a multiple of the largest buffer so far, keeps it for the next call.

    Run it after deallocation has been placed.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
  let statistics = [
    Statistic<"merged", "merged", "Number of buffers that became parts of others">
  ];
}

def AdMergeKernels : Ad_ModulePass<"ad-merge-kernels"> {
  let summary = "Launch one kernel in the place of others that do the same";
  let description = [{
    Modules of kernels whose texts are equal, but for names, become the first one of them. A
    derivative has many kernels of its primal, and every product of matrices has those for tiles of
    each size. Where a kernel has assertions, what they say where they are belongs to its text.

    Run it after kernels have been outlined.
  }];
  let statistics = [
    Statistic<"merged", "merged", "Number of modules of kernels that are gone">
  ];
}

def AdUnrollAndJam : Ad_ModulePass<"ad-unroll-and-jam"> {
  let summary = "Let several iterations of a loop share what their inner loops read";
  let description = [{
    Unrolls a loop around an innermost loop that computes sums, and makes one loop of the copies
    of what is inside, where the iterations read the same elements: each of those is loaded once
    for all of them. Of two loops that can share, the inner one is unrolled by two, the outer one
    by as much as leaves all sums in registers. What writes, and what depends on the iteration
    before, runs in turn, after what does not. A loop of single iterations runs what is left.
    If the innermost loop runs further each time, as over the rows of a triangle, two iterations
    share it as far as the first one goes.

    A loop over vectors of which each iteration adds to a row of its own, and whose inner loops read
    the same vectors for all rows, takes two iterations at once.

    Run it on buffers after `ad-vectorize`. LLVM vectorises the innermost loops.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"jammed", "jammed", "Number of loops that take several iterations at once">
  ];
}

def AdLookAhead : Ad_ModulePass<"ad-look-ahead"> {
  let summary = "Let the steps of linear recurrences not wait for each other";
  let description = [{
    Where an innermost loop carries a float from step to step by sums and products with flags
    `reassoc`, and something in it reads the values on the way, as scans do, the loop takes four
    steps at once: what these do to whatever is carried in is composed beforehand, so that the
    loop waits for one product and one sum. A loop of single steps runs what is left.

    Run it on buffers after `ad-vectorize`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"loops", "loops", "Number of loops that look ahead">
  ];
}

def LowerOwnDestinations : Ad_ModulePass<"lower-own-destinations"> {
  let summary = "Give every writer of an empty or filled tensor its own";
  let description = [{
    Repeats `tensor.empty`, and `linalg.fill` of one, in front of each operation
    that may write to the result. Two writers that share a tensor, or one inside of
    a loop that does not create it, would make bufferisation copy it. A slice of a
    filled tensor becomes a smaller filled tensor. The two branches of an `scf.if`
    that each write a result into a `tensor.empty` of their own share one: the slice that the
    result is inserted into behind the branch, if nothing else uses the array. An array of which
    each iteration of a loop updates a row of its own, and that nothing else uses, is carried
    by the loop, so that the rows are updated where they are. An array from outside that a
    loop inserts slices into, or that an iteration of `scf.while` hands to the next one, is
    copied: upstream's bufferisation would let the loop write there. What reads several slices of
    an array beside the one that its result is inserted into, as large as that, has a new array:
    in its place, all of them would be copied.

    Run it directly before bufferisation: common subexpression elimination and loop
    invariant code motion undo it.
  }];
  let dependentDialects = [
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"
  ];
  let statistics = [
    Statistic<"added", "added", "Number of destinations added">
  ];
}

def AdHoistBuffers : Pass<"ad-hoist-buffers", "::mlir::func::FuncOp"> {
  let summary = "Move allocations out of loops and branches, where nobody frees them yet";
  let description = [{
    Runs upstream's `buffer-hoisting` and `buffer-loop-hoisting` on functions in
    which no buffer is allocated in a loop or a branch that the program itself
    frees (see `keep-deallocations`): they would move what allocates and leave what
    frees.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::memref::MemRefDialect"];
}

def KeepDeallocations : Ad_ModulePass<"keep-deallocations"> {
  let summary = "Let programs free what they free";
  let description = [{
    Marks each `memref.dealloc`, and each `memref.alloc` whose buffer one may free,
    with `bufferization.manual_deallocation`, so that upstream's deallocation leaves
    them alone. What no operation of a function frees is freed for it.

    If a function frees what it did not make itself, an argument, the result of a
    call or what was on a tape, nothing is freed for the program, and private
    functions return descriptors in place of buffers (`!llvm.struct`), because
    upstream would free what calls return.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect"];
  let statistics = [
    Statistic<"kept", "kept", "Number of deallocations that were there">
  ];
}

def LowerContents : Ad_ModulePass<"lower-contents"> {
  let summary = "Read and write buffers in place of copies of what they hold";
  let description = [{
    What `bufferization.to_tensor` reads of memory that is written to later is copied by
    `bufferization.alloc_tensor`, so that arrays are values. Operations that are done before
    anything is written read memory instead. Where an array that was read is updated by
    structured operations and then written to the same buffer, and nobody else uses memory
    in between, it becomes `writable`: the update happens in the buffer.

    Comes right before bufferisation, because nothing may move reads behind writes any more.
  }];
  let statistics = [
    Statistic<"changed", "changed", "Number of reads and writes in place of copies">
  ];
}

def LowerPoison : Ad_ModulePass<"lower-poison"> {
  let summary = "Make arrays that nobody reads empty ones, and numbers 0";
  let description = [{
    `ub.poison` of a tensor type becomes a `tensor.empty`, whose unknown sizes are 0,
    and that of a number becomes 0, because memory of that size may be allocated, and
    because upstream joins a branch in a branch by `arith.andi`, which is poison where
    one condition is. `lift-cf-to-scf` makes both where a loop or a branch carries a
    value on a path that does not define it; bufferisation knows no poison.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"replaced", "replaced", "Number of values replaced">
  ];
}

def LowerDividingLoops : Pass<"lower-dividing-loops"> {
  let summary = "Keep LLVM from vectorising loops that divide integers by what is not constant";
  let description = [{
    A loop of blocks with an `llvm.udiv`, `urem`, `sdiv` or `srem` whose divisor is not constant gets the annotation
    that it is not to be vectorised, on all its edges back. Where such a division is the same in all iterations and
    in a branch, LLVM 22 computes it for the first of several iterations only, if that one takes the branch,
    and reads memory for the others at an address of which it knows nothing. There are no vectors of divisions on
    most processors.

    Run it last, on the `llvm` dialect.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let statistics = [
    Statistic<"annotated", "annotated", "Number of edges annotated">
  ];
}

def LowerMathToCalls : Ad_ModulePass<"lower-math-to-calls"> {
  let summary = "Call the C library where upstream's expansion loses digits";
  let description = [{
    `math.expm1` becomes a call of `expm1` or `expm1f`, because its upstream
    lowering, exp(x) - 1, has no correct digit for small x.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect",
                           "::mlir::vector::VectorDialect"];
  let statistics = [
    Statistic<"calls", "calls", "Number of calls created">
  ];
}

def LowerExpandShape : Ad_ModulePass<"lower-expand-shape"> {
  let summary = "Turn expand_shape of buffers into casts of their strides";
  let description = [{
    Replaces `memref.expand_shape` with several dynamic sizes in one group by
    `memref.reinterpret_cast`: `expand-strided-metadata` of LLVM 22 crashes on it.
    Run it directly before that pass.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
  let statistics = [
    Statistic<"replaced", "replaced", "Number of operations replaced">
  ];
}

def LowerAddresses : Ad_ModulePass<"lower-addresses"> {
  let summary = "Have rounded addresses point into what was allocated";
  let description = [{
    Replaces `llvm.inttoptr` of an address that was rounded up by `llvm.intr.ptrmask`.
    Upstream rounds up what `malloc` returns by way of numbers; LLVM then cannot tell arrays
    apart that it knows to be apart otherwise, compares them in front of each loop and leaves
    loops that gather elements as they are.
    Run it after `finalize-memref-to-llvm`.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let statistics = [
    Statistic<"changed", "changed", "Number of addresses changed">
  ];
}

def LowerTapes : Ad_ModulePass<"lower-tapes"> {
  let summary = "Lower tapes to arrays that grow";
  let description = [{
    Replaces the operations on `!ad.tape<...>`. A tape becomes a record with the number of
    entries, the number that there is room for, and one array for each component, whose
    room doubles when it is full. Tensors of static size are inline; those of other sizes
    are one after the other in an array, and their sizes in another one [ZYG 3.2].

    The record is on the stack if `ad.tape_create` is in the entry block of its function, or
    `ad.tape_free` is in the block of `ad.tape_create`, and if nothing but operations on
    tapes uses the handle; LLVM then keeps it in registers. Otherwise it is on the heap,
    and handles are pointers.

    A popped buffer stays on the tape if it is freed before anything may be pushed there;
    otherwise it is copied.

    *Requires*: tensors are in buffers, and it is decided where to free them.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"tapes", "tapes", "Number of tapes that are created">
  ];
}

def LowerPrivateBuffers : Ad_ModulePass<"lower-private-buffers"> {
  let summary = "Give the threads of kernels memory that they do not allocate";
  let description = [{
    What an iteration of an outermost parallel loop allocates becomes local memory
    (`memref.alloca`) if it is of static size and small. Of a larger array each thread has
    a part of one buffer, if its size is known before the loop; then the loop becomes one
    over no more than 65,536 threads, or so many as 2 GiB have room for the parts of, but
    at least 256, each of which does several iterations. A part has no bytes where it is
    known before the loop that the branch or loop around the array does not run.

    An array that a loop inside of the thread hands on from iteration to iteration is
    left to the heap.

    Where the threads of a block exchange values, and shared memory has no room for what
    the block allocates, each block has a part of one buffer, if it is known before the
    loop how large that is at most. A block whose threads exchange nothing is one thread
    then.

    *Requires*: everything is in buffers, and nothing frees them yet.
  }];
  let dependentDialects = [
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"
  ];
  let statistics = [
    Statistic<"moved", "moved", "Number of arrays that threads no longer allocate">
  ];
}

def LowerGpuToEmulation : Ad_ModulePass<"lower-gpu-to-emulation"> {
  let summary = "Lower kernels to functions that run on the CPU";
  let description = [{
    Every `gpu.func` becomes a function that takes, before its own arguments, what knows
    about the thread at hand, and every `gpu.launch_func` a call of a function
    `KERNEL.launch`. Numbers of threads and blocks, barriers and shuffles are calls of the
    functions `ad_emulate_*`; shared memory is a buffer, because blocks run one after
    the other. Matrices of subgroups become vectors of the elements that each lane has of
    them; products of such are calls, too.

    With `races`, every read and write of memory that threads may share is reported to
    `ad_emulate_access`.

    *Leaves for later*: the bodies of the functions that launch, for
    `lower-emulated-launches`.
  }];
  let dependentDialects = [
    "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect",
    "::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect"
  ];
  let options = [
    Option<"races", "races", "bool", /*default=*/"false",
           "Report every access to memory that threads may share">
  ];
  let statistics = [
    Statistic<"kernels", "kernels", "Number of kernels">
  ];
}

def LowerEmulatedLaunches : Ad_ModulePass<"lower-emulated-launches"> {
  let summary = "Give the functions that launch emulated kernels their bodies";
  let description = [{
    A function `KERNEL.launch`, which `lower-gpu-to-emulation` declared, puts its
    arguments into a structure and calls `ad_emulate_launch` with that and the address
    of a function that takes them out again and calls the kernel.

    *Requires*: all functions are in the LLVM dialect.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let statistics = [
    Statistic<"launches", "launches", "Number of functions that launch a kernel">
  ];
}

def LowerForallToGpu : Ad_ModulePass<"lower-forall-to-gpu"> {
  let summary = "Lower outermost parallel loops over buffers to kernels";
  let description = [{
    Every outermost `scf.forall` and `scf.parallel` becomes a `gpu.launch` with a thread for
    each iteration, in blocks of 256. If there are loops with the mapping
    `#gpu.thread<linear_dim_0>` inside of it, its iterations are blocks, the threads of
    which wait for each other after each of these loops; what such a block allocates is
    shared memory.

    What a thread allocates is local memory if it is small and of static size. Otherwise
    the threads have parts of one buffer, if its size is known before the kernel runs, and
    no more than 65,536 threads run, each of which does several iterations.

    Whatever else touches memory becomes a kernel of one thread, but for single loads.
    Tapes that kernels push to and pop from are in memory of the device, which threads get
    by `malloc`; others stay with the host, which keeps arrays as buffers that such a tape
    owns. Tapes of one type are at one place.

    *Requires*: everything is in buffers, and nothing frees them yet.

    *Leaves for later*: outlining, and freeing of buffers.
  }];
  let dependentDialects = [
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::func::FuncDialect",
    "::mlir::cf::ControlFlowDialect"
  ];
  let statistics = [
    Statistic<"kernels", "kernels", "Number of kernels">
  ];
}

def LowerBuffersToDevice : Ad_ModulePass<"lower-buffers-to-device"> {
  let summary = "Move buffers to the device, and copy at entries";
  let description = [{
    Kernels get buffers in memory of the device only: `memref.alloc` becomes `gpu.alloc`,
    constants are copied where a function starts, and a load by the host becomes a copy
    of the element, which waits for the kernels before it.

    A public function keeps its type: it copies arrays to the device, calls a private one,
    `@NAME.on_device`, and copies the results back, and arguments too, unless they have
    the attribute `ad.unchanged`, as `ad-map-to-gpu` gives it to tensors. With
    `arrays=device` it takes and gives arrays of the device as they are; of results
    that are one array all but the first are copied.

    Refused: variables (`memref.global` without `constant`), and arrays as arguments of
    functions without a body, which the host's libraries have.

    *Requires*: kernels are outlined, buffers freed, and `bufferization.dealloc` lowered.

    *Leaves for later*: `gpu-async-region`, `gpu-to-llvm`; `@mgpuMemcpy` is the runtime's.
  }];
  let dependentDialects = [
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect"
  ];
  let options = [
    Option<"arrays", "arrays", "std::string", /*default=*/"\"host\"",
           "Where the arrays are that entries take and give: host or device">
  ];
  let statistics = [
    Statistic<"buffers", "buffers", "Number of buffers made on the device">
  ];
}

def LowerFillsToGpu : Ad_ModulePass<"lower-fills-to-gpu"> {
  let summary = "Lower fills of whole buffers to kernels";
  let description = [{
    A `linalg.fill` of the host on a buffer whose elements lie one behind the other becomes a
    `gpu.launch` in which each thread writes 8 of them.
  }];
  let dependentDialects = [
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::arith::ArithDialect"
  ];
  let statistics = [
    Statistic<"kernels", "kernels", "Number of kernels">
  ];
}

def LowerLoopOrder : Ad_ModulePass<"lower-loop-order"> {
  let summary = "Put the loops of structured operations in an order that suits what they become";
  let description = [{
    `convert-linalg-to-parallel-loops` makes loops in the order that an operation has them: if one
    over the terms of sums is outside, it starts a kernel for each of its iterations. So operations on buffers, of the host
    alone, get another order here if they need it, as generic ones: the loops over elements are outside.

    With `along-rows` it is for `convert-linalg-to-loops`: the loop along the last dimension of most arrays is inside,
    where it can be run on vectors. Each element has the same terms in the same order either way.
  }];
  let options = [
    Option<"alongRows", "along-rows", "bool", /*default=*/"false",
           "Put the loop along the rows of most arrays inside, also of operations in kernels">
  ];
  let statistics = [
    Statistic<"reordered", "reordered", "Number of operations that got another order">
  ];
}

def LowerReductionsToLoops : Ad_ModulePass<"lower-reductions-to-loops"> {
  let summary = "Make loops of reductions of buffers that share no memory";
  let description = [{
    Structured operations on buffers that add up, or combine otherwise, elements of arrays into others that
    share no memory with them become loops, in the order of `lower-loop-order{along-rows=1}`: what a loop
    combines into one element is in a register until it ends, and what is the same in all of its iterations
    is read once. Others stay for `convert-linalg-to-loops`.

    Run it in front of `ad-merge-buffers`, which makes one buffer of several: LLVM cannot tell then that they
    share no memory.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"lowered", "lowered", "Number of reductions that became loops">
  ];
}

def LowerKernelNames : Ad_ModulePass<"lower-kernel-names"> {
  let summary = "Name kernels like their modules";
  let description = [{
    The `gpu.func` of a `gpu.module` that has only one gets the name of the module, also
    where it is launched. Outlining names all kernels of a function alike, so that profilers
    and error messages of the driver do not tell them apart. Functions in such modules have
    `_` in the place of characters that a device does not take.
  }];
  let statistics = [
    Statistic<"renamed", "renamed", "Number of kernels with another name">
  ];
}

def LowerSubgroupsToNvvm : Ad_ModulePass<"lower-subgroups-to-nvvm"> {
  let summary = "Make products of matrices that subgroups make instructions of NVIDIA's processors";
  let description = [{
    The matrices of `gpu.subgroup_mma_*` become vectors of what each thread has of them, read and
    written element by element, and products `nvvm.mma.sync`: of f64 (8 x 8 x 4), of f32 as TF32
    (16 x 16 x 8), of which the hardware leaves out 13 bits, and of f16 with sums of f32
    (16 x 16 x 16). Factors of f16, and of f32 whose summands lie side by side, are read by
    `nvgpu.ldmatrix` from memory that a block shares, where operations say that their lines begin
    at multiples of 16 bytes (`alignment`). Kernels with others are left to upstream, which makes
    `wmma`, as of all of them without this pass, with more instructions.

    *Requires*: all threads of a subgroup come to its matrices.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect", "::mlir::memref::MemRefDialect",
    "::mlir::nvgpu::NVGPUDialect", "::mlir::vector::VectorDialect"
  ];
  let statistics = [
    Statistic<"products", "products", "Number of products that were replaced">
  ];
}

def LowerRowUpdatesToNvvm : Ad_ModulePass<"lower-row-updates-to-nvvm"> {
  let summary = "Let neighbouring lanes add the rows that each of them adds to";
  let description = [{
    Where each thread of a kernel adds to the 3 to 16 elements of rows at places of its own, by
    `memref.atomic_rmw addf` in a loop, the loop writes them to shared memory, and the lanes that
    come to its end together add all of their rows, neighbours to neighbouring elements: memory
    adds as many sectors of 32 bytes a second, whatever is in them. Which lanes come together the
    hardware says (`activemask`).

    *Requires*: nobody reads the rows in that loop under another name.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::scf::SCFDialect"
  ];
  let statistics = [
    Statistic<"updates", "updates", "Number of updates that were replaced">
  ];
}

def LowerLaunchBounds : Ad_ModulePass<"lower-launch-bounds"> {
  let summary = "Let kernels have as many registers as they need";
  let description = [{
    A `gpu.func` loses the attribute `known_block_size`, which outlining gives it, and with
    it `.maxntid` in PTX, for which NVIDIA's assembler spills registers that there would be.
    Its shared memory gets `llvm.align = 16`: LLVM reads several elements of it at a time.
    Kernels with few fragments of sums get `nvvm.maxnreg`, so that two blocks run at a time.

    *Requires*: blocks have 256 threads at most, so that they fit with any number of
    registers.
  }];
  let statistics = [
    Statistic<"kernels", "kernels", "Number of kernels that had it">
  ];
}

def LowerKernelVectors : Ad_ModulePass<"lower-kernel-vectors"> {
  let summary = "Make of vectors in kernels what upstream lowers";
  let description = [{
    In a `gpu.module`, operations of `math` and `arith.remf` on vectors with several
    dimensions become the same ones on their rows, which `convert-gpu-to-nvvm` of LLVM 22
    takes. Vectors of one dimension in the memory that a block shares are read and written
    element by element, since `convert-vector-to-llvm` refuses that memory.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::vector::VectorDialect"
  ];
  let statistics = [
    Statistic<"replaced", "replaced", "Number of operations replaced">
  ];
}

def LowerKnownLayouts : Ad_ModulePass<"lower-known-layouts"> {
  let summary = "Say of what control flow carries that its buffer is row-major";
  let description = [{
    Tensors that loops and branches carry pass through `soac.row_major`, unless they may
    be slices of others. Upstream's one-shot bufferisation otherwise asks for the layout
    of each of them again and again, in time exponential in the number of loops behind
    each other.
  }];
  let dependentDialects = ["::ad::soac::SoacDialect"];
  let statistics = [
    Statistic<"known", "known", "Number of values said to be row-major">
  ];
}

def LowerStridedCasts : Ad_ModulePass<"lower-strided-casts"> {
  let summary = "Copy buffers whose rows are apart where types say that they are not";
  let description = [{
    A `memref.cast` from a type with strides to one without, with sizes that the types do not say, becomes a copy,
    unless the buffer is a slice of whole rows. Upstream's one-shot bufferisation takes the strides of the latter
    type for unknown, too; but they follow from the sizes, and copies of all bytes at once, reshapes and readers of
    results rely on that.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
  let statistics = [
    Statistic<"copied", "copied", "Number of buffers that are copied">
  ];
}

def LowerWhileOrder : Ad_ModulePass<"lower-while-order"> {
  let summary = "Let while loops hand on arrays in the order in which they carry them";
  let description = [{
    An `scf.while` hands each value to its body and to its results once, arrays at the positions at which it carries
    them, and what nothing reads last. Upstream's `lift-cf-to-scf` hands them on several times and in any order, and its
    one-shot bufferisation copies an array in each iteration that changes its position.
  }];
  let statistics = [
    Statistic<"reordered", "reordered", "Number of loops with another order">
  ];
}

def LowerAssertions : Ad_ModulePass<"lower-assertions"> {
  let summary = "Let assertions that fail say what they are and where";
  let description = [{
    A `cf.assert` of a `func.func` becomes a call of the C library's `__assert_fail`, with
    the message, the file and the line of the assertion and the name of the function, where
    the condition does not hold. Those of kernels stay what they are.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::scf::SCFDialect",
                           "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect"];
  let statistics = [
    Statistic<"lowered", "lowered", "Number of assertions lowered">
  ];
}

def LowerLaunches : Ad_ModulePass<"lower-launches"> {
  let summary = "Give each kernel a function that launches it";
  let description = [{
    A `gpu.launch_func` becomes a call of `@MODULE.KERNEL.launch`, which is not inlined.
    The arguments of the launch, which the translation to LLVM IR puts on the stack, leave
    the stack where the call ends, and LLVM has few launches at a time to schedule, which
    takes it exponentially long.

    *Requires*: launches are as `gpu-to-llvm` leaves them; others stay what they are.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::gpu::GPUDialect"];
  let statistics = [
    Statistic<"functions", "functions", "Number of functions that launch a kernel">
  ];
}

def LowerForallToOpenMP : Ad_ModulePass<"lower-forall-to-openmp"> {
  let summary = "Run the iterations of outermost scf.forall on threads";
  let description = [{
    An `scf.forall` over buffers with one dimension becomes an `omp.parallel` with a
    static `omp.wsloop`, unless it is inside of another one. Where it may have one iteration
    only, a branch leaves it as it is then. Loops inside of others and loops with more
    dimensions stay as they are, and `scf-forall-to-for` makes them sequential. With one thread
    nothing changes.

    Upstream's `convert-scf-to-openmp` wraps the body in a `memref.alloca_scope`,
    which may not have the blocks that `convert-scf-to-cf` gives it.

    *Requires*: bufferised loops, whose iterations are independent of each other.
  }];
  let options = [
    Option<"threads", "threads", "int64_t", /*default=*/"1",
           "The number of threads">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::omp::OpenMPDialect"];
  let statistics = [
    Statistic<"loops", "loops", "Number of loops that run on threads">
  ];
}

class Atl_NormalForm<string name> : Ad_ModulePass<name> {
  let statistics = [
    Statistic<"functions", "functions", "Number of functions in the form">
  ];
}

def AtlLiftLets : Atl_NormalForm<"atl-lift-lets"> {
  let summary = "Move what the tensor language binds outermost";
  let description = [{
    Values of the `atl` dialect that are used more than once, or in a deeper body
    than their own, come out of all bodies [ATL 5.1]. What depends on an index
    becomes a tensor, under the brackets that it was under, so that nothing is
    computed more often than before.

    *Requires*: functions with operations of the dialect have no others but `arith`
    and `math` on scalars, and calls.

    *Ensures*: bodies bind nothing.
  }];
}

def AtlEliminatePairs : Atl_NormalForm<"atl-eliminate-pairs"> {
  let summary = "Leave pairs at arguments and results only";
  let description = [{
    Tensors of pairs become pairs of tensors, and a value that is a pair two values
    [ATL 5.2]. Includes `atl-lift-lets`.
  }];
}

def AtlPushOutGens : Atl_NormalForm<"atl-push-out-gens"> {
  let summary = "Make generations outermost";
  let description = [{
    An access of a generated tensor becomes its element, and brackets move into
    generations [ATL 5.3]. Includes `atl-eliminate-pairs`.
  }];
}

def AtlToSsa : Atl_NormalForm<"atl-to-ssa"> {
  let summary = "Bring functions of the tensor language to Tensor SSA";
  let description = [{
    Every value is one operation on whole tensors: a constant, a guarded addition,
    a guarded function of elements, or a contraction of one or two tensors
    [ATL 5.4]. Equal operations become one. Includes `atl-push-out-gens`.
  }];
}

def AtlSimplify : Atl_NormalForm<"atl-simplify"> {
  let summary = "Simplify functions of the tensor language";
  let description = [{
    A sum over an index that its predicate fixes disappears, one over the multiples of
    a number goes over the factors, predicates lose what is known around them and
    quantifiers that always have a value, what is zero is not computed, and a tensor that is read once
    for each element, or that costs nothing, is not stored [ATL 2.1, 2.2, 4.3]. Never
    raises the cost of ATL Figure 6. Includes `atl-push-out-gens`.
  }];
}

def AtlVerifyForm : Ad_ModulePass<"atl-verify-form"> {
  let summary = "Verify that functions of the tensor language are in a normal form";
  let description = [{
    Each form has those before it: `lets-lifted`, in which bodies bind nothing
    [ATL 5.1]; `pairs-eliminated`, with pairs at inputs and outputs only [ATL 5.2];
    `gens-pushed-out`, with generations outermost, and accesses of names only
    [ATL 5.3]; `tensor-ssa` [ATL Figure 10], in which what is bound is a part of an
    input, a constant, a guarded addition, a guarded function of elements, or a
    contraction of one or two tensors. Whatever else there is is an error at the
    operation, with the rule that would change it. The order of operands, and that
    equal operations are one, are not verified.
  }];
  let options = [
    Option<"form", "form", "std::string", "\"tensor-ssa\"",
           "lets-lifted, pairs-eliminated, gens-pushed-out or tensor-ssa">
  ];
  let statistics = [
    Statistic<"functions", "functions", "Number of functions in the form">
  ];
}

def AtlCost : Ad_ModulePass<"atl-cost"> {
  let summary = "Say what functions of the tensor language cost";
  let description = [{
    The additions, multiplications and calls of scalar functions that evaluating a
    function takes [ATL Figure 6]: analysis remarks at functions, and at generations,
    sums and scalar operations in them that cost something, with all that is in
    them (`--remarks-filter-analyse=atl-cost`). An addition of zeros that brackets
    say are none costs nothing, nor does a sum of one term. A subtraction is the
    addition of a product with -1. Indices and comparisons cost nothing.

    Sizes that are not static are `n0`, `n1`, ..., in the order in which they appear:
    dynamic dimensions of arguments, and other values of type `index`. The remark
    at the function says what each is. The option `sizes` gives values to the first
    of them.

    A formula holds where no generation or sum is over nothing. It is exact where
    predicates are equations that leave indices in their ranges, disjunctions of
    such, and what is known; with sizes, all predicates are tried, up to 2^20 values
    of indices. What can be less is `at most` so much: where data decide, and where
    indices are compared and sizes are not known.

    Functions with other operations are passed over (`--remarks-filter-missed`).
  }];
  let options = [
    ListOption<"sizes", "sizes", "int64_t",
               "Values of the first dynamic sizes of each function">
  ];
  let statistics = [
    Statistic<"functions", "functions", "Number of functions">
  ];
}

def AtlSplitPairs : Pass<"atl-split-pairs", "::mlir::ModuleOp"> {
  let summary = "Pass the halves of pairs at the boundaries of functions";
  let description = [{
    Arguments and results of functions, calls, requests and `scf` operations that
    are pairs become their halves, and tensors of pairs the tensors of their halves,
    from left to right. `wrt` lists all parts of what it listed.

    *Ensures*: what `lower-atl-to-soac` requires of functions.
  }];
  let dependentDialects = ["::ad::atl::AtlDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def RaiseToAtl : Ad_ModulePass<"raise-to-atl"> {
  let summary = "Raise affine programs over tensors to the tensor language";
  let description = [{
    Operations of `linalg`, `tensor`, `arith` and `math` on tensors of f32 or f64 become
    `atl.gen`, `atl.sum` and `atl.bracket`, so that the derivative of a function that
    consists of them follows what is zero in it [ATL 6]: what a diagonal, a trace, a
    slice, a padding, a convolution or a mask costs in it is what it costs in the
    function.

    Places and conditions must be affine: sums of indices, sizes and constants times
    constants. Where several values meet they must be added up; what is there before is
    added, too. A choice is the sum of two brackets, so that what it did not choose is not read.
    Operations on whole tensors become operations on their elements [ATL 4.1], and functions
    of numbers in bodies are taken to be pure.

    *Leaves for later*: what cannot be raised, and all of it in loops and branches, stays as
    it is, with a remark (`--remarks-filter-missed=raise-to-atl`) that says why:
    elements of other types, indices and conditions that depend on data, extrema and
    products of elements, quotients and remainders of indices.
  }];
  let statistics = [
    Statistic<"raised", "raised", "Number of operations replaced">
  ];
}

def LowerAtlToSoac : Ad_ModulePass<"lower-atl-to-soac"> {
  let summary = "Lower functions of the tensor language to combinators";
  let description = [{
    Generations become `soac.map`, sums `soac.map` and `soac.reduce` over the
    indices that their predicates leave open [ATL 4.3]: an equation determines an
    index without a loop, inequalities narrow the bounds, and the tuples of a list
    that have numbers are visited once each, with `soac.hist` where they determine
    all indices of the result, which a remark says (`--remarks-filter-analyse`). A
    function that consists of the language is simplified before (see `atl-simplify`).

    *Requires*: no pairs at arguments and results of functions.

    *Ensures*: no operation of the `atl` dialect is left.
  }];
  let statistics = [
    Statistic<"functions", "functions", "Number of functions lowered">
  ];
}

#endif // AD_PASSES
