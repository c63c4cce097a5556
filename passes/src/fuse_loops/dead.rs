//! Buffers that are written and never read.

use ad_dialect::ir::{Op, OpExt, Val, ValExt};

use crate::support::memory;

/// Erases buffers that nothing reads, and what writes to them.
pub fn erase_unread(module: Op<'_>) {
    loop {
        let mut allocations = vec![];
        module.for_each(&mut |op| {
            if op.op_name() == "memref.alloc" {
                allocations.push(op);
            }
        });
        // What is erased may be the last that reads another one.
        let mut is_done = true;
        for allocation in allocations {
            let mut users = vec![];
            if allocation.res(0).is_some_and(|array| is_unread(array, &mut users)) {
                users.iter().rev().for_each(OpExt::erase);
                allocation.erase();
                is_done = false;
            }
        }
        if is_done {
            return;
        }
    }
}

/// Whether a buffer is only written; collects what does it, and views before what uses them.
fn is_unread<'c>(array: Val<'c>, users: &mut Vec<Op<'c>>) -> bool {
    array.uses().into_iter().all(|(user, operand)| {
        users.push(user);
        match user.op_name() {
            "memref.store" | "memref.copy" | "linalg.fill" => operand == 1,
            name if memory::is_view(name) => user.res(0).is_some_and(|view| is_unread(view, users)),
            _ => false,
        }
    })
}
