//===- PassShims.cpp - pass classes whose bodies are in Rust
//---------------===//
//
// Each pass of Passes.td becomes one extern "C" call. The Rust side is
// passes/src/lib.rs; the declarations below and there must agree.
//
//===----------------------------------------------------------------------===//

#include "Ad.h"
#include "Atl.h"
#include "Soac.h"

#include "mlir-c/IR.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace ad {
#define GEN_PASS_DECL
#include "Passes.h.inc"
#define GEN_PASS_DEF_ADDIFFERENTIATE
#define GEN_PASS_DEF_ADGENERATE
#define GEN_PASS_DEF_ADCLOSURECONVERT
#define GEN_PASS_DEF_ADCLOSURESPECIALIZE
#define GEN_PASS_DEF_ADCLOSUREELIMINATE
#define GEN_PASS_DEF_ADKEEPCUSTOMRULES
#define GEN_PASS_DEF_ADBOUNDINLINING
#define GEN_PASS_DEF_RAISETOATL
#define GEN_PASS_DEF_RAISETOSOAC
#define GEN_PASS_DEF_ADFUNCTIONSTOLOOPS
#define GEN_PASS_DEF_ADLOOPSTOFUNCTIONS
#define GEN_PASS_DEF_ADSIMPLIFY
#define GEN_PASS_DEF_ADSPECIALIZE
#define GEN_PASS_DEF_ADACCTOREDUCE
#define GEN_PASS_DEF_ATLCOST
#define GEN_PASS_DEF_ATLELIMINATEPAIRS
#define GEN_PASS_DEF_ATLLIFTLETS
#define GEN_PASS_DEF_ATLPUSHOUTGENS
#define GEN_PASS_DEF_ATLSIMPLIFY
#define GEN_PASS_DEF_ATLTOSSA
#define GEN_PASS_DEF_ATLVERIFYFORM
#define GEN_PASS_DEF_LOWERATLTOSOAC
#define GEN_PASS_DEF_ADCONTRACT
#define GEN_PASS_DEF_ADDELAYSUMS
#define GEN_PASS_DEF_ADSPLITSWEEPS
#define GEN_PASS_DEF_ADFUSE
#define GEN_PASS_DEF_ADTABULATE
#define GEN_PASS_DEF_ADGATHERFIRST
#define GEN_PASS_DEF_ADTILESUMS
#define GEN_PASS_DEF_ADFUSEPRODUCTS
#define GEN_PASS_DEF_ADFUSESLICES
#define GEN_PASS_DEF_ADUNROLLSHORT
#define GEN_PASS_DEF_ADTRANSPOSEREADS
#define GEN_PASS_DEF_ADSTRIPMINE
#define GEN_PASS_DEF_LOWERCOMPLEXDIVISION
#define GEN_PASS_DEF_LOWERMATHOPS
#define GEN_PASS_DEF_ADPARALLELIZE
#define GEN_PASS_DEF_ADMAPTOGPU
#define GEN_PASS_DEF_ADPARALLELSTRUCTURED
#define GEN_PASS_DEF_LOWERSOACTOLOOPS
#define GEN_PASS_DEF_LOWERATOMICS
#define GEN_PASS_DEF_LOWERCONTRACTIONS
#define GEN_PASS_DEF_LOWERCONTRACTIONSTOGPU
#define GEN_PASS_DEF_LOWERSUMORDER
#define GEN_PASS_DEF_LOWERARRAYCHOICES
#define GEN_PASS_DEF_LOWERFASTMATH
#define GEN_PASS_DEF_ADVECTORIZE
#define GEN_PASS_DEF_LOWERMATHTOPOLYNOMIALS
#define GEN_PASS_DEF_ADJOINSWEEPS
#define GEN_PASS_DEF_ADFUSELOOPS
#define GEN_PASS_DEF_ADFUSESTRUCTURED
#define GEN_PASS_DEF_ADSPLITLOOPS
#define GEN_PASS_DEF_ADREUSEBUFFERS
#define GEN_PASS_DEF_ADMAKEINPLACE
#define GEN_PASS_DEF_ADNOTESIZES
#define GEN_PASS_DEF_ADCHECKSIZES
#define GEN_PASS_DEF_ADMERGEBUFFERS
#define GEN_PASS_DEF_ADMERGEKERNELS
#define GEN_PASS_DEF_ADUNROLLANDJAM
#define GEN_PASS_DEF_ADLOOKAHEAD
#define GEN_PASS_DEF_LOWERMATHTOVECTORCALLS
#define GEN_PASS_DEF_LOWEROWNDESTINATIONS
#define GEN_PASS_DEF_KEEPDEALLOCATIONS
#define GEN_PASS_DEF_LOWERCONTENTS
#define GEN_PASS_DEF_LOWERPOISON
#define GEN_PASS_DEF_LOWERSUBNORMALS
#define GEN_PASS_DEF_LOWERMATHTOCALLS
#define GEN_PASS_DEF_LOWEREXPANDSHAPE
#define GEN_PASS_DEF_LOWERADDRESSES
#define GEN_PASS_DEF_LOWERTAPES
#define GEN_PASS_DEF_LOWERFORALLTOOPENMP
#define GEN_PASS_DEF_LOWERFORALLTOGPU
#define GEN_PASS_DEF_LOWERBUFFERSTODEVICE
#define GEN_PASS_DEF_LOWERFILLSTOGPU
#define GEN_PASS_DEF_LOWERKERNELNAMES
#define GEN_PASS_DEF_LOWERREDUCTIONSTOLOOPS
#define GEN_PASS_DEF_LOWERROWUPDATESTONVVM
#define GEN_PASS_DEF_LOWERLAUNCHBOUNDS
#define GEN_PASS_DEF_LOWERSUBGROUPSTONVVM
#define GEN_PASS_DEF_LOWERKERNELVECTORS
#define GEN_PASS_DEF_LOWERKNOWNLAYOUTS
#define GEN_PASS_DEF_LOWERSTRIDEDCASTS
#define GEN_PASS_DEF_LOWERWHILEORDER
#define GEN_PASS_DEF_LOWERASSERTIONS
#define GEN_PASS_DEF_LOWERLAUNCHES
#define GEN_PASS_DEF_LOWERLOOPORDER
#define GEN_PASS_DEF_LOWERPRIVATEBUFFERS
#define GEN_PASS_DEF_LOWERGPUTOEMULATION
#define GEN_PASS_DEF_LOWEREMULATEDLAUNCHES
#define GEN_PASS_DECL_ADFOLDBRANCHES // in FoldBranches.cpp
#define GEN_PASS_DECL_ADHOIST        // in Hoist.cpp
#define GEN_PASS_DECL_ADHOISTBUFFERS // in HoistBuffers.cpp
#define GEN_PASS_DECL_ADSPLITRECORDS // in AdSplitRecords.cpp
#define GEN_PASS_DECL_ADUPLIFTLOOPS  // in UpliftLoops.cpp
#define GEN_PASS_DECL_ATLSPLITPAIRS  // in AtlSplitPairs.cpp
#define GEN_PASS_DECL_LOWERDIVIDINGLOOPS // in DividingLoops.cpp
#define GEN_PASS_REGISTRATION
#include "Passes.h.inc"
} // namespace ad

//===----------------------------------------------------------------------===//
// What Rust provides. A pass returns false after it has reported an error;
// `statistics` has one counter per statistic, in the order of Passes.td.
//===----------------------------------------------------------------------===//

extern "C" {
struct AdGenerateRequest {
  MlirStringRef function, mode, name;
  int64_t const *wrt;
  intptr_t wrtCount;
};

bool ad_pass_differentiate(MlirOperation module, bool plainIeee,
                           int64_t memoryBudget, MlirStringRef residuals,
                           uint64_t *statistics);
bool ad_pass_generate(MlirOperation module, AdGenerateRequest const *options,
                      uint64_t *statistics);
bool ad_pass_closure_convert(MlirOperation module, uint64_t *statistics);
bool ad_pass_closure_specialize(MlirOperation module, uint64_t *statistics);
bool ad_pass_closure_eliminate(MlirOperation module, uint64_t *statistics);
bool ad_pass_keep_custom_rules(MlirOperation module, uint64_t *statistics);
bool ad_pass_bound_inlining(MlirOperation module, uint64_t *statistics);
bool ad_pass_raise_to_soac(MlirOperation module, bool forKernels,
                           MlirStringRef loops, uint64_t *statistics);
bool ad_pass_functions_to_loops(MlirOperation module, uint64_t *statistics);
bool ad_pass_loops_to_functions(MlirOperation module, uint64_t *statistics);
bool ad_pass_specialize(MlirOperation module, bool unrankedOnly,
                        uint64_t *statistics);
bool ad_pass_simplify(MlirOperation module, uint64_t *statistics);
bool ad_pass_atl_lift_lets(MlirOperation module, uint64_t *statistics);
bool ad_pass_atl_eliminate_pairs(MlirOperation module, uint64_t *statistics);
bool ad_pass_atl_push_out_gens(MlirOperation module, uint64_t *statistics);
bool ad_pass_atl_to_ssa(MlirOperation module, uint64_t *statistics);
bool ad_pass_atl_simplify(MlirOperation module, uint64_t *statistics);
bool ad_pass_atl_verify_form(MlirOperation module, MlirStringRef form,
                             uint64_t *statistics);
bool ad_pass_atl_cost(MlirOperation module, int64_t const *sizes,
                      intptr_t count, uint64_t *statistics);
bool ad_pass_raise_to_atl(MlirOperation module, uint64_t *statistics);
bool ad_pass_lower_atl_to_soac(MlirOperation module, uint64_t *statistics);
bool ad_pass_acc_to_reduce(MlirOperation module, bool forKernels,
                           uint64_t *statistics);
bool ad_pass_contract(MlirOperation module, uint64_t *statistics);
bool ad_pass_delay_sums(MlirOperation module, uint64_t *statistics);
bool ad_pass_split_sweeps(MlirOperation module, uint64_t *statistics);
bool ad_pass_fuse(MlirOperation module, uint64_t *statistics);
bool ad_pass_tabulate(MlirOperation module, uint64_t *statistics);
bool ad_pass_tile_sums(MlirOperation module, uint64_t *statistics);
bool ad_pass_fuse_products(MlirOperation module, uint64_t *statistics);
bool ad_pass_fuse_slices(MlirOperation module, uint64_t *statistics);
bool ad_pass_unroll_short(MlirOperation module, uint64_t *statistics);
bool ad_pass_gather_first(MlirOperation module, uint64_t *statistics);
bool ad_pass_transpose_reads(MlirOperation module, uint64_t *statistics);
bool ad_pass_strip_mine(MlirOperation module, uint64_t *statistics);
bool ad_pass_lower_complex_division(MlirOperation module,
                                    uint64_t *statistics);
bool ad_pass_lower_math_ops(MlirOperation module, uint64_t *statistics);
bool ad_pass_lower_forall_to_gpu(MlirOperation module, uint64_t *statistics);
bool ad_pass_lower_buffers_to_device(MlirOperation module, MlirStringRef arrays,
                                     uint64_t *statistics);
bool ad_pass_lower_fills_to_gpu(MlirOperation module, uint64_t *statistics);
bool ad_pass_lower_loop_order(MlirOperation module, bool alongRows,
                              uint64_t *statistics);
bool ad_pass_lower_kernel_names(MlirOperation module, uint64_t *statistics);
bool ad_pass_lower_reductions_to_loops(MlirOperation module,
                                       uint64_t *statistics);
bool ad_pass_lower_row_updates_to_nvvm(MlirOperation module, uint64_t *statistics);
bool ad_pass_lower_launch_bounds(MlirOperation module, uint64_t *statistics);
bool ad_pass_lower_subgroups_to_nvvm(MlirOperation module,
                                     uint64_t *statistics);
bool ad_pass_lower_kernel_vectors(MlirOperation module, uint64_t *statistics);
bool ad_pass_lower_assertions(MlirOperation module, uint64_t *statistics);
bool ad_pass_lower_launches(MlirOperation module, uint64_t *statistics);
bool ad_pass_lower_private_buffers(MlirOperation module, uint64_t *statistics);
bool ad_pass_lower_gpu_to_emulation(MlirOperation module, bool races,
                                    uint64_t *statistics);
bool ad_pass_lower_emulated_launches(MlirOperation module,
                                     uint64_t *statistics);
bool ad_pass_map_to_gpu(MlirOperation module, uint64_t *statistics);
bool ad_pass_fuse_structured(MlirOperation module, uint64_t *statistics);
bool ad_pass_parallel_structured(MlirOperation module, uint64_t *statistics);
bool ad_pass_parallelize(MlirOperation module, int64_t threads, int64_t minWork,
                         uint64_t *statistics);
bool ad_pass_lower_forall_to_openmp(MlirOperation module, int64_t threads,
                                    uint64_t *statistics);
bool ad_pass_lower_soac_to_loops(MlirOperation module, uint64_t *statistics);
bool ad_pass_lower_sum_order(MlirOperation module, uint64_t *statistics);
bool ad_pass_lower_known_layouts(MlirOperation module, uint64_t *statistics);
bool ad_pass_lower_strided_casts(MlirOperation module, uint64_t *statistics);
bool ad_pass_lower_while_order(MlirOperation module, uint64_t *statistics);
bool ad_pass_lower_array_choices(MlirOperation module, uint64_t *statistics);
bool ad_pass_lower_atomics(MlirOperation module, uint64_t *statistics);
bool ad_pass_lower_contractions(MlirOperation module, uint64_t *statistics);
bool ad_pass_lower_contractions_to_gpu(MlirOperation module,
                                       MlirStringRef tensorCores,
                                       uint64_t *statistics);
bool ad_pass_lower_fast_math(MlirOperation module, MlirStringRef flags,
                             uint64_t *statistics);
bool ad_pass_lower_math_to_vector_calls(MlirOperation module,
                                        MlirStringRef instructionSet,
                                        uint64_t *statistics);
bool ad_pass_vectorize(MlirOperation module, MlirStringRef instructionSet,
                       uint64_t *statistics);
bool ad_pass_join_sweeps(MlirOperation module, bool inKernels,
                         uint64_t *statistics);
bool ad_pass_fuse_loops(MlirOperation module, bool inKernels,
                        uint64_t *statistics);
bool ad_pass_split_loops(MlirOperation module, uint64_t *statistics);
bool ad_pass_reuse_buffers(MlirOperation module, uint64_t *statistics);
bool ad_pass_make_in_place(MlirOperation module, bool carried,
                           uint64_t *statistics);
bool ad_pass_note_sizes(MlirOperation module, uint64_t *statistics);
bool ad_pass_check_sizes(MlirOperation module, uint64_t *statistics);
bool ad_pass_merge_buffers(MlirOperation module, uint64_t *statistics);
bool ad_pass_merge_kernels(MlirOperation module, uint64_t *statistics);
bool ad_pass_unroll_and_jam(MlirOperation module, uint64_t *statistics);
bool ad_pass_look_ahead(MlirOperation module, uint64_t *statistics);
bool ad_pass_lower_own_destinations(MlirOperation module, uint64_t *statistics);
bool ad_pass_keep_deallocations(MlirOperation module, uint64_t *statistics);
bool ad_pass_lower_contents(MlirOperation module, uint64_t *statistics);
bool ad_pass_lower_poison(MlirOperation module, uint64_t *statistics);
bool ad_pass_lower_subnormals(MlirOperation module, uint64_t *statistics);
bool ad_pass_lower_math_to_calls(MlirOperation module, uint64_t *statistics);
bool ad_pass_lower_math_to_polynomials(MlirOperation module,
                                       uint64_t *statistics);
bool ad_pass_lower_expand_shape(MlirOperation module, uint64_t *statistics);
bool ad_pass_lower_addresses(MlirOperation module, uint64_t *statistics);
bool ad_pass_lower_tapes(MlirOperation module, uint64_t *statistics);

/// The named pipeline at a position; false past the last one.
struct AdPipeline {
  MlirStringRef name, summary, text;
};
bool ad_pipeline(intptr_t position, AdPipeline *pipeline);
}

namespace {
/// Runs a body in Rust on a module and books its statistics, whose names come
/// as "a, b, c". An LLVM that was built without statistics drops what is
/// booked, so each is an analysis remark too:
/// `--remarks-filter-analyse=ad-differentiate`.
template <typename Body, typename... Statistics>
bool runInRust(ModuleOp module, StringRef pass, Body body, StringRef names,
               Statistics &...statistics) {
  uint64_t counters[sizeof...(Statistics)] = {};
  bool succeeded = body(wrap(module.getOperation()), counters);
  uint64_t *next = counters;
  ((statistics += *next++), ...);
  for (uint64_t counter : counters) {
    auto [name, rest] = names.split(", ");
    names = rest;
    remark::analysis(module.getLoc(),
                     remark::RemarkOpts::name(name).category(pass))
        << remark::metric("count", counter);
  }
  return succeeded;
}

/// A pass without options: its name in Passes.td, its body, its statistics.
#define AD_PASS(NAME, BODY, ...)                                               \
  struct NAME##Pass : ad::impl::NAME##Base<NAME##Pass> {                       \
    void runOnOperation() override {                                           \
      if (!runInRust(getOperation(), getArgument(), BODY, #__VA_ARGS__,        \
                     __VA_ARGS__))                                             \
        signalPassFailure();                                                   \
    }                                                                          \
  };

AD_PASS(AtlLiftLets, ad_pass_atl_lift_lets, functions)
AD_PASS(AtlEliminatePairs, ad_pass_atl_eliminate_pairs, functions)
AD_PASS(AtlPushOutGens, ad_pass_atl_push_out_gens, functions)
AD_PASS(AtlToSsa, ad_pass_atl_to_ssa, functions)
AD_PASS(AtlSimplify, ad_pass_atl_simplify, functions)
AD_PASS(RaiseToAtl, ad_pass_raise_to_atl, raised)
AD_PASS(LowerAtlToSoac, ad_pass_lower_atl_to_soac, functions)
AD_PASS(AdClosureConvert, ad_pass_closure_convert, converted)
AD_PASS(AdClosureSpecialize, ad_pass_closure_specialize, changed)
AD_PASS(AdClosureEliminate, ad_pass_closure_eliminate, calls)
AD_PASS(AdKeepCustomRules, ad_pass_keep_custom_rules, kept)
AD_PASS(AdBoundInlining, ad_pass_bound_inlining, kept)
AD_PASS(AdFunctionsToLoops, ad_pass_functions_to_loops, loops)
AD_PASS(AdLoopsToFunctions, ad_pass_loops_to_functions, functions)
AD_PASS(AdSimplify, ad_pass_simplify, erased)
AD_PASS(AdContract, ad_pass_contract, contractions)
AD_PASS(AdDelaySums, ad_pass_delay_sums, delayed, joined)
AD_PASS(AdFuse, ad_pass_fuse, fused)
AD_PASS(AdTabulate, ad_pass_tabulate, tables)
AD_PASS(AdTileSums, ad_pass_tile_sums, sums)
AD_PASS(AdFuseProducts, ad_pass_fuse_products, fused)
AD_PASS(AdFuseSlices, ad_pass_fuse_slices, fused)
AD_PASS(AdUnrollShort, ad_pass_unroll_short, unrolled)
AD_PASS(AdGatherFirst, ad_pass_gather_first, gathered)
AD_PASS(AdTransposeReads, ad_pass_transpose_reads, copies)
AD_PASS(AdStripMine, ad_pass_strip_mine, stripMined)
AD_PASS(LowerComplexDivision, ad_pass_lower_complex_division, replaced)
AD_PASS(LowerMathOps, ad_pass_lower_math_ops, replaced)
AD_PASS(LowerForallToGpu, ad_pass_lower_forall_to_gpu, kernels)
AD_PASS(LowerFillsToGpu, ad_pass_lower_fills_to_gpu, kernels)
AD_PASS(LowerKernelNames, ad_pass_lower_kernel_names, renamed)
AD_PASS(LowerReductionsToLoops, ad_pass_lower_reductions_to_loops, lowered)
AD_PASS(LowerRowUpdatesToNvvm, ad_pass_lower_row_updates_to_nvvm, updates)
AD_PASS(LowerLaunchBounds, ad_pass_lower_launch_bounds, kernels)
AD_PASS(LowerSubgroupsToNvvm, ad_pass_lower_subgroups_to_nvvm, products)
AD_PASS(LowerKernelVectors, ad_pass_lower_kernel_vectors, replaced)
AD_PASS(LowerKnownLayouts, ad_pass_lower_known_layouts, known)
AD_PASS(LowerStridedCasts, ad_pass_lower_strided_casts, copied)
AD_PASS(LowerWhileOrder, ad_pass_lower_while_order, reordered)
AD_PASS(LowerAssertions, ad_pass_lower_assertions, lowered)
AD_PASS(LowerLaunches, ad_pass_lower_launches, functions)
AD_PASS(LowerPrivateBuffers, ad_pass_lower_private_buffers, moved)
AD_PASS(LowerEmulatedLaunches, ad_pass_lower_emulated_launches, launches)
AD_PASS(AdMapToGpu, ad_pass_map_to_gpu, mapped)
AD_PASS(AdFuseStructured, ad_pass_fuse_structured, fused)
AD_PASS(AdParallelStructured, ad_pass_parallel_structured, changed)
AD_PASS(LowerSoacToLoops, ad_pass_lower_soac_to_loops, loops)
AD_PASS(LowerAtomics, ad_pass_lower_atomics, changed)
AD_PASS(LowerContractions, ad_pass_lower_contractions, calls)
AD_PASS(LowerSumOrder, ad_pass_lower_sum_order, nests)
AD_PASS(LowerArrayChoices, ad_pass_lower_array_choices, choices)
AD_PASS(AdSplitLoops, ad_pass_split_loops, loops)
AD_PASS(AdReuseBuffers, ad_pass_reuse_buffers, reused)
AD_PASS(AdNoteSizes, ad_pass_note_sizes, noted)
AD_PASS(AdCheckSizes, ad_pass_check_sizes, compared)
AD_PASS(AdMergeBuffers, ad_pass_merge_buffers, merged)
AD_PASS(AdMergeKernels, ad_pass_merge_kernels, merged)
AD_PASS(AdUnrollAndJam, ad_pass_unroll_and_jam, jammed)
AD_PASS(AdLookAhead, ad_pass_look_ahead, loops)
AD_PASS(LowerOwnDestinations, ad_pass_lower_own_destinations, added)
AD_PASS(KeepDeallocations, ad_pass_keep_deallocations, kept)
AD_PASS(LowerContents, ad_pass_lower_contents, changed)
AD_PASS(LowerPoison, ad_pass_lower_poison, replaced)
AD_PASS(LowerSubnormals, ad_pass_lower_subnormals, functions)
AD_PASS(LowerMathToPolynomials, ad_pass_lower_math_to_polynomials, replaced)
AD_PASS(LowerMathToCalls, ad_pass_lower_math_to_calls, calls)
AD_PASS(LowerExpandShape, ad_pass_lower_expand_shape, replaced)
AD_PASS(LowerAddresses, ad_pass_lower_addresses, changed)
AD_PASS(LowerTapes, ad_pass_lower_tapes, tapes)

/// A pass with one option, which is a text: its name in Passes.td, its body,
/// the option, its statistics.
#define AD_TEXT_PASS(NAME, BODY, OPTION, ...)                                  \
  struct NAME##Pass : ad::impl::NAME##Base<NAME##Pass> {                       \
    using NAME##Base::NAME##Base;                                              \
    void runOnOperation() override {                                           \
      auto body = [&](MlirOperation module, uint64_t *counters) {              \
        return BODY(module, wrap(StringRef(OPTION.getValue())), counters);     \
      };                                                                       \
      if (!runInRust(getOperation(), getArgument(), body, #__VA_ARGS__,        \
                     __VA_ARGS__))                                             \
        signalPassFailure();                                                   \
    }                                                                          \
  };

AD_TEXT_PASS(AtlVerifyForm, ad_pass_atl_verify_form, form, functions)
AD_TEXT_PASS(LowerContractionsToGpu, ad_pass_lower_contractions_to_gpu,
             tensorCores, tiled, onTensorCores)
AD_TEXT_PASS(LowerBuffersToDevice, ad_pass_lower_buffers_to_device, arrays,
             buffers)
AD_TEXT_PASS(LowerFastMath, ad_pass_lower_fast_math, flags, changed)
AD_TEXT_PASS(LowerMathToVectorCalls, ad_pass_lower_math_to_vector_calls,
             instructionSet, calls)
AD_TEXT_PASS(AdVectorize, ad_pass_vectorize, instructionSet, vectorized)

struct AdDifferentiatePass
    : ad::impl::AdDifferentiateBase<AdDifferentiatePass> {
  using AdDifferentiateBase::AdDifferentiateBase;
  void runOnOperation() override {
    auto body = [&](MlirOperation module, uint64_t *counters) {
      return ad_pass_differentiate(module, plainIeee, memoryBudget,
                                   wrap(StringRef(residuals.getValue())),
                                   counters);
    };
    if (!runInRust(getOperation(), getArgument(), body,
                   "requests, functions, checkpoints", requests, functions,
                   checkpoints))
      signalPassFailure();
  }
};

/// Blocks become loops and branches by upstream's pass, in functions to split
/// only.
struct AdSplitSweepsPass : ad::impl::AdSplitSweepsBase<AdSplitSweepsPass> {
  using AdSplitSweepsBase::AdSplitSweepsBase;
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (!function->hasAttr("ad.split") || function.isExternal() ||
          function.getBody().hasOneBlock())
        continue;
      OpPassManager pipeline(func::FuncOp::getOperationName());
      pipeline.addPass(createLiftControlFlowToSCFPass());
      pipeline.addPass(createCanonicalizerPass());
      if (failed(runPipeline(pipeline, function)))
        return signalPassFailure();
    }
    if (!runInRust(getOperation(), getArgument(), ad_pass_split_sweeps,
                   "functions, residuals", functions, residuals))
      signalPassFailure();
  }
};

struct AdSpecializePass : ad::impl::AdSpecializeBase<AdSpecializePass> {
  using AdSpecializeBase::AdSpecializeBase;
  void runOnOperation() override {
    auto body = [&](MlirOperation module, uint64_t *counters) {
      return ad_pass_specialize(module, unrankedOnly, counters);
    };
    if (!runInRust(getOperation(), getArgument(), body, "copies", copies))
      signalPassFailure();
  }
};

struct AtlCostPass : ad::impl::AtlCostBase<AtlCostPass> {
  using AtlCostBase::AtlCostBase;
  void runOnOperation() override {
    SmallVector<int64_t> values(sizes.begin(), sizes.end());
    auto body = [&](MlirOperation module, uint64_t *counters) {
      return ad_pass_atl_cost(module, values.data(),
                              static_cast<intptr_t>(values.size()), counters);
    };
    if (!runInRust(getOperation(), getArgument(), body, "functions", functions))
      signalPassFailure();
  }
};

struct RaiseToSoacPass : ad::impl::RaiseToSoacBase<RaiseToSoacPass> {
  using RaiseToSoacBase::RaiseToSoacBase;
  void runOnOperation() override {
    auto body = [&](MlirOperation module, uint64_t *counters) {
      return ad_pass_raise_to_soac(module, forKernels,
                                   wrap(StringRef(loops.getValue())), counters);
    };
    if (!runInRust(getOperation(), getArgument(), body, "raised", raised))
      signalPassFailure();
  }
};

struct AdAccToReducePass : ad::impl::AdAccToReduceBase<AdAccToReducePass> {
  using AdAccToReduceBase::AdAccToReduceBase;
  void runOnOperation() override {
    auto body = [&](MlirOperation module, uint64_t *counters) {
      return ad_pass_acc_to_reduce(module, forKernels, counters);
    };
    if (!runInRust(getOperation(), getArgument(), body, "arrays", arrays))
      signalPassFailure();
  }
};

struct AdJoinSweepsPass : ad::impl::AdJoinSweepsBase<AdJoinSweepsPass> {
  using AdJoinSweepsBase::AdJoinSweepsBase;
  void runOnOperation() override {
    auto body = [&](MlirOperation module, uint64_t *counters) {
      return ad_pass_join_sweeps(module, inKernels, counters);
    };
    if (!runInRust(getOperation(), getArgument(), body, "joined", joined))
      signalPassFailure();
  }
};

struct AdMakeInPlacePass : ad::impl::AdMakeInPlaceBase<AdMakeInPlacePass> {
  using AdMakeInPlaceBase::AdMakeInPlaceBase;
  void runOnOperation() override {
    auto body = [&](MlirOperation module, uint64_t *counters) {
      return ad_pass_make_in_place(module, carried, counters);
    };
    if (!runInRust(getOperation(), getArgument(), body, "copies, rare", copies,
                   rare))
      signalPassFailure();
  }
};

struct AdFuseLoopsPass : ad::impl::AdFuseLoopsBase<AdFuseLoopsPass> {
  using AdFuseLoopsBase::AdFuseLoopsBase;
  void runOnOperation() override {
    auto body = [&](MlirOperation module, uint64_t *counters) {
      return ad_pass_fuse_loops(module, inKernels, counters);
    };
    if (!runInRust(getOperation(), getArgument(), body, "joined", joined))
      signalPassFailure();
  }
};

struct LowerLoopOrderPass : ad::impl::LowerLoopOrderBase<LowerLoopOrderPass> {
  using LowerLoopOrderBase::LowerLoopOrderBase;
  void runOnOperation() override {
    auto body = [&](MlirOperation module, uint64_t *counters) {
      return ad_pass_lower_loop_order(module, alongRows, counters);
    };
    if (!runInRust(getOperation(), getArgument(), body, "reordered", reordered))
      signalPassFailure();
  }
};

struct AdParallelizePass : ad::impl::AdParallelizeBase<AdParallelizePass> {
  using AdParallelizeBase::AdParallelizeBase;
  void runOnOperation() override {
    auto body = [&](MlirOperation module, uint64_t *counters) {
      return ad_pass_parallelize(module, threads, minWork, counters);
    };
    if (!runInRust(getOperation(), getArgument(), body, "split", split))
      signalPassFailure();
  }
};

struct LowerGpuToEmulationPass
    : ad::impl::LowerGpuToEmulationBase<LowerGpuToEmulationPass> {
  using LowerGpuToEmulationBase::LowerGpuToEmulationBase;
  void runOnOperation() override {
    auto body = [&](MlirOperation module, uint64_t *counters) {
      return ad_pass_lower_gpu_to_emulation(module, races, counters);
    };
    if (!runInRust(getOperation(), getArgument(), body, "kernels", kernels))
      signalPassFailure();
  }
};

struct LowerForallToOpenMPPass
    : ad::impl::LowerForallToOpenMPBase<LowerForallToOpenMPPass> {
  using LowerForallToOpenMPBase::LowerForallToOpenMPBase;
  void runOnOperation() override {
    auto body = [&](MlirOperation module, uint64_t *counters) {
      return ad_pass_lower_forall_to_openmp(module, threads, counters);
    };
    if (!runInRust(getOperation(), getArgument(), body, "loops", loops))
      signalPassFailure();
  }
};

struct AdGeneratePass : ad::impl::AdGenerateBase<AdGeneratePass> {
  using AdGenerateBase::AdGenerateBase;
  void runOnOperation() override {
    SmallVector<int64_t> positions(wrt.begin(), wrt.end());
    AdGenerateRequest request{
        wrap(StringRef(function.getValue())), wrap(StringRef(mode.getValue())),
        wrap(StringRef(name.getValue())), positions.data(),
        static_cast<intptr_t>(positions.size())};
    auto body = [&](MlirOperation module, uint64_t *counters) {
      return ad_pass_generate(module, &request, counters);
    };
    if (!runInRust(getOperation(), getArgument(), body, "functions", functions))
      signalPassFailure();
  }
};
} // namespace

/// Registers a pipeline that Rust describes by its text. The text is parsed
/// when the pipeline is used, because it names passes that others register.
static void registerTextualPipeline(AdPipeline pipeline) {
  std::string text = unwrap(pipeline.text).str();
  registerPassPipeline(
      unwrap(pipeline.name), unwrap(pipeline.summary),
      [text](
          OpPassManager &manager, StringRef options,
          function_ref<LogicalResult(Twine const &)> report) -> LogicalResult {
        if (!options.empty())
          return report("the pipeline has no options");
        return parsePassPipeline(text, manager);
      },
      [](function_ref<void(detail::PassOptions const &)>) {});
}

extern "C" void ad_register_passes() {
  ad::registerAdPasses();
  AdPipeline pipeline;
  for (intptr_t i = 0; ad_pipeline(i, &pipeline); ++i)
    registerTextualPipeline(pipeline);
}
