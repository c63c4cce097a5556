//! The device: its memory, modules, streams and events, and the first error of a kernel, which stays.

use std::{collections::HashMap, path::PathBuf, sync::Arc, time::Instant};

use crate::{
    decode,
    fault::{
        Fault, INVALID_HANDLE, INVALID_IMAGE, INVALID_PTX, INVALID_VALUE, NOT_FOUND, OUT_OF_MEMORY,
    },
    launch::{self, DEFAULT_SHARED, Launch, MOST_SHARED, Order},
    memory::Memory,
    poison::Poison,
    program::Program,
    report::Report,
};

/// How many bytes the device has.
const BYTES: usize = 80 << 30;

/// Settings of the environment.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The order of threads and what nobody wrote: `AD_PTX_SEED`.
    pub seed: u64,
    /// Where the report is written: `AD_PTX_REPORT`.
    pub report: Option<PathBuf>,
    /// The most branches of a launch: one that takes more does not end.
    pub branches: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { seed: 0, report: None, branches: 1 << 34 }
    }
}

impl Settings {
    /// What the environment says; a seed that is no number is 0.
    pub fn from_environment() -> Self {
        let seed = std::env::var("AD_PTX_SEED").ok();
        Self {
            seed: seed.and_then(|seed| seed.parse().ok()).unwrap_or(0),
            report: std::env::var_os("AD_PTX_REPORT").map(PathBuf::from),
            ..Self::default()
        }
    }
}

/// What a handle stands for.
enum Object {
    Module(Arc<Program>),
    /// A kernel of a module, with the dynamic shared memory that it may have.
    Function {
        program: Arc<Program>,
        module: u64,
        kernel: usize,
        shared: u32,
    },
    Stream,
    Event(Option<Instant>),
}

/// A device.
pub struct Device {
    /// Its memory.
    pub memory: Memory,
    /// What kernels did.
    pub report: Report,
    objects: HashMap<u64, Object>,
    next: u64,
    poison: Poison,
    seed: u64,
    branches: u64,
    launches: u64,
    failed: Option<i32>,
    /// Whether errors are printed.
    pub prints: bool,
    /// What was printed last.
    pub message: String,
}

/// A result, or a code of the driver.
pub type Answer<T = ()> = Result<T, i32>;

impl Device {
    /// A device.
    pub fn new(settings: Settings) -> Self {
        Self {
            memory: Memory::new(BYTES, Poison::new(settings.seed)),
            report: Report::new(settings.report),
            objects: HashMap::new(),
            next: 1,
            poison: Poison::new(settings.seed),
            seed: settings.seed,
            branches: settings.branches,
            launches: 0,
            failed: None,
            prints: true,
            message: String::new(),
        }
    }

    /// Says what is wrong, and gives the code.
    fn refuse<T>(&mut self, code: i32, text: String) -> Answer<T> {
        if self.prints {
            eprintln!("ad-ptx: {text}");
        }
        self.message = text;
        Err(code)
    }

    /// Nothing if no kernel has failed.
    pub fn healthy(&self) -> Answer {
        self.failed.map_or(Ok(()), Err)
    }

    fn add(&mut self, object: Object) -> u64 {
        // Multiples of 16, so that no handle looks like a small number.
        self.next += 16;
        self.objects.insert(self.next, object);
        self.next
    }

    /// Loads a module from PTX; the text is for the driver's log.
    pub fn load(&mut self, text: &str) -> Result<u64, (i32, String)> {
        self.healthy().map_err(|code| (code, String::new()))?;
        if !text.contains(".version") {
            return Err((INVALID_IMAGE, "no PTX: there is no .version".to_owned()));
        }
        match decode::program(text, &mut self.memory, &mut self.poison) {
            Ok(program) => Ok(self.add(Object::Module(Arc::new(program)))),
            Err(refusal) => Err((INVALID_PTX, refusal.to_string())),
        }
    }

    /// Unloads a module, and its kernels.
    pub fn unload(&mut self, handle: u64) -> Answer {
        self.healthy()?;
        let Some(Object::Module(program)) = self.objects.get(&handle) else {
            return Err(INVALID_HANDLE);
        };
        for address in program.variables.clone() {
            self.memory.free(address);
        }
        self.objects.remove(&handle);
        self.objects.retain(
            |_, object| !matches!(object, Object::Function { module, .. } if *module == handle),
        );
        Ok(())
    }

    /// A kernel of a module.
    pub fn function(&mut self, handle: u64, name: &str) -> Answer<u64> {
        self.healthy()?;
        let Some(Object::Module(program)) = self.objects.get(&handle) else {
            return Err(INVALID_HANDLE);
        };
        let kernel = program.kernel(name).ok_or(NOT_FOUND)?;
        let program = program.clone();
        Ok(self.add(Object::Function { program, module: handle, kernel, shared: DEFAULT_SHARED }))
    }

    /// Allows a kernel more dynamic shared memory.
    pub fn allow_shared(&mut self, handle: u64, bytes: i32) -> Answer {
        self.healthy()?;
        let Some(Object::Function { program, kernel, shared, .. }) = self.objects.get_mut(&handle)
        else {
            return Err(INVALID_HANDLE);
        };
        let used = program.functions[*kernel].shared_bytes;
        let bytes = u32::try_from(bytes).map_err(|_| INVALID_VALUE)?;
        if u64::from(bytes) + used > MOST_SHARED.into() {
            return Err(INVALID_VALUE);
        }
        *shared = bytes;
        Ok(())
    }

    /// The sizes of a kernel's parameters, with the first byte of each.
    pub fn parameters(&self, handle: u64) -> Answer<Vec<(u32, u32)>> {
        match self.objects.get(&handle) {
            Some(Object::Function { program, kernel, .. }) => {
                Ok(program.functions[*kernel].parameters.clone())
            }
            _ => Err(INVALID_HANDLE),
        }
    }

    /// Launches a kernel. An error of the kernel itself shows later, as on the hardware.
    pub fn launch(&mut self, handle: u64, mut launch: Launch, stream: u64) -> Answer {
        self.healthy()?;
        self.check_stream(stream)?;
        let Some(Object::Function { program, kernel, shared, .. }) = self.objects.get(&handle)
        else {
            return Err(INVALID_HANDLE);
        };
        let (program, kernel) = (program.clone(), *kernel);
        launch.allowed_shared = *shared;
        let function = &program.functions[kernel];
        if let Err(fault) = launch.check(function) {
            return self.refuse(fault.code, format!("kernel {}: {}", function.name, fault.text));
        }
        self.launches += 1;
        let seed = if self.seed == 0 { 0 } else { self.seed.wrapping_add(self.launches << 32) };
        let order = Order { seed, branches: self.branches };
        let outcome = launch::run(&program, kernel, &launch, &mut self.memory, order);
        let threads = launch.grid.iter().chain(&launch.block).map(|n| u64::from(*n)).product();
        self.report.add(&function.name, threads, &outcome);
        if let Some(Fault { code, text }) = outcome.failed {
            self.failed = Some(code);
            let _: Answer = self.refuse(code, text);
            self.report.write();
        }
        Ok(())
    }

    /// New memory.
    pub fn allocate(&mut self, bytes: usize, managed: bool) -> Answer<u64> {
        self.healthy()?;
        if bytes == 0 {
            return Err(INVALID_VALUE);
        }
        self.memory.allocate(bytes, managed).ok_or(OUT_OF_MEMORY)
    }

    /// Gives memory back.
    pub fn free(&mut self, address: u64) -> Answer {
        self.healthy()?;
        if address == 0 || self.memory.free(address) {
            return Ok(());
        }
        let why = self.memory.explain(address, 0);
        self.refuse(INVALID_VALUE, format!("freed {address:#x}, where no allocation begins: {why}"))
    }

    /// The host's pointer for an end of a copy, or for what is filled.
    pub fn end(&mut self, what: &str, address: u64, bytes: usize) -> Answer<*mut u8> {
        if !self.memory.is_device(address) {
            if address == 0 {
                return self.refuse(INVALID_VALUE, format!("{what} {bytes} bytes at address 0"));
            }
            return Ok(address as *mut u8);
        }
        match self.memory.pointer(address, bytes) {
            Some(pointer) => Ok(pointer),
            None => {
                let why = self.memory.explain(address, bytes);
                self.refuse(INVALID_VALUE, format!("{what} {bytes} bytes at {address:#x}: {why}"))
            }
        }
    }

    /// A stream.
    pub fn stream(&mut self) -> Answer<u64> {
        self.healthy()?;
        Ok(self.add(Object::Stream))
    }

    /// The default stream, or one that is there.
    pub fn check_stream(&self, handle: u64) -> Answer {
        match handle {
            // Null, and the names of the default streams.
            0..=2 => Ok(()),
            _ if matches!(self.objects.get(&handle), Some(Object::Stream)) => Ok(()),
            _ => Err(INVALID_HANDLE),
        }
    }

    /// Waits for a stream: everything is done already.
    pub fn synchronize(&mut self, stream: u64) -> Answer {
        self.check_stream(stream)?;
        self.report.write();
        self.healthy()
    }

    /// Forgets a stream or an event.
    pub fn forget(&mut self, handle: u64) -> Answer {
        match self.objects.get(&handle) {
            Some(Object::Stream | Object::Event(_)) => {
                self.objects.remove(&handle);
                Ok(())
            }
            _ => Err(INVALID_HANDLE),
        }
    }

    /// An event.
    pub fn event(&mut self) -> Answer<u64> {
        self.healthy()?;
        Ok(self.add(Object::Event(None)))
    }

    /// Notes the time.
    pub fn record(&mut self, handle: u64, stream: u64) -> Answer {
        self.healthy()?;
        self.check_stream(stream)?;
        match self.objects.get_mut(&handle) {
            Some(Object::Event(time)) => {
                *time = Some(Instant::now());
                Ok(())
            }
            _ => Err(INVALID_HANDLE),
        }
    }

    /// When an event was, or nothing if it was not recorded.
    pub fn time(&self, handle: u64) -> Answer<Option<Instant>> {
        match self.objects.get(&handle) {
            Some(Object::Event(time)) => Ok(*time),
            _ => Err(INVALID_HANDLE),
        }
    }
}
