//! The passes of ad-opt: the list of them and the boundary to C++, nothing else.
//!
//! `td/Passes.td` declares every pass, and `cpp/PassShims.cpp` makes each a call of
//! one function here. No panic crosses: it is reported as an internal error at the
//! operation that the pass runs on, and fails the pass.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::todo,
    clippy::unimplemented,
    clippy::get_unwrap
)]

pub mod acc_to_reduce;
pub mod ad;
pub mod atl;
pub mod check_sizes;
pub mod checkpoint;
pub mod contract;
pub mod delay_sums;
pub mod fuse;
pub mod fuse_loops;
pub mod fuse_products;
pub mod fuse_slices;
pub mod fuse_structured;
pub mod gather_first;
pub mod graph_form;
pub mod infer;
pub mod inlining;
pub mod jam;
pub mod join_sweeps;
pub mod look_ahead;
pub mod lower;
pub mod make_in_place;
pub mod map_to_gpu;
pub mod merge_buffers;
pub mod merge_kernels;
pub mod parallel_structured;
pub mod parallelize;
pub mod pipeline;
pub mod raise;
pub mod reuse_buffers;
pub mod simplify;
pub mod split_loops;
#[allow(unsafe_code)]
pub mod support;
pub mod tabulate;
pub mod tile_sums;
pub mod transpose_reads;
pub mod unroll_short;
#[allow(unsafe_code)]
pub mod vectorize;

use std::{
    cell::Cell,
    panic::{self, AssertUnwindSafe},
    sync::Once,
};

use ad_dialect::ir::Op;
use melior::{Context, StringRef, ir::operation::OperationLike};
use mlir_sys as sys;

use support::diag::{self, Result};

#[allow(unsafe_code)]
unsafe extern "C" {
    fn ad_register_passes();
}

/// For C and C++: registers our passes and pipelines; further calls do nothing.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn ad_register_all_passes() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        keep_panics_quiet();
        // SAFETY: the registry of passes is only changed here and in `main`.
        unsafe { ad_register_passes() }
    });
}

/// Registers all upstream passes, our passes and our pipelines; further calls do nothing.
pub fn register() {
    melior::utility::register_all_passes();
    ad_register_all_passes();
}

/// Refuses an option of a pass that is less than it may be.
fn at_least(least: i64, module: Op<'_>, name: &str, value: i64) -> Result<()> {
    if value < least {
        return Err(support::diag::error(
            module,
            &format!("option {name}={value} is less than {least}"),
        ));
    }
    Ok(())
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_differentiate(
    module: sys::MlirOperation,
    plain_ieee: bool,
    memory_budget: i64,
    residuals: sys::MlirStringRef,
    statistics: *mut u64,
) -> bool {
    run(module, statistics, |context, module, [requests, functions, checkpoints]| {
        let mut found = ad::Statistics::default();
        at_least(0, module, "memory-budget", memory_budget)?;
        let memory_budget = (memory_budget > 0).then_some(memory_budget as u64);
        // SAFETY: PassShims.cpp passes a text that outlives the call.
        let residuals = unsafe { text(residuals) };
        let residuals = ad::Residuals::by_name(module, residuals)?;
        let options = ad::Options { plain_ieee, memory_budget, residuals };
        let result = ad::differentiate(context, module, &options, &mut found);
        (*requests, *functions, *checkpoints) =
            (found.requests, found.functions, found.checkpoints);
        result
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_closure_convert(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [converted]| {
        *converted = ad::closure::convert(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_closure_specialize(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [changed]| {
        *changed = ad::closure::specialize(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_closure_eliminate(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [calls]| {
        *calls = ad::closure::eliminate(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_keep_custom_rules(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [kept]| {
        *kept = ad::custom::keep(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_bound_inlining(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [kept]| {
        *kept = inlining::bound(context, module);
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_raise_to_soac(
    module: sys::MlirOperation,
    for_kernels: bool,
    loops: sys::MlirStringRef,
    statistics: *mut u64,
) -> bool {
    run(module, statistics, |context, module, [raised]| {
        let outermost = || lower::forall_to_gpu::outermost_on_host(module);
        // SAFETY: the text is valid during the call.
        let loops = raise::of_loops(module, unsafe { text(loops) })?;
        if let Some(purpose) = loops {
            raise::reads::raise(context, outermost(), true);
            *raised = raise::raise_among(context, &outermost, &[purpose])?;
        }
        if for_kernels {
            *raised += raise::buffers::raise_on_host(context, module)
                + raise::raise_among(context, &outermost, &[raise::Purpose::Kernels])?;
        } else if loops.is_none() {
            *raised = raise::raise(context, module, raise::DERIVATIVES)?;
        }
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_loops_to_functions(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [functions]| {
        *functions = graph_form::to_functions::to_functions(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_functions_to_loops(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [loops]| {
        *loops = graph_form::to_loops::to_loops(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_specialize(
    module: sys::MlirOperation,
    unranked_only: bool,
    statistics: *mut u64,
) -> bool {
    run(module, statistics, |context, module, [copies]| {
        *copies = infer::specialize(context, module, unranked_only)?;
        Ok(())
    })
}

/// The options of `ad-generate`, as `PassShims.cpp` passes them.
#[repr(C)]
struct GenerateRequest {
    function: sys::MlirStringRef,
    mode: sys::MlirStringRef,
    name: sys::MlirStringRef,
    wrt: *const i64,
    wrt_count: isize,
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_generate(
    module: sys::MlirOperation,
    request: *const GenerateRequest,
    statistics: *mut u64,
) -> bool {
    run(module, statistics, |context, module, [functions]| {
        // SAFETY: PassShims.cpp passes a request whose parts outlive the call.
        let options = unsafe {
            let request = &*request;
            let wrt = match request.wrt_count {
                0 => &[],
                count => std::slice::from_raw_parts(request.wrt, count as usize),
            };
            ad::generate::Options {
                function: text(request.function),
                mode: text(request.mode),
                name: text(request.name),
                wrt,
            }
        };
        ad::generate::generate(context, module, &options)?;
        *functions = 1;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_simplify(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [erased]| {
        *erased = simplify::simplify(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_atl_lift_lets(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    normalise(module, statistics, atl::Form::LetsLifted)
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_atl_eliminate_pairs(
    module: sys::MlirOperation,
    statistics: *mut u64,
) -> bool {
    normalise(module, statistics, atl::Form::PairsEliminated)
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_atl_push_out_gens(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    normalise(module, statistics, atl::Form::GensPushedOut)
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_atl_to_ssa(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    normalise(module, statistics, atl::Form::TensorSsa)
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_atl_simplify(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    normalise(module, statistics, atl::Form::Simplified)
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_atl_verify_form(
    module: sys::MlirOperation,
    form: sys::MlirStringRef,
    statistics: *mut u64,
) -> bool {
    run(module, statistics, |_, module, [functions]| {
        // SAFETY: PassShims.cpp passes a text that outlives the call.
        let form = unsafe { text(form) };
        *functions = atl::verify::verify(module, form)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_atl_cost(
    module: sys::MlirOperation,
    sizes: *const i64,
    count: isize,
    statistics: *mut u64,
) -> bool {
    run(module, statistics, |_, module, [functions]| {
        let sizes = match count {
            0 => &[],
            // SAFETY: PassShims.cpp passes an array of that length that outlives the call.
            count => unsafe { std::slice::from_raw_parts(sizes, count as usize) },
        };
        *functions = atl::cost::report(module, sizes);
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_raise_to_atl(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [raised]| {
        *raised = atl::raise::raise(context, module);
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_atl_to_soac(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [functions]| {
        *functions = atl::lower::lower(context, module)?;
        Ok(())
    })
}

fn normalise(module: sys::MlirOperation, statistics: *mut u64, form: atl::Form) -> bool {
    run(module, statistics, |context, module, [functions]| {
        *functions = atl::normalise(context, module, form)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_acc_to_reduce(
    module: sys::MlirOperation,
    for_kernels: bool,
    statistics: *mut u64,
) -> bool {
    use acc_to_reduce::Repeats;
    run(module, statistics, |context, module, [arrays]| {
        let repeats = if for_kernels { Repeats::Numbers } else { Repeats::Little };
        *arrays = acc_to_reduce::run(context, module, repeats)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_contract(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [contractions]| {
        *contractions = contract::run(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_delay_sums(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [delayed, joined]| {
        (*delayed, *joined) = delay_sums::run(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_split_sweeps(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [functions, residuals]| {
        (*functions, *residuals) = ad::split_sweeps::run(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_fuse(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [fused]| {
        *fused = fuse::run(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_tabulate(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [tables]| {
        *tables = tabulate::run(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_tile_sums(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [sums]| {
        *sums = tile_sums::run(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_unroll_short(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [unrolled]| {
        *unrolled = unroll_short::run(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_fuse_products(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [fused]| {
        *fused = fuse_products::run(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_fuse_slices(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [fused]| {
        *fused = fuse_slices::run(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_gather_first(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [gathered]| {
        *gathered = gather_first::run(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_transpose_reads(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [copies]| {
        *copies = transpose_reads::run(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_strip_mine(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [split]| {
        *split = checkpoint::strip_mine::run(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_forall_to_gpu(
    module: sys::MlirOperation,
    statistics: *mut u64,
) -> bool {
    run(module, statistics, |context, module, [kernels]| {
        *kernels = lower::forall_to_gpu::lower(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_buffers_to_device(
    module: sys::MlirOperation,
    arrays: sys::MlirStringRef,
    statistics: *mut u64,
) -> bool {
    run(module, statistics, |context, module, [buffers]| {
        // SAFETY: PassShims.cpp passes a text that outlives the call.
        let arrays = unsafe { text(arrays) };
        *buffers = lower::buffers_to_device::lower(context, module, arrays)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_fills_to_gpu(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [kernels]| {
        *kernels = lower::fills_to_gpu::run(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_loop_order(
    module: sys::MlirOperation,
    along_rows: bool,
    statistics: *mut u64,
) -> bool {
    run(module, statistics, |context, module, [reordered]| {
        *reordered = lower::loop_order::lower(context, module, along_rows)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_reductions_to_loops(
    module: sys::MlirOperation,
    statistics: *mut u64,
) -> bool {
    run(module, statistics, |context, module, [lowered]| {
        *lowered = lower::reductions_to_loops::lower(context, module);
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_kernel_names(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [renamed]| {
        *renamed = lower::kernel_names::run(context, module);
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_subgroups_to_nvvm(
    module: sys::MlirOperation,
    statistics: *mut u64,
) -> bool {
    run(module, statistics, |context, module, [products]| {
        *products = lower::subgroups_to_nvvm::run(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_row_updates_to_nvvm(
    module: sys::MlirOperation,
    statistics: *mut u64,
) -> bool {
    run(module, statistics, |context, module, [updates]| {
        *updates = lower::row_updates_to_nvvm::run(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_launch_bounds(
    module: sys::MlirOperation,
    statistics: *mut u64,
) -> bool {
    run(module, statistics, |context, module, [kernels]| {
        *kernels = lower::launch_bounds::run(context, module);
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_kernel_vectors(
    module: sys::MlirOperation,
    statistics: *mut u64,
) -> bool {
    run(module, statistics, |context, module, [replaced]| {
        *replaced = lower::kernel_vectors::run(context, module);
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_assertions(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [lowered]| {
        *lowered = lower::assertions::run(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_launches(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [functions]| {
        *functions = lower::launches::run(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_private_buffers(
    module: sys::MlirOperation,
    statistics: *mut u64,
) -> bool {
    run(module, statistics, |context, module, [moved]| {
        *moved = lower::private_buffers::run(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_gpu_to_emulation(
    module: sys::MlirOperation,
    races: bool,
    statistics: *mut u64,
) -> bool {
    run(module, statistics, |context, module, [kernels]| {
        *kernels = lower::emulate::lower(context, module, races)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_emulated_launches(
    module: sys::MlirOperation,
    statistics: *mut u64,
) -> bool {
    run(module, statistics, |context, module, [launches]| {
        *launches = lower::emulate::lower_launches(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_parallel_structured(
    module: sys::MlirOperation,
    statistics: *mut u64,
) -> bool {
    run(module, statistics, |context, module, [changed]| {
        *changed = parallel_structured::run(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_fuse_structured(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [fused]| {
        *fused = fuse_structured::run(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_map_to_gpu(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [mapped]| {
        *mapped = map_to_gpu::run(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_parallelize(
    module: sys::MlirOperation,
    threads: i64,
    min_work: i64,
    statistics: *mut u64,
) -> bool {
    run(module, statistics, |context, module, [split]| {
        at_least(1, module, "threads", threads)?;
        at_least(0, module, "min-work", min_work)?;
        *split = parallelize::run(context, module, parallelize::Options { threads, min_work })?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_forall_to_openmp(
    module: sys::MlirOperation,
    threads: i64,
    statistics: *mut u64,
) -> bool {
    run(module, statistics, |context, module, [loops]| {
        at_least(1, module, "threads", threads)?;
        *loops = lower::forall_to_openmp::lower(context, module, threads);
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_soac_to_loops(
    module: sys::MlirOperation,
    statistics: *mut u64,
) -> bool {
    run(module, statistics, |context, module, [loops]| {
        *loops = lower::soac_to_loops::lower(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_complex_division(
    module: sys::MlirOperation,
    statistics: *mut u64,
) -> bool {
    run(module, statistics, |context, module, [replaced]| {
        *replaced = lower::complex_division::lower(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_math_ops(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [replaced]| {
        *replaced = lower::math_ops::lower(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_atomics(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [changed]| {
        *changed = lower::atomics::run(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_contractions(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [calls]| {
        *calls = lower::contractions::run(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_contractions_to_gpu(
    module: sys::MlirOperation,
    tensor_cores: sys::MlirStringRef,
    statistics: *mut u64,
) -> bool {
    run(module, statistics, |context, module, [tiled, on_tensor_cores]| {
        // SAFETY: PassShims.cpp passes a text that outlives the call.
        let list = unsafe { text(tensor_cores) };
        (*tiled, *on_tensor_cores) = lower::contractions_to_gpu::run(context, module, list)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_array_choices(
    module: sys::MlirOperation,
    statistics: *mut u64,
) -> bool {
    run(module, statistics, |context, module, [choices]| {
        *choices = lower::array_choices::run(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_sum_order(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [nests]| {
        *nests = lower::sum_order::run(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_fast_math(
    module: sys::MlirOperation,
    flags: sys::MlirStringRef,
    statistics: *mut u64,
) -> bool {
    run(module, statistics, |context, module, [changed]| {
        // SAFETY: PassShims.cpp passes a text that outlives the call.
        *changed = lower::fast_math::run(context, module, unsafe { text(flags) })?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_subnormals(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [functions]| {
        *functions = lower::subnormals::run(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_math_to_polynomials(
    module: sys::MlirOperation,
    statistics: *mut u64,
) -> bool {
    run(module, statistics, |context, module, [replaced]| {
        *replaced = lower::polynomials::run(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_math_to_vector_calls(
    module: sys::MlirOperation,
    instruction_set: sys::MlirStringRef,
    statistics: *mut u64,
) -> bool {
    run(module, statistics, |context, module, [calls]| {
        // SAFETY: PassShims.cpp passes a text that outlives the call.
        *calls = lower::vector_math::run(context, module, unsafe { text(instruction_set) })?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_vectorize(
    module: sys::MlirOperation,
    instruction_set: sys::MlirStringRef,
    statistics: *mut u64,
) -> bool {
    run(module, statistics, |context, module, [vectorized]| {
        // SAFETY: PassShims.cpp passes a text that outlives the call.
        *vectorized = vectorize::run(context, module, unsafe { text(instruction_set) })?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_join_sweeps(
    module: sys::MlirOperation,
    in_kernels: bool,
    statistics: *mut u64,
) -> bool {
    run(module, statistics, |context, module, [joined]| {
        *joined = join_sweeps::run(context, module, in_kernels);
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_fuse_loops(
    module: sys::MlirOperation,
    in_kernels: bool,
    statistics: *mut u64,
) -> bool {
    run(module, statistics, |context, module, [joined]| {
        *joined = fuse_loops::run(context, module, in_kernels);
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_split_loops(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [loops]| {
        *loops = split_loops::run(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_reuse_buffers(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [reused]| {
        *reused = reuse_buffers::run(context, module);
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_make_in_place(
    module: sys::MlirOperation,
    carried: bool,
    statistics: *mut u64,
) -> bool {
    run(module, statistics, |context, module, [copies, rare]| {
        (*copies, *rare) = make_in_place::run(context, module, carried);
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_note_sizes(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [noted]| {
        *noted = check_sizes::note::run(context, module);
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_check_sizes(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [compared]| {
        *compared = check_sizes::run(context, module);
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_merge_buffers(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [merged]| {
        *merged = merge_buffers::run(context, module);
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_merge_kernels(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [merged]| {
        *merged = merge_kernels::run(context, module);
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_unroll_and_jam(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [jammed]| {
        *jammed = jam::run(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_look_ahead(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [loops]| {
        *loops = look_ahead::run(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_keep_deallocations(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [kept]| {
        *kept = lower::manual_deallocation::run(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_contents(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [changed]| {
        *changed = lower::contents::run(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_poison(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [replaced]| {
        *replaced = lower::poison::run(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_known_layouts(
    module: sys::MlirOperation,
    statistics: *mut u64,
) -> bool {
    run(module, statistics, |context, module, [known]| {
        *known = lower::known_layouts::run(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_strided_casts(
    module: sys::MlirOperation,
    statistics: *mut u64,
) -> bool {
    run(module, statistics, |context, module, [copied]| {
        *copied = lower::strided_casts::run(context, module);
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_while_order(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |_, module, [reordered]| {
        *reordered = lower::while_order::run(module);
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_own_destinations(
    module: sys::MlirOperation,
    statistics: *mut u64,
) -> bool {
    run(module, statistics, |context, module, [added]| {
        *added = lower::own_destinations::run(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_math_to_calls(
    module: sys::MlirOperation,
    statistics: *mut u64,
) -> bool {
    run(module, statistics, |context, module, [calls]| {
        *calls = lower::math_to_calls::run(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_expand_shape(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [replaced]| {
        *replaced = lower::expand_shape::run(context, module)?;
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_addresses(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [changed]| {
        *changed = lower::addresses::run(context, module);
        Ok(())
    })
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pass_lower_tapes(module: sys::MlirOperation, statistics: *mut u64) -> bool {
    run(module, statistics, |context, module, [tapes]| {
        *tapes = lower::tapes::lower(context, module)?;
        Ok(())
    })
}

/// A named pipeline, as `PassShims.cpp` takes it.
#[repr(C)]
struct RawPipeline {
    name: sys::MlirStringRef,
    summary: sys::MlirStringRef,
    text: sys::MlirStringRef,
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn ad_pipeline(position: isize, pipeline: *mut RawPipeline) -> bool {
    let Some(found) = pipeline::PIPELINES.get(position as usize) else { return false };
    let raw = |text| StringRef::new(text).to_raw();
    // SAFETY: PassShims.cpp passes the address of a pipeline; all texts are static.
    unsafe {
        pipeline.write(RawPipeline {
            name: raw(found.name),
            summary: raw(found.summary),
            text: raw(found.text),
        });
    }
    true
}

/// The text of a string that C++ holds on to; empty when it is not UTF-8.
///
/// # Safety
///
/// The string outlives the result.
#[allow(unsafe_code)]
unsafe fn text<'a>(string: sys::MlirStringRef) -> &'a str {
    if string.length == 0 {
        return "";
    }
    // SAFETY: the caller vouches for pointer and length.
    let bytes = unsafe { std::slice::from_raw_parts(string.data.cast(), string.length) };
    std::str::from_utf8(bytes).unwrap_or("")
}

/// Runs the body of a pass with its statistics; true when it succeeded.
#[allow(unsafe_code)]
fn run<const N: usize>(
    module: sys::MlirOperation,
    statistics: *mut u64,
    body: impl for<'c> FnOnce(&'c Context, Op<'c>, &mut [u64; N]) -> Result<()>,
) -> bool {
    // SAFETY: PassShims.cpp passes a valid module and one counter per statistic.
    let (module, statistics) =
        unsafe { (Op::from_raw(module), &mut *statistics.cast::<[u64; N]>()) };
    let owner = module.context();
    // SAFETY: the context outlives the pass, and `owner`, which the reference
    // points to, outlives the body.
    let context = unsafe { owner.to_ref() };
    INSIDE.set(true);
    let checked = || {
        support::symbol::check_names(module)?;
        body(context, module, statistics)
    };
    let result = panic::catch_unwind(AssertUnwindSafe(checked));
    INSIDE.set(false);
    match result {
        Ok(result) => result.is_ok(),
        Err(_) => {
            diag::internal_error(module, &PANIC.take());
            false
        }
    }
}

thread_local! {
    /// Whether this thread runs the body of a pass.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
    /// What the last panic in the body of a pass said, and where.
    static PANIC: Cell<String> = const { Cell::new(String::new()) };
}

/// Keeps what a panic in a pass says for the diagnostic, instead of printing it.
fn keep_panics_quiet() {
    let previous = panic::take_hook();
    panic::set_hook(Box::new(move |information| {
        if INSIDE.get() {
            let said = information.payload_as_str().unwrap_or("panic");
            let place = information.location().map(|place| format!(" at {place}"));
            PANIC.set(format!("{said}{}", place.unwrap_or_default()));
        } else {
            previous(information);
        }
    }));
}
