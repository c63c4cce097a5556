//! Tapes stay on the host, which knows nothing of what is in the device's memory.

use ad_dialect::ir::{Op, OpExt};

use crate::support::{
    diag::{Result, error},
    memory::is_array,
};

/// Refuses tapes in a function where they would have to be on the device: in kernels, in functions that kernels call, and
/// where arrays are kept on them.
pub fn refuse(function: Op<'_>, is_of_kernels: bool) -> Result<()> {
    let mut result = Ok(());
    function.for_each(&mut |op| {
        if result.is_err() || !op.op_name().starts_with("ad.tape_") {
            return;
        }
        let values = op.operand_list().into_iter().chain(op.result_list());
        if is_of_kernels || is_in_kernel(op) {
            result = Err(error(op, "is part of a kernel, which has no tapes; compile for the CPU"));
        } else if values.into_iter().any(is_array) {
            let message = "keeps an array of the device on a tape of the host; compile for the CPU";
            result = Err(error(op, message));
        }
    });
    result
}

fn is_in_kernel(op: Op<'_>) -> bool {
    let mut around = op.parent();
    while let Some(op) = around {
        if op.op_name() == "gpu.launch" {
            return true;
        }
        around = op.parent();
    }
    false
}
