//! Operations without a rule, and why: either none is needed, or they are refused.
//!
//! Invariant: every registered operation of the dialects that programs are
//! written in has a rule or is listed here; passes/tests/every_operation.rs
//! fails when a new one appears.

use std::{collections::HashSet, sync::LazyLock};

static NON_DIFFERENTIABLE_NAMES: LazyLock<HashSet<&str>> =
    LazyLock::new(|| NON_DIFFERENTIABLE.iter().map(|(name, _)| *name).collect());

/// Whether the results of the operation have no derivative or a derivative of zero.
pub fn is_non_differentiable(name: &str) -> bool {
    NON_DIFFERENTIABLE_NAMES.contains(name)
}

/// Operations whose results have no derivative or a derivative of zero.
pub const NON_DIFFERENTIABLE: &[(&str, &str)] = &[
    ("ad.stop_gradient", "that is its purpose"),
    ("arith.addi", INTEGERS),
    ("arith.addui_extended", INTEGERS),
    ("arith.andi", INTEGERS),
    ("arith.ceildivsi", INTEGERS),
    ("arith.ceildivui", INTEGERS),
    ("arith.cmpf", "a decision"),
    ("arith.cmpi", "a decision"),
    ("arith.constant", "a constant"),
    ("arith.divsi", INTEGERS),
    ("arith.divui", INTEGERS),
    ("arith.extsi", INTEGERS),
    ("arith.extui", INTEGERS),
    ("arith.floordivsi", INTEGERS),
    ("arith.fptosi", "constant between the steps"),
    ("arith.fptoui", "constant between the steps"),
    ("arith.index_cast", INTEGERS),
    ("arith.index_castui", INTEGERS),
    ("arith.maxsi", INTEGERS),
    ("arith.maxui", INTEGERS),
    ("arith.minsi", INTEGERS),
    ("arith.minui", INTEGERS),
    ("arith.muli", INTEGERS),
    ("arith.mulsi_extended", INTEGERS),
    ("arith.mului_extended", INTEGERS),
    ("arith.ori", INTEGERS),
    ("arith.remsi", INTEGERS),
    ("arith.remui", INTEGERS),
    ("arith.shli", INTEGERS),
    ("arith.shrsi", INTEGERS),
    ("arith.shrui", INTEGERS),
    ("arith.sitofp", "a function of an integer"),
    ("arith.subi", INTEGERS),
    ("arith.trunci", INTEGERS),
    ("arith.uitofp", "a function of an integer"),
    ("arith.xori", INTEGERS),
    ("complex.constant", "a constant"),
    ("complex.eq", "a decision"),
    ("complex.neq", "a decision"),
    ("func.constant", "a reference to a function"),
    ("func.func", "a definition, differentiated where it is called"),
    ("func.return", TERMINATOR),
    ("linalg.index", "a position"),
    ("linalg.yield", TERMINATOR),
    ("math.absi", INTEGERS),
    ("math.ctlz", INTEGERS),
    ("math.ctpop", INTEGERS),
    ("math.cttz", INTEGERS),
    ("math.ipowi", INTEGERS),
    ("math.isfinite", "a decision"),
    ("math.isinf", "a decision"),
    ("math.isnan", "a decision"),
    ("math.isnormal", "a decision"),
    ("memref.alloca_scope.return", TERMINATOR),
    ("memref.atomic_yield", TERMINATOR),
    ("memref.dim", "a size"),
    ("memref.global", "a definition"),
    ("memref.prefetch", "advice"),
    ("memref.rank", "a size"),
    ("scf.condition", TERMINATOR),
    ("scf.forall.in_parallel", TERMINATOR),
    ("scf.reduce", TERMINATOR),
    ("scf.reduce.return", TERMINATOR),
    ("scf.yield", TERMINATOR),
    ("soac.iota", "a constant array of integers"),
    ("soac.null_acc", "forgets all updates"),
    ("soac.yield", TERMINATOR),
    ("tensor.dim", "a size"),
    ("tensor.empty", "undefined contents"),
    ("tensor.parallel_insert_slice", TERMINATOR),
    ("tensor.rank", "a size"),
    ("tensor.yield", TERMINATOR),
    ("ub.poison", "undefined"),
    ("vector.constant_mask", "a decision"),
    ("vector.create_mask", "a decision"),
    ("vector.step", INTEGERS),
    ("vector.vscale", "a size"),
    ("vector.yield", TERMINATOR),
];

const INTEGERS: &str = "integers";
const TERMINATOR: &str = "part of the operation around it, whose rule handles it";

/// Operations that are refused, with the reason that the error gives.
pub const REFUSED: &[(&str, &str)] = &[
    ("ad.call", VALUES),
    ("ad.closure", VALUES),
    ("ad.get", RECORDS),
    ("ad.jvp", "it must be answered first"),
    ("ad.lambda", VALUES),
    ("ad.record", RECORDS),
    ("ad.set", RECORDS),
    ("ad.vjp", "it must be answered first"),
    ("ad.yield", VALUES),
    ("arith.bitcast", BITS),
    ("arith.scaling_extf", QUANTISED),
    ("arith.scaling_truncf", QUANTISED),
    ("complex.bitcast", BITS),
    ("func.call_indirect", "the function is not known"),
    ("linalg.pack", PACKING),
    ("linalg.softmax", "it works on memory; differentiate before bufferisation"),
    ("linalg.unpack", PACKING),
    ("linalg.winograd_filter_transform", WINOGRAD),
    ("linalg.winograd_input_transform", WINOGRAD),
    ("linalg.winograd_output_transform", WINOGRAD),
    ("memref.alloca_scope", "allocate in the function instead"),
    ("memref.distinct_objects", "leave it out"),
    ("memref.dma_start", "it copies in the background"),
    ("memref.dma_wait", "it waits for a copy in the background"),
    ("memref.extract_aligned_pointer_as_index", "it makes a number of an address"),
    ("memref.generic_atomic_rmw", "write it with 'memref.load' and 'memref.store'"),
    ("memref.get_global", "other functions may use the memory, too"),
    ("memref.realloc", "write it with 'memref.alloc' and 'memref.copy'"),
    ("memref.reshape", "write it with 'memref.expand_shape' or 'memref.collapse_shape'"),
    ("memref.view", "it interprets the bits of a float as another type"),
    (
        "scf.execute_region",
        "it has several blocks inside of an operation other than of 'scf'; use 'scf' there",
    ),
    ("scf.forall", PARALLEL),
    ("scf.parallel", PARALLEL),
    ("soac.row_major", "differentiate before bufferisation is prepared"),
    ("tensor.bitcast", BITS),
    ("vector.bitcast", BITS),
    ("vector.compressstore", MEMORY),
    ("vector.contract", CONTRACT),
    ("vector.deinterleave", LANES),
    ("vector.expandload", MEMORY),
    ("vector.extract_strided_slice", LANES),
    ("vector.gather", MEMORY),
    ("vector.insert_strided_slice", LANES),
    ("vector.interleave", LANES),
    ("vector.mask", "write it with 'arith.select'"),
    ("vector.maskedload", MEMORY),
    ("vector.maskedstore", MEMORY),
    ("vector.multi_reduction", "write it with 'vector.reduction'"),
    ("vector.outerproduct", CONTRACT),
    ("vector.print", "it prints"),
    ("vector.scalable.extract", SCALABLE),
    ("vector.scalable.insert", SCALABLE),
    ("vector.scan", "write it with 'soac.scan'"),
    ("vector.scatter", MEMORY),
    ("vector.shuffle", LANES),
    ("vector.transfer_read", MEMORY),
    ("vector.transfer_write", MEMORY),
    ("vector.type_cast", MEMORY),
];

const BITS: &str = "it interprets the bits of a float as another type";
const CONTRACT: &str = "write it with 'arith.mulf' and 'vector.reduction'";
const LANES: &str = "write it with 'vector.to_elements' and 'vector.from_elements'";
const MEMORY: &str = "differentiate first, make vectors of the result afterwards";
const SCALABLE: &str = "the size of the vector is not known";
const PACKING: &str = "the sizes of its tiles must be static";
const PARALLEL: &str = "it has no results, so it works by side effects";
const QUANTISED: &str = "it converts block-scaled numbers, which have no derivative";
const RECORDS: &str = "records are replaced by their fields before";
const VALUES: &str = "functions that are values are replaced before";
const WINOGRAD: &str = "differentiate before the convolution is transformed";

/// The reason why an operation is refused, if one is known.
pub fn refusal(name: &str) -> Option<&'static str> {
    REFUSED.iter().find(|(candidate, _)| *candidate == name).map(|(_, reason)| *reason)
}
