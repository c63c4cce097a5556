//! Every named pipeline, in order, with the reason for each step.
//!
//! A pipeline is text, as in `--pass-pipeline`, so that a reader can run any part
//! of it by hand and C++ needs to know nothing about it.

use ad_dialect::ir::copy_of;
use melior::{
    Context,
    ir::{Module, operation::OperationLike},
    pass::PassManager,
    utility::parse_pass_pipeline,
};

/// From a simplified program to loops over buffers, with the pass that joins loops, and passes that hoist, if any.
macro_rules! place_buffers {
    ($join:literal, $hoist:literal) => {
        concat!(
            "lift-cf-to-scf,keep-deallocations,",
            $join,
            ",ad-canonicalize,cse,lower-while-order,",
            $join,
            ",",
            "lower-math-ops,lower-sum-order,ad-canonicalize,cse,",
            "lower-soac-to-loops,ad-canonicalize,cse,",
            "resolve-ranked-shaped-type-result-dims,ad-canonicalize,cse,",
            $hoist,
            "lower-poison,lower-array-choices,",
            "func.func(convert-elementwise-to-linalg),ad-canonicalize,cse,lower-contents,",
            "lower-own-destinations,eliminate-empty-tensors,lower-known-layouts,",
            "one-shot-bufferize{bufferize-function-boundaries=1 ",
            "function-boundary-type-conversion=identity-layout-map ",
            "allow-return-allocs-from-loops=1 ",
            "unknown-type-conversion=identity-layout-map},",
            "ad-canonicalize,cse,lower-strided-casts"
        )
    };
}

/// From loops over buffers to the LLVM dialect, by `convert-to-llvm` or what else takes all dialects at once.
///
/// * Tapes come first: they have complex numbers, copies of buffers, and branches.
/// * Complex arithmetic becomes float arithmetic and `math` before `math` is lowered.
/// * `math` goes to LLVM's intrinsics where those are exact enough, else to the C library:
///   `log1p` is not approximated, and `lower-math-to-calls` comes first.
/// * Vectors come after `math`, whose calls take them apart, and before the conversion, which does not take apart those of
///   several dimensions.
/// * `memref-expand` takes `memref.reshape`, which the conversion does not.
/// * The conversion takes all other dialects at once: a size of a buffer is read from its place in a structure only
///   where the dimension is still seen to be constant. What of the `gpu` dialect is left is taken with them: upstream joins
///   blocks that differ in the buffers that they free, which are arguments of a block then.
/// * `lower-assertions` makes branches, and comes before these become blocks.
/// * `arith-expand` is for what LLVM has nothing for: it takes -0 for the larger of two zeros.
/// * `lower-addresses` comes late: what it changes is made where buffers become pointers.
/// * `lower-dividing-loops` comes last: it is for what LLVM does, and annotates edges between blocks.
/// * Memory comes from `malloc` and goes to `free`, which the JIT replaces to count.
macro_rules! buffers_to_llvm {
    ($conversion:literal) => {
        concat!(
            "lower-tapes,\
            lower-loop-order{along-rows=1},convert-linalg-to-loops,\
            func.func(scf-forall-to-for),\
            ad-canonicalize,cse,ad-hoist,\
            lower-expand-shape,\
            memref-expand,\
            expand-strided-metadata,\
            lower-affine,\
            ad-canonicalize,cse,ad-hoist,\
            lower-complex-division,convert-complex-to-standard,\
            lower-atomics,\
            lower-math-to-calls,\
            convert-math-to-funcs,\
            lower-assertions,\
            convert-scf-to-cf,\
            convert-math-to-llvm{approximate-log1p=0},\
            convert-math-to-libm,\
            func.func(lower-vector-multi-reduction),\
            convert-vector-to-llvm,",
            $conversion,
            ",arith-expand,\
            convert-arith-to-llvm,\
            reconcile-unrealized-casts,\
            lower-addresses,\
            ad-canonicalize,cse,\
            lower-dividing-loops"
        )
    };
}

/// Canonicalisation, without four things that upstream does:
///
/// * A branch in a branch becomes one on both conditions, `arith.andi a, b`, also where `b` is poison unless `a` holds, as behind
///   `lift-cf-to-scf`; then both are.
/// * What is padded, and inserted into what is filled with the same, is inserted without the padding, behind as many
///   elements as that has, also where the insertion leaves out every second one.
///
/// And to a `tensor.cast` in front of a loop:
///
/// * `scf.for` carries what the cast is of, whatever size the iterations make of it; `ad-simplify` asks for that.
/// * `scf.forall` gets the static type, also where a size is 0, behind which nothing may be inserted then, although nothing
///   would be.
///
/// The names of patterns are those of C++ types, which compilers print in two ways.
macro_rules! canonicalize_without {
    ($($pattern:literal),*) => {
        concat!(
            "canonicalize{disable-patterns='\
            (anonymous namespace)::CombineNestedIfs,\
            {anonymous}::CombineNestedIfs,\
            (anonymous namespace)::ForOpTensorCastFolder,\
            {anonymous}::ForOpTensorCastFolder,\
            (anonymous namespace)::FoldTensorCastOfOutputIntoForallOp,\
            {anonymous}::FoldTensorCastOfOutputIntoForallOp,\
            (anonymous namespace)::FoldInsertPadIntoFill,\
            {anonymous}::FoldInsertPadIntoFill",
            $(",(anonymous namespace)::", $pattern, ",{anonymous}::", $pattern,)*
            "'}"
        )
    };
}

/// A named pipeline over a module.
pub struct Pipeline {
    /// The name, which is also the flag of the driver.
    pub name: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    /// The passes, without the `builtin.module(...)` around them.
    pub text: &'static str,
}

/// All pipelines.
pub const PIPELINES: &[Pipeline] = &[
    Pipeline {
        name: "ad-canonicalize",
        summary: "Canonicalize, but let loops carry arrays whose sizes change",
        text: CANONICALIZE,
    },
    Pipeline {
        name: "ad-lift-to-loops",
        summary: "Make loops and branches of blocks, and values of variables on the stack",
        text: LIFT_TO_LOOPS,
    },
    Pipeline {
        name: "ad-inline",
        summary: "Call functions directly, and put what they do in place of calls",
        text: INLINE,
    },
    Pipeline {
        name: "ad-optimize",
        summary: "Answer all derivative requests and simplify the result",
        text: OPTIMIZE,
    },
    Pipeline {
        name: "ad-bufferize",
        summary: "Differentiate, simplify and lower to loops over buffers for the CPU",
        text: BUFFERIZE,
    },
    Pipeline {
        name: "ad-lower-to-buffers",
        summary: "The part of ad-bufferize that comes after ad-optimize",
        text: LOWER_TO_BUFFERS,
    },
    Pipeline {
        name: "ad-place-buffers",
        summary: "The part of ad-lower-to-buffers up to bufferisation",
        text: PLACE_BUFFERS,
    },
    Pipeline {
        name: "ad-place-kernel-buffers",
        summary: "The part of ad-lower-to-kernels up to bufferisation",
        text: PLACE_KERNEL_BUFFERS,
    },
    Pipeline {
        name: "ad-free-buffers",
        summary: "The part of ad-lower-to-buffers that comes after bufferisation",
        text: FREE_BUFFERS,
    },
    Pipeline {
        name: "ad-make-kernels",
        summary: "Decide what the kernels of a simplified program are",
        text: MAKE_KERNELS,
    },
    Pipeline {
        name: "ad-lower-to-kernels",
        summary: "Lower what ad-map-to-gpu leaves to kernels and their launches",
        text: LOWER_TO_KERNELS,
    },
    Pipeline {
        name: "ad-lower-to-kernel-buffers",
        summary: "The part of ad-lower-to-kernels up to lower-contractions-to-gpu",
        text: LOWER_TO_KERNEL_BUFFERS,
    },
    Pipeline {
        name: "ad-outline-kernels",
        summary: "The part of ad-lower-to-kernels between lower-contractions-to-gpu and lower-buffers-to-device",
        text: OUTLINE_KERNELS,
    },
    Pipeline {
        name: "ad-lower-kernels-to-nvvm",
        summary: "Lower kernels to the LLVM and NVVM dialects",
        text: LOWER_KERNELS_TO_NVVM,
    },
    Pipeline {
        name: "ad-lower-host-to-llvm",
        summary: "Lower what launches kernels to the LLVM dialect",
        text: LOWER_HOST_TO_LLVM,
    },
    Pipeline {
        name: "ad-lower-to-llvm",
        summary: "Differentiate, simplify and lower to the LLVM dialect for the CPU",
        text: LOWER_TO_LLVM,
    },
    Pipeline {
        name: "ad-lower-buffers-to-llvm",
        summary: "The part of ad-lower-to-llvm that comes after ad-bufferize",
        text: LOWER_BUFFERS_TO_LLVM,
    },
];

/// Finds a pipeline.
pub fn by_name(name: &str) -> Option<&'static Pipeline> {
    PIPELINES.iter().find(|pipeline| pipeline.name == name)
}

/// Runs passes or pipelines, given as in `--pass-pipeline` without the
/// `builtin.module(...)` around them, over a module. MLIR reports what is wrong with
/// the module; the error says which part failed.
pub fn run(context: &Context, module: &mut Module, passes: &str) -> Result<(), String> {
    run_by(&PassManager::new(context), module, passes)
}

/// The same for several of them in order; a module is verified behind each, and not behind each of their passes, which would
/// take about as long as these do.
pub fn run_stages(context: &Context, module: &mut Module, stages: &[String]) -> Result<(), String> {
    for passes in stages {
        let manager = PassManager::new(context);
        manager.enable_verifier(false);
        run_by(&manager, module, passes)?;
        if !module.as_operation().verify() {
            return Err(format!("what the pipeline made is not valid: {passes}"));
        }
    }
    Ok(())
}

/// Lets a manager run passes.
fn run_by(manager: &PassManager, module: &mut Module, passes: &str) -> Result<(), String> {
    crate::register();
    let text = format!("builtin.module({passes})");
    parse_pass_pipeline(manager.as_operation_pass_manager(), &text)
        .map_err(|error| error.to_string())?;
    manager.run(module).map_err(|_| "the pipeline failed".to_owned())
}

/// The same over a copy of a module.
#[allow(unsafe_code)]
pub fn run_on_copy<'c>(module: &Module<'c>, passes: &str) -> Result<Module<'c>, String> {
    let mut copy = copy_of(module).ok_or("the copy of a module is no module")?;
    let context = module.context();
    // SAFETY: what is made a reference of outlives that.
    run(unsafe { context.to_ref() }, &mut copy, passes)?;
    Ok(copy)
}

/// Canonicalisation that does not compare every two values that a loop or a branch hands on, which takes the square of their number, of which
/// there are hundreds where a loop keeps what it computes. Branches of which the way is known are folded before, by a pass that
/// leaves no loop without an edge into it, in which `canonicalize` would go on for ever.
const CANONICALIZE: &str = concat!(
    "ad-fold-branches,",
    canonicalize_without!(
        "RemoveDuplicateSuccessorInputUses",
        "SimplifyConstCondBranchPred",
        "SimplifyCondBranchFromCondBranchOnSameCondition"
    )
);

/// From blocks, as front ends for C and Fortran make them, to loops that count.
///
/// Variables on the stack are values first: what they hold hides from everybody else how loops count. Of what `lift-cf-to-scf` hands
/// on twice only one is left before loops are looked at, by a pattern that `ad-canonicalize` leaves out because it compares every two.
const LIFT_TO_LOOPS: &str = concat!(
    "func.func(sroa,mem2reg),ad-canonicalize,cse,lift-cf-to-scf,",
    canonicalize_without!(),
    ",cse,ad-uplift-loops,ad-canonicalize,cse"
);

/// From a program as it is written to one whose calls are those that requests, custom rules and recursion need.
///
/// Records become their fields first, so that functions in them are values by themselves; then functions that are values
/// become direct calls, which are inlined, too (FUT 2.1): an array that a helper function reads then adds to
/// the accumulator of its caller, where a call would return a cotangent array of its own. What the
/// requests name stays a function until they are answered;
/// so does what has a custom rule, by `ad-keep-custom-rules`, and recursion and what is too long, by `ad-bound-inlining`. Ranks must be
/// known before: functions with tensors of unknown rank are specialised first. Loops of `affine` are seen through as those
/// of `scf`.
const INLINE: &str = "\
    ad-split-records,\
    ad-closure-convert,ad-closure-specialize,ad-closure-eliminate,\
    atl-split-pairs,\
    ad-specialize{unranked-only},\
    lower-affine,\
    ad-keep-custom-rules,ad-bound-inlining,\
    inline{default-pipeline=ad-canonicalize},\
    ad-canonicalize,cse";

/// From a program with requests to the simplified program without.
///
/// What is the same in all iterations of a loop moves out of it before it is differentiated: its cotangent is then summed over
/// the iterations, and what it is made of gets one from that sum, in place of one in each iteration.
/// Which sizes requests take for equal is noted before they are gone. Derivatives are inlined, too. The first `ad-simplify`
/// splits maps inside of maps, so that `ad-hoist` takes out what several seeds share; the last
/// one takes out the rows that `ad-gather-first` chooses. Products that loops add up are found when `ad-simplify` has let
/// those that `ad-contract` makes start from what they are added to.
const OPTIMIZE: &str = "\
    ad-inline,\
    ad-hoist,ad-canonicalize,cse,\
    ad-note-sizes,ad-differentiate,\
    lower-atl-to-soac,\
    ad-bound-inlining,\
    inline{default-pipeline=ad-canonicalize},\
    ad-canonicalize,cse,\
    ad-simplify,\
    ad-canonicalize,cse,\
    ad-hoist,\
    ad-acc-to-reduce,\
    ad-canonicalize,cse,\
    ad-simplify,\
    ad-canonicalize,cse,\
    ad-hoist,\
    ad-simplify,\
    ad-canonicalize,cse,\
    ad-contract,\
    ad-canonicalize,cse,\
    ad-simplify,\
    ad-canonicalize,cse,\
    ad-delay-sums,\
    ad-canonicalize,cse,\
    ad-split-sweeps,\
    ad-fuse,\
    ad-canonicalize,cse,\
    ad-tabulate,ad-gather-first,ad-transpose-reads,\
    ad-canonicalize,cse,\
    ad-hoist,\
    symbol-dce";

/// From a program with requests to loops over buffers.
const BUFFERIZE: &str = "ad-optimize,ad-lower-to-buffers";

/// From a simplified program to loops over buffers, with every buffer freed.
const LOWER_TO_BUFFERS: &str = "ad-place-buffers,ad-free-buffers";

/// From a simplified program to loops over buffers.
///
/// * Blocks become loops and branches, because buffers are freed in such only. What cannot be lifted stays.
/// * Loops that run again and return loops are joined when it is decided what runs in parallel. When the outer ones are
///   one, branches in them can be, and then loops in those.
/// * What a program frees itself is known before bufferisation allocates anything.
/// * `lower-poison` comes directly before `convert-elementwise-to-linalg`, which takes both values of an `arith.select` for
///   equally large: what is chosen instead of poison has been folded away by then.
/// * Sizes of slices are resolved and hoisted, so that loops that run over the same size show it.
/// * What `lift-cf-to-scf` hands on twice shows after canonicalisation, and what `lower-while-order` leaves unread goes with
///   the next one.
/// * `lower-own-destinations` comes after all hoisting and sharing, which it undoes for what is
///   written to; then `eliminate-empty-tensors` puts results where they are going.
/// * Functions take and return buffers with the identity layout, and a loop may carry a new buffer:
///   copying it back would cost as much as the loop.
/// * What is neither an argument nor a part of another buffer is a new buffer, which has the identity
///   layout, too: without `unknown-type-conversion` the result of an `scf.if` that yields new buffers
///   would be copied in order to be returned. `lower-strided-casts` copies what is no such buffer, but was taken for one.
const PLACE_BUFFERS: &str = place_buffers!("ad-join-sweeps", "ad-hoist,");

/// The same for kernels, out of which nothing may move: what the one iteration of a kernel does would be done by the
/// host.
const PLACE_KERNEL_BUFFERS: &str = place_buffers!("ad-join-sweeps{in-kernels=1}", "");

/// Hoists buffers and frees them.
///
/// * Buffers are hoisted before anything frees them.
/// * Ownership-based deallocation: callers own results, callees never own arguments.
const FREE_BUFFERS: &str = "\
    func.func(ad-hoist-buffers),\
    buffer-deallocation-pipeline,\
    convert-bufferization-to-memref,\
    ad-canonicalize,cse";

/// From a simplified program to parallel loops over tensors, which are going to be kernels.
///
/// * What parallel operations of upstream are raised to comes first; then structured ones run in each other, before their
///   reductions become those of `soac`, which are mapped like others. In between, what slices are put together of is one.
/// * Sums that tiles share come next, while nests are whole.
/// * Sums in place of what many threads would add to the same places, of numbers where arrays have few elements; sums over
///   the same are one.
/// * What depends on nothing but sizes moves out of maps, which are distributed if they know the sizes of what they make.
const MAKE_KERNELS: &str = "\
    raise-to-soac{for-kernels=1},ad-fuse-structured,ad-canonicalize,cse,\
    ad-fuse-slices,ad-canonicalize,cse,\
    ad-parallel-structured,ad-canonicalize,cse,\
    ad-tile-sums,ad-canonicalize,cse,\
    ad-unroll-short,ad-canonicalize,cse,\
    ad-acc-to-reduce{for-kernels=1},ad-canonicalize,cse,ad-fuse,ad-canonicalize,cse,\
    ad-unroll-short,ad-canonicalize,cse,ad-fuse,ad-canonicalize,cse,\
    ad-hoist,ad-map-to-gpu";

/// From parallel loops over tensors to kernels over buffers, with their launches.
///
/// * Contractions become launches before all other structured operations become loops; their buffers for parts of sums
///   are made, and freed, after it was decided where to free others.
/// * Who wants tensor cores, or entries with arrays on the device, runs the parts of this with options of the passes
///   between them.
const LOWER_TO_KERNELS: &str = "ad-lower-to-kernel-buffers,lower-contractions-to-gpu,ad-outline-kernels,lower-buffers-to-device";

/// From parallel loops over tensors to parallel loops over buffers, with every buffer freed.
///
/// * What an iteration of a loop makes and copies is made in place as long as it is seen that it begins with nothing, before
///   it is allocated in front of the loop.
/// * What threads allocate is dealt with before anything is freed, and where to free is decided before there are
///   launches, which the analysis of ownership does not know. The host alone does it, so that it is lowered at the end.
const LOWER_TO_KERNEL_BUFFERS: &str = "\
    ad-place-kernel-buffers,\
    ad-fuse-loops{in-kernels=1},ad-canonicalize,cse,\
    ad-split-loops,ad-canonicalize,cse,\
    lower-private-buffers,\
    ad-make-in-place{carried=0},func.func(ad-hoist-buffers),ad-make-in-place,\
    expand-realloc,ad-canonicalize,\
    ownership-based-buffer-deallocation,ad-canonicalize,\
    buffer-deallocation-simplification,ad-canonicalize,cse";

/// From parallel loops over buffers to kernels, with their launches.
///
/// * Kernels of contractions are outlined, and merged where they are equal, before anything else is done to them: there are
///   many for each contraction.
/// * Loops and accesses of `affine` become those of `scf` and `memref`, which kernels are made of.
/// * Loops over terms go inside of those over elements: outside, each of their iterations would be a launch.
/// * Index computations and constants are sunk into kernels, so that they are no arguments.
/// * Without a data layout, LLVM aligns 64-bit integers of NVIDIA's processors to 4 bytes.
/// * Equal kernels are merged again when all are there.
const OUTLINE_KERNELS: &str = "\
    gpu-launch-sink-index-computations,\
    gpu-kernel-outlining{data-layout-str='#dlti.dl_spec<i64 = dense<64> : vector<2xi64>>'},ad-merge-kernels,\
    lower-fills-to-gpu,lower-loop-order,convert-linalg-to-parallel-loops,lower-affine,\
    lower-forall-to-gpu,\
    ad-canonicalize,cse,ad-hoist,\
    gpu-launch-sink-index-computations,\
    gpu-kernel-outlining{data-layout-str='#dlti.dl_spec<i64 = dense<64> : vector<2xi64>>'},\
    lower-kernel-names,ad-merge-kernels,symbol-dce,bufferization-lower-deallocations,cse,ad-canonicalize";

/// From kernels to the LLVM and NVVM dialects; the host is left as it is.
///
/// * Complex arithmetic becomes float arithmetic and `math` before `math` is lowered.
/// * `expand-strided-metadata` and `lower-affine` turn slices into arithmetic, without which casts are left over.
/// * `lower-kernel-vectors` and `lower-expand-shape` take what `convert-gpu-to-nvvm` refuses and
///   `expand-strided-metadata` would crash on.
/// * `convert-vector-to-llvm` takes vectors of several dimensions apart, which `convert-gpu-to-nvvm` does not.
/// * `convert-gpu-to-nvvm` takes of `math` what libdevice has, and `convert-math-to-llvm` what is left; before it, `exp`
///   would become an intrinsic that the back end does not have.
/// * `lower-row-updates-to-nvvm` comes before `lower-launch-bounds`, which takes away how many threads a block has.
/// * The first `lower-atomics` gives floats a form that LLVM has, the second one takes off fences.
const LOWER_KERNELS_TO_NVVM: &str = "\
    lower-row-updates-to-nvvm,lower-launch-bounds,lower-subgroups-to-nvvm,\
    lower-complex-division,gpu.module(convert-complex-to-standard),lower-math-ops,lower-kernel-vectors,lower-atomics,lower-expand-shape,\
    gpu.module(\
        expand-strided-metadata,lower-affine,convert-scf-to-cf,convert-vector-to-llvm,\
        convert-nvgpu-to-nvvm,convert-gpu-to-nvvm{index-bitwidth=64},convert-math-to-llvm,\
        canonicalize,cse,reconcile-unrealized-casts),\
    lower-atomics";

/// From a program with requests to the LLVM dialect.
const LOWER_TO_LLVM: &str = "ad-bufferize,ad-lower-buffers-to-llvm";

/// From loops over buffers to the LLVM dialect.
const LOWER_BUFFERS_TO_LLVM: &str = buffers_to_llvm!("convert-to-llvm");

/// From functions that launch kernels to the LLVM dialect; kernels are lowered before.
///
/// * `gpu-to-llvm` takes operations with tokens only, which `gpu-async-region` gives them.
const LOWER_HOST_TO_LLVM: &str =
    concat!("func.func(gpu-async-region),", buffers_to_llvm!("gpu-to-llvm"), ",lower-launches");
