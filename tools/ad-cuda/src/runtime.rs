//! One context, one stream, modules, buffers; the first error, and what was counted.
//!
//! Nothing touches the driver before the first kernel or buffer is asked for, so that a library that has kernels
//! loads on any machine.

#![allow(unsafe_code)]

use std::{
    collections::HashMap,
    ffi::{CStr, CString, OsString, c_void},
    ptr::null_mut,
};

use crate::{
    Counters, Device,
    device::{Launch, Ready, explain},
    driver::{Failure, Handle, OUT_OF_MEMORY},
    pool::Pool,
};

/// A module of kernels: the image is loaded when a kernel is first asked for.
struct Module {
    image: *const c_void,
    level: u32,
    loaded: Option<Handle>,
    functions: HashMap<CString, Handle>,
}

/// Everything. Invariant: after an error, the driver is not called until the error is taken.
pub struct Runtime {
    path: OsString,
    ready: Option<Result<Ready, String>>,
    error: Option<String>,
    counters: Counters,
    pool: Pool,
    /// Buffers that the host may read and write, with their sizes.
    managed: HashMap<u64, usize>,
    modules: Vec<Option<Module>>,
    names: HashMap<usize, CString>,
}

// SAFETY: handles and images are addresses that the driver takes in any thread.
unsafe impl Send for Runtime {}

impl Runtime {
    /// A runtime that loads the driver from a path, later.
    pub fn new(path: OsString) -> Self {
        Self {
            path,
            ready: None,
            error: None,
            counters: Counters::default(),
            pool: Pool::default(),
            managed: HashMap::new(),
            modules: vec![],
            names: HashMap::new(),
        }
    }

    /// The device, or why there is none.
    pub fn device(&mut self) -> Result<Device, String> {
        Ok(self.ready()?.device.clone())
    }

    /// Waits for all work, also after an error.
    pub fn synchronize(&mut self) {
        if matches!(self.ready, Some(Ok(_))) {
            self.on_device(|_, ready| explain(ready.driver.synchronize(ready.stream)));
        }
    }

    /// Waits for all work, and does what follows on another stream, which stays the user's.
    pub fn set_stream(&mut self, stream: Handle) {
        self.on_device(|_, ready| explain(ready.driver.synchronize(ready.stream)));
        if let Some(Ok(ready)) = &mut self.ready {
            ready.stream = stream;
        }
    }

    /// Waits for all work, and takes the first error.
    pub fn take_error(&mut self) -> Option<String> {
        self.synchronize();
        self.error.take()
    }

    /// The bytes in use in buffers that only the device reads and writes.
    pub fn live_bytes(&self) -> usize {
        self.pool.bytes()
    }

    /// What was counted since the last call.
    pub fn take_counters(&mut self) -> Counters {
        let peak_bytes = self.pool.take_peak();
        Counters { peak_bytes, ..std::mem::take(&mut self.counters) }
    }

    /// Notes a module, whose handle is one more than its number.
    pub fn add_module(&mut self, image: *const c_void, level: u32) -> Handle {
        let functions = HashMap::new();
        self.modules.push(Some(Module { image, level, loaded: None, functions }));
        self.modules.len() as Handle
    }

    /// Forgets a module. At the end of the process the driver may be gone already, so that errors say nothing.
    pub fn remove_module(&mut self, module: Handle) {
        let entry = (module as usize).checked_sub(1).and_then(|n| self.modules.get_mut(n));
        let Some(Module { loaded: Some(loaded), .. }) = entry.and_then(Option::take) else {
            return;
        };
        if let Some(Ok(ready)) = &self.ready
            && self.error.is_none()
            && ready.driver.push(ready.context).is_ok()
        {
            let _ = ready.driver.unload_module(loaded);
            let _ = ready.driver.pop();
        }
    }

    /// A kernel of a module, or null after an error.
    pub fn function(&mut self, module: Handle, name: &CStr) -> Handle {
        let found = self.attempt(|this, ready| {
            let entry = (module as usize).checked_sub(1).and_then(|n| this.modules.get_mut(n));
            let Some(Some(entry)) = entry else {
                return Err(format!("kernel {name:?} of a module that is not loaded"));
            };
            if let Some(function) = entry.functions.get(name) {
                return Ok(*function);
            }
            let loaded = match entry.loaded {
                Some(loaded) => loaded,
                // SAFETY: the image is a constant of the program.
                None => unsafe { ready.load(entry.image, entry.level) }?,
            };
            entry.loaded = Some(loaded);
            let function = ready
                .driver
                .function(loaded, name)
                .map_err(|error| format!("kernel {name:?}: {error}"))?;
            entry.functions.insert(name.into(), function);
            this.names.insert(function as usize, name.into());
            Ok(function)
        });
        found.unwrap_or(null_mut())
    }

    /// Launches a kernel; a grid or a block without threads does nothing.
    ///
    /// # Safety
    ///
    /// Parameters are those of the kernel.
    pub unsafe fn launch(&mut self, function: Handle, launch: &Launch) {
        self.attempt(|this, ready| {
            if launch.grid.contains(&0) || launch.block.contains(&0) {
                return Ok(());
            }
            // SAFETY: see above.
            unsafe { ready.launch(function, launch) }.map_err(|error| {
                let name = this.names.get(&(function as usize)).cloned().unwrap_or_default();
                format!("kernel {name:?}: {error}")
            })?;
            this.counters.launches += 1;
            Ok(())
        });
    }

    /// A buffer on the device, or 0 after an error. Where no memory is left, free buffers are given back first.
    pub fn allocate(&mut self, bytes: usize) -> u64 {
        let address = self.attempt(|this, ready| {
            let size = Pool::size(bytes).ok_or_else(|| format!("a buffer of {bytes} bytes"))?;
            let address = match this.pool.reuse(size) {
                Some(address) => address,
                None => {
                    let address = match ready.driver.allocate(size) {
                        Err(Failure { code: OUT_OF_MEMORY, .. }) => {
                            for free in this.pool.drain() {
                                explain(ready.driver.free(free))?;
                            }
                            ready.driver.allocate(size)
                        }
                        other => other,
                    };
                    let address = address.map_err(|error| {
                        format!("a buffer of {bytes} bytes on the device: {error}")
                    })?;
                    this.counters.allocations += 1;
                    this.counters.allocated_bytes += size;
                    address
                }
            };
            this.pool.insert(address, size);
            Ok(address)
        });
        address.unwrap_or(0)
    }

    /// A buffer that the host may read and write, too, or 0 after an error. It is not used again.
    pub fn allocate_managed(&mut self, bytes: usize) -> u64 {
        let address = self.attempt(|this, ready| {
            let address = explain(ready.driver.allocate_managed(bytes.max(1)))?;
            this.managed.insert(address, bytes.max(1));
            this.counters.allocations += 1;
            this.counters.allocated_bytes += bytes.max(1);
            Ok(address)
        });
        address.unwrap_or(0)
    }

    /// Frees a buffer. This is done after an error, too: the buffer is only noted as free.
    pub fn free(&mut self, address: u64) {
        if address == 0 || self.pool.release(address) {
            return;
        }
        let managed = self.managed.remove(&address).is_some();
        self.attempt(|_, ready| match managed {
            true => explain(ready.driver.free(address)),
            false => Err(format!("freed {address:#x}, which is no buffer on the device")),
        });
    }

    /// Copies, and waits unless both ends are on the device.
    ///
    /// # Safety
    ///
    /// So many bytes are there at both addresses.
    pub unsafe fn copy(&mut self, to: u64, from: u64, bytes: usize) {
        if bytes == 0 {
            return;
        }
        self.attempt(|this, ready| {
            let is_on_device = |address| {
                this.pool.holds(address)
                    || !this.managed.contains_key(&address) && ready.driver.is_on_device(address)
            };
            let ends = (is_on_device(from), is_on_device(to));
            // SAFETY: memory on the host stays until the copy is done, see below; that on the device by the pool.
            explain(unsafe { ready.driver.copy(to, from, bytes, ready.stream) })?;
            match ends {
                (true, true) => this.counters.on_device_bytes += bytes,
                (true, false) => this.counters.to_host_bytes += bytes,
                (false, true) => this.counters.to_device_bytes += bytes,
                (false, false) => {}
            }
            if ends == (true, true) {
                return Ok(());
            }
            explain(ready.driver.synchronize(ready.stream))
        });
    }

    /// Fills a buffer with words of 32 or 16 bits.
    pub fn set(&mut self, to: u64, value: Word, count: usize) {
        if count == 0 {
            return;
        }
        self.attempt(|_, ready| {
            explain(match value {
                Word::Bits32(value) => ready.driver.set_32(to, value, count, ready.stream),
                Word::Bits16(value) => ready.driver.set_16(to, value, count, ready.stream),
            })
        });
    }

    /// What a program means that waits for its stream: the host sees nothing of the device but by copies, which wait
    /// for themselves, and by managed buffers.
    pub fn wait(&mut self) {
        if !self.managed.is_empty() {
            self.synchronize();
        }
    }

    /// Does something with the device as the current one, unless there was an error; keeps the error.
    fn attempt<T>(
        &mut self,
        body: impl FnOnce(&mut Self, &Ready) -> Result<T, String>,
    ) -> Option<T> {
        if self.error.is_some() { None } else { self.on_device(body) }
    }

    /// The same after an error, too; the first error is kept.
    fn on_device<T>(
        &mut self,
        body: impl FnOnce(&mut Self, &Ready) -> Result<T, String>,
    ) -> Option<T> {
        if let Err(error) = self.ready() {
            self.error.get_or_insert(error);
            return None;
        }
        // Taken out, so that the body may change the rest.
        let ready = self.ready.take()?;
        let result = ready.as_ref().map_err(Clone::clone).and_then(|ready| {
            explain(ready.driver.push(ready.context))?;
            let result = body(self, ready);
            explain(ready.driver.pop()).and(result)
        });
        self.ready = Some(ready);
        result.map_err(|error| self.error.get_or_insert(error).clone()).ok()
    }

    /// Loads the driver and opens the device, once.
    fn ready(&mut self) -> Result<&Ready, String> {
        let path = &self.path;
        let ready = self.ready.get_or_insert_with(|| Ready::open(path));
        ready.as_ref().map_err(Clone::clone)
    }
}

/// What a buffer is filled with.
pub enum Word {
    /// A 32-bit word.
    Bits32(u32),
    /// A 16-bit word.
    Bits16(u16),
}
