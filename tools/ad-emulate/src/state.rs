//! What outlives a launch: settings, errors, counters, and memory that the next launch uses again.
//!
//! There is one state per process, since compiled code has no handle to pass.
//! A launch takes the memory out and brings it back, so that no lock is held while a kernel runs.

use std::{
    collections::BTreeMap,
    mem,
    sync::{LazyLock, Mutex, MutexGuard, PoisonError},
};

use crate::{fibres::Stacks, requests::Requests, shadow::Shadow};

/// Errors beyond this number are not kept: a loop of launches may repeat one endlessly.
const MAX_ERRORS: usize = 100;

static STATE: LazyLock<Mutex<State>> = LazyLock::new(Mutex::default);

#[derive(Default)]
struct State {
    settings: Settings,
    errors: Vec<String>,
    counters: Counters,
    requests: BTreeMap<String, Requests>,
    memory: Memory,
}

/// How launches run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// The order of blocks and threads: equal seeds give equal orders.
    pub seed: u64,
    /// Whether to look for races.
    pub detect_races: bool,
    /// Whether to count what subgroups ask of memory.
    pub count_requests: bool,
}

/// What is costly to get anew for each launch.
#[derive(Default)]
pub(crate) struct Memory {
    pub(crate) stacks: Stacks,
    pub(crate) shadow: Shadow,
}

/// What ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Launches of at least one thread that were not refused.
    pub launches: u64,
    /// Blocks that were begun.
    pub blocks: u64,
    /// Threads of these blocks.
    pub threads: u64,
    /// Barriers that all threads of a block reached, counted once per block.
    pub barriers: u64,
}

/// Says how all launches to come run.
pub fn configure(settings: Settings) {
    lock().settings = settings;
}

/// Returns the errors since the last call, the first hundred at most.
pub fn take_errors() -> Vec<String> {
    mem::take(&mut lock().errors)
}

/// Returns what ran since the last call.
pub fn take_counters() -> Counters {
    mem::take(&mut lock().counters)
}

/// Returns what kernels asked of memory since the last call, by their names.
pub fn take_requests() -> BTreeMap<String, Requests> {
    mem::take(&mut lock().requests)
}

/// Returns the number of stacks that are kept for fibres; a launch takes as many as a block has threads.
pub fn stacks() -> usize {
    lock().memory.stacks.len()
}

pub(crate) fn record(error: String) {
    let mut state = lock();
    if state.errors.len() < MAX_ERRORS {
        state.errors.push(error);
    }
}

/// Adds what a launch of a kernel asked of memory.
pub(crate) fn count(kernel: &str, requests: &Requests) {
    lock().requests.entry(kernel.to_owned()).or_default().add(requests);
}

pub(crate) fn settings() -> Settings {
    lock().settings
}

/// Begins a launch.
pub(crate) fn begin() -> (Settings, Memory) {
    let mut state = lock();
    (state.settings, mem::take(&mut state.memory))
}

/// Ends a launch, with what it ran and the memory from its beginning.
pub(crate) fn end(ran: Counters, memory: Memory) {
    let mut state = lock();
    state.counters.launches += ran.launches;
    state.counters.blocks += ran.blocks;
    state.counters.threads += ran.threads;
    state.counters.barriers += ran.barriers;
    let before = mem::replace(&mut state.memory, memory);
    drop(state);
    drop(before);
}

fn lock() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}
