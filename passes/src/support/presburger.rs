//! MLIR's library of integer sets: what `cpp/Presburger.cpp` asks it.

use std::ffi::c_void;

use ad_calculus::systems::System;

unsafe extern "C" {
    fn ad_presburger_is_empty(variables: u32, words: *const i64) -> bool;
    fn ad_presburger_shadow(
        variables: u32,
        words: *const i64,
        to: *mut c_void,
        row: unsafe extern "C" fn(*mut c_void, bool, *const i64),
    ) -> bool;
}

/// Whether a system over some variables has no integer solution. False if that is
/// not known.
pub fn is_empty(variables: usize, system: &System) -> bool {
    // SAFETY: the words are one system over as many variables.
    unsafe { ad_presburger_is_empty(variables as u32, words(system).as_ptr()) }
}

/// A system without locals that follows from a system over some variables: what its
/// rational solutions are. None if numbers are large.
pub fn shadow(variables: usize, system: &System) -> Option<System> {
    struct Sink {
        width: usize,
        system: System,
    }
    unsafe extern "C" fn row(to: *mut c_void, is_equality: bool, factors: *const i64) {
        // SAFETY: `to` is the sink below.
        let sink = unsafe { &mut *to.cast::<Sink>() };
        // SAFETY: each row has a factor for each variable and a constant.
        let factors = unsafe { std::slice::from_raw_parts(factors, sink.width) }.to_vec();
        match is_equality {
            true => sink.system.equalities.push(factors),
            false => sink.system.inequalities.push(factors),
        }
    }
    let words = words(system);
    let mut sink = Sink { width: variables + 1, system: System::default() };
    let to = (&raw mut sink).cast();
    // SAFETY: the words are one system, and the sink lives until the call returns.
    let is_whole = unsafe { ad_presburger_shadow(variables as u32, words.as_ptr(), to, row) };
    is_whole.then_some(sink.system)
}

/// A system as the numbers that C++ reads.
fn words(system: &System) -> Vec<i64> {
    let counts = [system.locals, system.equalities.len(), system.inequalities.len()];
    let counts = counts.map(|count| count as i64).into_iter();
    let rows = system.equalities.iter().chain(&system.inequalities);
    counts.chain(rows.flatten().copied()).collect()
}
