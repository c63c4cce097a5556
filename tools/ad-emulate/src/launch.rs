//! Runs a kernel for all blocks of a grid, one after another in a shuffled order.

use std::{
    cell::{Cell, RefCell},
    ffi::c_void,
    ptr,
};

use crate::{
    block::{self, Wait},
    fibres::{Stacks, Waker},
    matrix::{Elements, Product},
    memory,
    order::{Permutation, Random},
    race,
    requests::Counting,
    shadow::{Access, Shadow},
    shuffle::{LANES, Request},
    state::{self, Counters},
};

/// A kernel as compiled code has it: a function of the thread and of all its arguments, which it unpacks itself.
pub type Thunk = unsafe extern "C" fn(*mut Ctx<'_>, *const c_void);

/// The limits of CUDA.
const MAX_THREADS: i64 = 1024;
const MAX_GRID: [i64; 3] = [(1 << 31) - 1, 65_535, 65_535];
const MAX_BLOCK: [i64; 3] = [MAX_THREADS, MAX_THREADS, 64];

/// A thread of the block that runs. Compiled code gets the address and passes it on.
pub struct Ctx<'a> {
    pub(crate) launch: &'a Launch,
    /// The place in the block, x fastest.
    pub(crate) number: u16,
    position: [i64; 3],
    pub(crate) waker: Waker,
    pub(crate) wait: Cell<Wait>,
    /// The value of the last shuffle.
    pub(crate) received: Cell<u64>,
    /// What it has of matrices: before the last product what it brings, then what it gets.
    pub(crate) elements: Cell<Elements>,
}

/// A launch that runs.
pub(crate) struct Launch {
    pub(crate) name: String,
    grid: [i64; 3],
    block: [i64; 3],
    order: Permutation,
    /// The block that runs.
    position: Cell<[i64; 3]>,
    /// An error was recorded after which the launch cannot go on.
    pub(crate) failed: Cell<bool>,
    /// Accesses are looked at: until the first race, if at all.
    pub(crate) watching: Cell<bool>,
    shadow: RefCell<Shadow>,
    /// What subgroups ask of memory, if that is counted.
    pub(crate) counting: RefCell<Option<Counting>>,
    barriers: Cell<u64>,
}

/// Runs a kernel for each thread of each block. Errors are recorded.
///
/// # Safety
///
/// Kernel and arguments are as `ad_emulate_launch` wants them.
#[allow(unsafe_code)]
pub(crate) unsafe fn launch(
    thunk: Thunk,
    args: *const c_void,
    grid: [i64; 3],
    block: [i64; 3],
    fibres: bool,
    name: String,
) {
    if let Err(error) = check(grid, block) {
        return state::record(format!("launch of @{name}: {error}"));
    }
    // No overflow: the limits were checked.
    let (blocks, threads) = (grid.iter().product::<i64>() as u64, block.iter().product::<i64>());
    if blocks == 0 || threads == 0 {
        return;
    }
    let (settings, mut kept) = state::begin();
    let watching = settings.detect_races && kept.shadow.begin_launch(blocks);
    if settings.detect_races && !watching {
        state::record(format!("launch of @{name}: too many blocks to look for races"));
    }
    let mut random = Random::new(settings.seed);
    let launch = Launch {
        name,
        grid,
        block,
        order: Permutation::new(blocks, &mut random),
        position: Cell::new([0; 3]),
        failed: Cell::new(false),
        watching: Cell::new(watching),
        shadow: RefCell::new(kept.shadow),
        counting: RefCell::new(
            settings.count_requests.then(|| Counting::new(blocks * threads as u64)),
        ),
        barriers: Cell::new(0),
    };
    memory::open();
    // SAFETY: see above.
    let ran = unsafe { launch.run(blocks, thunk, args, fibres, &mut kept.stacks, &mut random) };
    memory::close();
    if let Some(counting) = launch.counting.take() {
        state::count(&launch.name, &counting.end());
    }
    kept.shadow = launch.shadow.into_inner();
    state::end(ran, kept);
}

/// Says in which respect sizes are negative or beyond the limits of CUDA; those of an empty grid or block are not.
fn check(grid: [i64; 3], block: [i64; 3]) -> Result<(), String> {
    let sizes = [("grid", grid, MAX_GRID), ("block", block, MAX_BLOCK)];
    let all = || {
        sizes.into_iter().flat_map(|(what, sizes, limits)| {
            ["x", "y", "z"]
                .into_iter()
                .zip(sizes.into_iter().zip(limits))
                .map(move |(axis, (size, limit))| (what, axis, size, limit))
        })
    };
    if let Some((what, axis, size, _)) = all().find(|&(_, _, size, _)| size < 0) {
        return Err(format!("the size of the {what} in {axis} is negative: {size}"));
    }
    if all().any(|(_, _, size, _)| size == 0) {
        return Ok(());
    }
    if let Some((what, axis, size, limit)) = all().find(|&(_, _, size, limit)| size > limit) {
        return Err(format!("the size of the {what} in {axis} is {size}, CUDA allows {limit}"));
    }
    match block.iter().product::<i64>() {
        threads if threads > MAX_THREADS => {
            Err(format!("a block has {threads} threads, CUDA allows {MAX_THREADS}"))
        }
        _ => Ok(()),
    }
}

impl Launch {
    /// Runs the blocks until there are none or one was abandoned.
    ///
    /// # Safety
    ///
    /// See [`launch`].
    #[allow(unsafe_code)]
    unsafe fn run(
        &self,
        blocks: u64,
        thunk: Thunk,
        args: *const c_void,
        fibres: bool,
        stacks: &mut Stacks,
        random: &mut Random,
    ) -> Counters {
        let threads: Vec<Ctx<'_>> =
            self.all_threads().map(|number| Ctx::new(self, number)).collect();
        let mut order: Vec<u16> = self.all_threads().collect();
        let mut ran = Counters { launches: 1, ..Counters::default() };
        for number in 0..blocks {
            self.position.set(self.block_at(number));
            if let Ok(mut shadow) = self.shadow.try_borrow_mut() {
                shadow.begin_block(number);
            }
            ran.blocks += 1;
            ran.threads += threads.len() as u64;
            let result = if fibres {
                // SAFETY: see above.
                unsafe { block::run(self, &threads, thunk, args, stacks, random) }
            } else {
                random.shuffle(&mut order);
                // SAFETY: see above.
                unsafe { block::call(&threads, &order, thunk, args, &self.failed) }
            };
            self.close_requests();
            if result.is_err() {
                break;
            }
        }
        ran.barriers = self.barriers.get();
        ran
    }

    pub(crate) fn all_threads(&self) -> impl Iterator<Item = u16> + use<> {
        0..self.block.iter().product::<i64>() as u16
    }

    /// Returns the indices of the block that runs as the given one.
    pub(crate) fn block_at(&self, number: u64) -> [i64; 3] {
        unravel(self.order.at(number) as i64, self.grid)
    }

    pub(crate) fn thread_at(&self, number: u16) -> [i64; 3] {
        unravel(i64::from(number), self.block)
    }

    /// All threads of the block reached a barrier.
    pub(crate) fn pass_barrier(&self) {
        self.barriers.set(self.barriers.get() + 1);
        self.close_requests();
        if let Ok(mut shadow) = self.shadow.try_borrow_mut() {
            shadow.pass_barrier();
        }
    }
}

impl Launch {
    /// Whether anything is to be known of accesses.
    pub(crate) fn is_looking(&self) -> bool {
        self.watching.get() || self.counting.try_borrow().is_ok_and(|all| all.is_some())
    }

    /// No thread goes on with what others of its subgroup did before.
    fn close_requests(&self) {
        if let Ok(mut counting) = self.counting.try_borrow_mut() {
            counting.iter_mut().for_each(Counting::close);
        }
    }
}

impl<'a> Ctx<'a> {
    fn new(launch: &'a Launch, number: u16) -> Self {
        Self {
            launch,
            number,
            position: launch.thread_at(number),
            waker: Waker::default(),
            wait: Cell::new(Wait::Nothing),
            received: Cell::new(0),
            elements: Cell::default(),
        }
    }

    /// Returns what compiled code gets: nothing is written through it, as all that changes is in cells.
    pub(crate) fn as_pointer(&self) -> *mut Self {
        ptr::from_ref(self).cast_mut()
    }

    /// Returns an index or a size, see `ad_emulate_id`.
    pub(crate) fn id(&self, kind: i32) -> Option<i64> {
        let kind = usize::try_from(kind).ok()?;
        let launch = self.launch;
        let group = [self.position, launch.position.get(), launch.block, launch.grid];
        group.get(kind / 3)?.get(kind % 3).copied()
    }

    /// Waits, until `block` resumes this thread.
    pub(crate) fn wait_for(&self, wait: Wait, what: &str) {
        self.wait.set(wait);
        if !self.waker.pause() {
            self.fail(format!("{what} though the launch says that there are none"));
        }
    }

    /// Records an error after which the launch cannot go on. A fibre goes no further, and leaves nothing behind.
    pub(crate) fn fail(&self, error: String) {
        self.launch.failed.set(true);
        state::record(format!("{error} in @{}", self.launch.name));
        drop(error);
        self.waker.pause();
    }

    pub(crate) fn shuffle(&self) -> Option<Request> {
        match self.wait.get() {
            Wait::Shuffle(request) => Some(request),
            _ => None,
        }
    }

    pub(crate) fn product(&self) -> Option<Product> {
        match self.wait.get() {
            Wait::Product(product) => Some(product),
            _ => None,
        }
    }

    /// Whether it waits for values of other threads of its subgroup.
    pub(crate) fn is_exchanging(&self) -> bool {
        matches!(self.wait.get(), Wait::Shuffle(_) | Wait::Product(_))
    }

    /// Its number in its subgroup.
    pub(crate) fn lane(&self) -> usize {
        usize::from(self.number) % LANES
    }

    pub(crate) fn has_ended(&self) -> bool {
        matches!(self.wait.get(), Wait::End)
    }

    /// Looks at an access, by its number in the kernel: counts it, and records the first race of the launch.
    pub(crate) fn access(&self, address: u64, bytes: u64, access: Access, number: u32) {
        // Anything else is memory that the thread has made for itself.
        if !access.of_block && !memory::is_on_device(address) {
            return;
        }
        if let Ok(mut counting) = self.launch.counting.try_borrow_mut() {
            let counting = counting.iter_mut();
            counting.for_each(|all| all.access([address, bytes], self.number, number, access));
        }
        if !self.launch.watching.get() {
            return;
        }
        let Ok(mut shadow) = self.launch.shadow.try_borrow_mut() else { return };
        if let Some(earlier) = shadow.access(address, bytes, self.number, access) {
            self.launch.watching.set(false);
            state::record(race::describe(self, access, &earlier));
        }
    }
}

fn unravel(number: i64, sizes: [i64; 3]) -> [i64; 3] {
    let [x, y, _] = sizes;
    [number % x, number / x % y, number / x / y]
}
