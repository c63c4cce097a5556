//! Launches: what the hardware allows, and block after block.

use fastrand::Rng;

use crate::{
    exec::{
        LANES, Machine,
        block::{Failed, run_block},
        thread::Thread,
    },
    fault::{Fault, INVALID_VALUE, OUT_OF_RESOURCES},
    memory::Memory,
    poison::Poison,
    program::{CLASSES, Function, Program, SPECIALS, Special},
};

/// Bytes of dynamic shared memory that a kernel has without asking for more.
pub const DEFAULT_SHARED: u32 = 48 * 1024;
/// The most bytes of shared memory of a block.
pub const MOST_SHARED: u32 = 163 * 1024;
/// The most threads of a block.
pub const MOST_THREADS: u64 = 1024;
/// The most blocks along each dimension.
pub const MOST_BLOCKS: [u32; 3] = [i32::MAX as u32, 65535, 65535];
/// The most threads of a block along each dimension.
pub const MOST_THREADS_ALONG: [u32; 3] = [1024, 1024, 64];

/// What a kernel is launched with.
#[derive(Clone, Debug)]
pub struct Launch {
    /// Blocks.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub shared: u32,
    /// Bytes of dynamic shared memory that the kernel may have.
    pub allowed_shared: u32,
    /// Bytes of parameters, as the kernel has them.
    pub parameters: Vec<u8>,
}

impl Launch {
    /// Says why a launch is not possible.
    pub fn check(&self, function: &Function) -> Result<(), Fault> {
        let refuse = |code, text: String| Err(Fault::new(code, text));
        let (grid, block) = (self.grid, self.block);
        let threads: u64 = block.iter().map(|n| u64::from(*n)).product();
        if grid.contains(&0) || block.contains(&0) {
            return refuse(INVALID_VALUE, format!("a grid {grid:?} of blocks {block:?} is empty"));
        }
        if grid.iter().zip(MOST_BLOCKS).any(|(n, most)| *n > most) {
            return refuse(OUT_OF_RESOURCES, format!("a grid {grid:?} is too large"));
        }
        let is_long = block.iter().zip(MOST_THREADS_ALONG).any(|(n, most)| *n > most);
        if threads > MOST_THREADS || is_long {
            return refuse(OUT_OF_RESOURCES, format!("blocks {block:?} have too many threads"));
        }
        let most = function.most_threads.map(|sizes| sizes.iter().map(|n| u64::from(*n)).product());
        if most.is_some_and(|most: u64| threads > most) {
            let text = format!("blocks {block:?} have more threads than .maxntid allows");
            return refuse(OUT_OF_RESOURCES, text);
        }
        if function.required_threads.is_some_and(|required| required != block) {
            return refuse(INVALID_VALUE, format!("blocks {block:?} are not what .reqntid says"));
        }
        let shared = u64::from(self.shared);
        if shared > self.allowed_shared.into()
            || shared + function.shared_bytes > MOST_SHARED.into()
            || function.shared_bytes > DEFAULT_SHARED.into()
        {
            let text = format!(
                "{} bytes of static and {shared} of dynamic shared memory are too many",
                function.shared_bytes
            );
            return refuse(OUT_OF_RESOURCES, text);
        }
        Ok(())
    }
}

/// In which order threads run, and how long.
#[derive(Clone, Copy, Debug)]
pub struct Order {
    /// 0 is in order.
    pub seed: u64,
    /// The most branches.
    pub branches: u64,
}

/// What a launch did.
pub struct Outcome {
    /// Instructions by class.
    pub counts: [u64; CLASSES.len()],
    /// What went wrong, with a description of where.
    pub failed: Option<Fault>,
}

/// Runs a kernel.
pub fn run(
    program: &Program,
    kernel: usize,
    launch: &Launch,
    memory: &mut Memory,
    Order { seed, branches }: Order,
) -> Outcome {
    let function = &program.functions[kernel];
    let mut variables = function.shared.clone();
    if launch.shared > 0 {
        variables.push((function.dynamic_shared, launch.shared.into()));
    }
    let bytes = variables.iter().map(|(first, size)| first + size).max().unwrap_or(0);
    let mut machine = Machine {
        program,
        memory,
        shared: vec![0; bytes as usize],
        variables,
        counts: [0; CLASSES.len()],
        branches_left: branches,
    };
    let mut random = (seed != 0).then(|| Rng::with_seed(seed));
    let mut poison = Poison::new(seed);
    let mut threads = vec![];
    threads.resize_with(launch.block.iter().product::<u32>() as usize, Thread::default);
    let [gx, gy, gz] = launch.grid.map(u64::from);
    let count = gx * gy * gz;
    // Blocks in a random order: a number that has no factor of the count is a step through all of them.
    let (start, step) = match &mut random {
        Some(random) => (random.u64(..count), coprime(random.u64(..count), count)),
        None => (0, 1),
    };
    for number in 0..count {
        let number = ((u128::from(start) + u128::from(number) * u128::from(step))
            % u128::from(count)) as u64;
        let block = [number % gx, number / gx % gy, number / gx / gy];
        poison.fill(&mut machine.shared);
        begin(program, kernel, launch, block, &mut threads);
        if let Err(failed) = run_block(&mut machine, &mut threads, &mut random) {
            let fault = locate(program, function, block, &mut threads, failed);
            return Outcome { counts: machine.counts, failed: Some(fault) };
        }
    }
    Outcome { counts: machine.counts, failed: None }
}

/// The next number that has no factor of a count.
fn coprime(number: u64, count: u64) -> u64 {
    let common = |mut a: u64, mut b: u64| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    (number.max(1)..).find(|step| common(*step, count) == 1).unwrap_or(1)
}

/// Puts all threads of a block at the beginning of the kernel.
fn begin(
    program: &Program,
    kernel: usize,
    launch: &Launch,
    block: [u64; 3],
    threads: &mut [Thread],
) {
    let function = &program.functions[kernel];
    let [bx, by, _] = launch.block;
    let count = threads.len();
    for (number, thread) in threads.iter_mut().enumerate() {
        let mut special = [0u64; SPECIALS];
        let mut set = |first: Special, values: &[u64]| {
            special[first as usize..first as usize + values.len()].copy_from_slice(values);
        };
        let n = number as u32;
        set(Special::Thread, &[n % bx, n / bx % by, n / bx / by].map(u64::from));
        set(Special::Block, &launch.block.map(u64::from));
        set(Special::BlockNumber, &block);
        set(Special::Grid, &launch.grid.map(u64::from));
        let lane = (number % LANES) as u64;
        let warps = count.div_ceil(LANES) as u64;
        set(Special::Lane, &[lane, (number / LANES) as u64, warps, LANES as u64]);
        let (own, all) = (1u64 << lane, u64::from(u32::MAX));
        let (below, above) = (own - 1, all & !(2 * own - 1));
        set(Special::Masks, &[own, below, below | own, above, above | own]);
        let shared = u64::from(launch.shared);
        set(Special::DynamicShared, &[shared, shared + function.shared_bytes]);
        thread.begin(program, kernel, &launch.parameters, &special);
    }
}

/// Says where a fault was.
fn locate(
    program: &Program,
    function: &Function,
    block: [u64; 3],
    threads: &mut [Thread],
    (number, fault): Failed,
) -> Fault {
    let thread = &threads[number];
    let line = program.code.get(thread.place as usize).map_or(0, |instruction| instruction.line);
    let within = match program.functions.get(thread.function) {
        Some(inner) if !inner.is_kernel => format!(", in function {}", inner.name),
        _ => String::new(),
    };
    let text = format!(
        "kernel {}{within}, line {line} '{}', block {block:?}, thread {:?}: {}",
        function.name,
        program.line(line),
        thread.number(),
        fault.text
    );
    Fault { text, ..fault }
}
