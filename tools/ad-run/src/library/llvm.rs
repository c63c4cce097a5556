//! Machine code by LLVM's C interface.

use std::ffi::{CStr, CString, c_char, c_int, c_void};

use anyhow::{Result, anyhow, bail, ensure};
use melior::ir::Module;
use mlir_sys as sys;

use super::{Cpu, Options};

/// What programs need and the C library does not have.
const SUPPORT: &str = include_str!("support.ll");
/// The C library's allocator, which ends the program when there is no memory.
const MEMORY: &str = include_str!("memory.ll");
/// Rounding to bfloat16.
const BFLOAT: &str = include_str!("bfloat.ll");

/// Compiles a module in the LLVM dialect, together with `interface`, which is LLVM IR, to a position-independent object
/// file that has the `exported` functions.
pub fn object(
    module: &Module,
    interface: &str,
    exported: &[&str],
    options: &Options,
) -> Result<Vec<u8>> {
    let machine = Machine::new(options)?;
    let code = Code::translate(module)?;
    code.link(interface)?;
    code.link(SUPPORT)?;
    code.keep_internal(exported);
    code.verify()?;
    machine.optimize(&code, options.level)?;

    // LLVM knows what `malloc` does, so it is replaced afterwards.
    code.rename(c"malloc", c"ad_malloc");
    code.rename(c"calloc", c"ad_calloc");
    code.link(MEMORY)?;
    code.keep_internal(exported);
    // The call is made only when machine code is.
    if code.text().contains("bfloat") {
        code.link(BFLOAT)?;
    }
    machine.emit(&code)
}

/// Generates machine code for a processor.
struct Machine {
    raw: TargetMachine,
    triple: CString,
}

impl Machine {
    fn new(options: &Options) -> Result<Self> {
        initialize();
        // SAFETY: the strings that LLVM returns are copied before they are disposed of; all others outlive their calls.
        unsafe {
            let triple = take(LLVMGetDefaultTargetTriple());
            let (cpu, features) = match options.cpu {
                Cpu::Native => (take(LLVMGetHostCPUName()), take(LLVMGetHostCPUFeatures())),
                Cpu::Named(name) => (CString::new(name)?, CString::default()),
            };
            let mut target = std::ptr::null_mut();
            let mut message = std::ptr::null_mut();
            if LLVMGetTargetFromTriple(triple.as_ptr(), &mut target, &mut message) != 0 {
                bail!("LLVM cannot compile for this computer: {}", shown(message));
            }
            const PIC: c_int = 2;
            const DEFAULT_CODE_MODEL: c_int = 0;
            let raw = LLVMCreateTargetMachine(
                target,
                triple.as_ptr(),
                cpu.as_ptr(),
                features.as_ptr(),
                options.level,
                PIC,
                DEFAULT_CODE_MODEL,
            );
            ensure!(!raw.is_null(), "LLVM cannot compile for this processor");
            Ok(Self { raw, triple })
        }
    }

    /// Runs what the JIT runs.
    fn optimize(&self, code: &Code, level: i32) -> Result<()> {
        let passes = CString::new(format!("default<O{level}>"))?;
        // SAFETY: machine and module are valid; the options are disposed of once.
        unsafe {
            sys::LLVMSetTarget(code.module, self.triple.as_ptr());
            let layout = LLVMCreateTargetDataLayout(self.raw);
            let text = take(LLVMCopyStringRepOfTargetData(layout));
            LLVMDisposeTargetData(layout);
            sys::LLVMSetDataLayout(code.module, text.as_ptr());

            let options = LLVMCreatePassBuilderOptions();
            LLVMPassBuilderOptionsSetLoopInterleaving(options, 1);
            LLVMPassBuilderOptionsSetLoopVectorization(options, 1);
            LLVMPassBuilderOptionsSetSLPVectorization(options, 1);
            LLVMPassBuilderOptionsSetLoopUnrolling(options, 1);
            let error = LLVMRunPasses(code.module, passes.as_ptr(), self.raw, options);
            LLVMDisposePassBuilderOptions(options);
            if !error.is_null() {
                let message = LLVMGetErrorMessage(error);
                let text = CStr::from_ptr(message).to_string_lossy().into_owned();
                LLVMDisposeErrorMessage(message);
                bail!("LLVM cannot optimise the program: {text}");
            }
        }
        Ok(())
    }

    /// An object file.
    fn emit(&self, code: &Code) -> Result<Vec<u8>> {
        const OBJECT: c_int = 1;
        let mut message = std::ptr::null_mut();
        let mut buffer: sys::LLVMMemoryBufferRef = std::ptr::null_mut();
        // SAFETY: machine and module are valid; the buffer is copied before it is disposed of.
        unsafe {
            let failed = LLVMTargetMachineEmitToMemoryBuffer(
                self.raw,
                code.module,
                OBJECT,
                &mut message,
                &mut buffer,
            );
            if failed != 0 {
                bail!("LLVM cannot make machine code: {}", shown(message));
            }
            let start = sys::LLVMGetBufferStart(buffer).cast::<u8>();
            let bytes = std::slice::from_raw_parts(start, sys::LLVMGetBufferSize(buffer)).to_vec();
            sys::LLVMDisposeMemoryBuffer(buffer);
            Ok(bytes)
        }
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        // SAFETY: the machine is valid and not used again.
        unsafe { LLVMDisposeTargetMachine(self.raw) }
    }
}

/// A module of LLVM IR in a context of its own.
struct Code {
    context: sys::LLVMContextRef,
    module: sys::LLVMModuleRef,
}

impl Code {
    fn translate(module: &Module) -> Result<Self> {
        // SAFETY: the operation is a module in the LLVM dialect; a null module is not taken.
        unsafe {
            let context = sys::LLVMContextCreate();
            let operation = sys::mlirModuleGetOperation(module.to_raw());
            let module = sys::mlirTranslateModuleToLLVMIR(operation, context);
            if module.is_null() {
                sys::LLVMContextDispose(context);
                bail!("LLVM does not accept the program");
            }
            Ok(Self { context, module })
        }
    }

    /// Adds LLVM IR; of functions to be linked once, those that are used.
    fn link(&self, text: &str) -> Result<()> {
        let name = c"library";
        let mut other = std::ptr::null_mut();
        let mut message = std::ptr::null_mut();
        // SAFETY: the text is copied; the parser takes the buffer, and the linker takes the parsed module.
        unsafe {
            let buffer = sys::LLVMCreateMemoryBufferWithMemoryRangeCopy(
                text.as_ptr().cast(),
                text.len(),
                name.as_ptr(),
            );
            if LLVMParseIRInContext(self.context, buffer, &mut other, &mut message) != 0 {
                bail!("internal error in the interface of the library: {}", shown(message));
            }
            sys::LLVMSetTarget(other, sys::LLVMGetTarget(self.module));
            sys::LLVMSetDataLayout(other, sys::LLVMGetDataLayoutStr(self.module));
            ensure!(LLVMLinkModules2(self.module, other) == 0, "the program cannot be linked");
        }
        Ok(())
    }

    /// Lets nobody see what is not exported, so that LLVM may specialise and drop it.
    fn keep_internal(&self, exported: &[&str]) {
        // SAFETY: the module, its functions and its variables are valid.
        unsafe {
            let mut next = sys::LLVMGetFirstFunction(self.module);
            while !next.is_null() {
                hide_unless(next, exported);
                next = sys::LLVMGetNextFunction(next);
            }
            let mut next = sys::LLVMGetFirstGlobal(self.module);
            while !next.is_null() {
                hide_unless(next, &[]);
                next = sys::LLVMGetNextGlobal(next);
            }
        }
    }

    /// Gives a function that is only declared another name.
    fn rename(&self, name: &CStr, other: &CStr) {
        // SAFETY: module and names are valid.
        unsafe {
            let function = sys::LLVMGetNamedFunction(self.module, name.as_ptr());
            if !function.is_null() && sys::LLVMIsDeclaration(function) != 0 {
                sys::LLVMSetValueName2(function, other.as_ptr(), other.count_bytes());
            }
        }
    }

    fn verify(&self) -> Result<()> {
        const RETURN_STATUS: c_int = 2;
        let mut message = std::ptr::null_mut();
        // SAFETY: the module is valid.
        unsafe {
            if LLVMVerifyModule(self.module, RETURN_STATUS, &mut message) != 0 {
                return Err(anyhow!("LLVM does not accept the program: {}", shown(message)));
            }
            sys::LLVMDisposeMessage(message);
        }
        Ok(())
    }

    /// The IR, to read.
    fn text(&self) -> String {
        // SAFETY: the module is valid.
        unsafe { shown(sys::LLVMPrintModuleToString(self.module)) }
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        // SAFETY: both are valid and not used again.
        unsafe {
            sys::LLVMDisposeModule(self.module);
            sys::LLVMContextDispose(self.context);
        }
    }
}

/// Makes a function or variable that is defined internal, unless it is exported or LLVM gives it a meaning.
///
/// # Safety
///
/// The value is a function or variable.
unsafe fn hide_unless(value: sys::LLVMValueRef, exported: &[&str]) {
    const DEFAULT_VISIBILITY: sys::LLVMVisibility = 0;
    let mut length = 0;
    // SAFETY: names are valid for their length. What is internal has the default visibility.
    unsafe {
        let name = sys::LLVMGetValueName2(value, &mut length);
        let name = std::slice::from_raw_parts(name.cast::<u8>(), length);
        let seen = exported.iter().any(|exported| exported.as_bytes() == name);
        if !seen && !name.starts_with(b"llvm.") && sys::LLVMIsDeclaration(value) == 0 {
            sys::LLVMSetVisibility(value, DEFAULT_VISIBILITY);
            sys::LLVMSetLinkage(value, sys::LLVMLinkage_LLVMInternalLinkage);
        }
    }
}

/// A copy of a string of LLVM's, which is disposed of.
///
/// # Safety
///
/// The string ends with a zero and comes from LLVM.
unsafe fn take(text: *mut c_char) -> CString {
    // SAFETY: see above.
    unsafe {
        let copy = CStr::from_ptr(text).to_owned();
        sys::LLVMDisposeMessage(text);
        copy
    }
}

/// As `take`, to be shown.
///
/// # Safety
///
/// The string ends with a zero and comes from LLVM.
unsafe fn shown(text: *mut c_char) -> String {
    // SAFETY: see above.
    unsafe { take(text) }.to_string_lossy().into_owned()
}

type TargetMachine = *mut c_void;

// What mlir-sys does not have of LLVM's C interface.
unsafe extern "C" {
    fn LLVMParseIRInContext(
        context: sys::LLVMContextRef,
        buffer: sys::LLVMMemoryBufferRef,
        module: *mut sys::LLVMModuleRef,
        message: *mut *mut c_char,
    ) -> c_int;
    fn LLVMLinkModules2(target: sys::LLVMModuleRef, source: sys::LLVMModuleRef) -> c_int;
    fn LLVMVerifyModule(
        module: sys::LLVMModuleRef,
        action: c_int,
        message: *mut *mut c_char,
    ) -> c_int;

    fn LLVMGetDefaultTargetTriple() -> *mut c_char;
    fn LLVMGetHostCPUName() -> *mut c_char;
    fn LLVMGetHostCPUFeatures() -> *mut c_char;
    fn LLVMGetTargetFromTriple(
        triple: *const c_char,
        target: *mut *mut c_void,
        message: *mut *mut c_char,
    ) -> c_int;
    fn LLVMCreateTargetMachine(
        target: *mut c_void,
        triple: *const c_char,
        cpu: *const c_char,
        features: *const c_char,
        level: c_int,
        relocation: c_int,
        code_model: c_int,
    ) -> TargetMachine;
    fn LLVMDisposeTargetMachine(machine: TargetMachine);
    fn LLVMCreateTargetDataLayout(machine: TargetMachine) -> *mut c_void;
    fn LLVMCopyStringRepOfTargetData(layout: *mut c_void) -> *mut c_char;
    fn LLVMDisposeTargetData(layout: *mut c_void);
    fn LLVMTargetMachineEmitToMemoryBuffer(
        machine: TargetMachine,
        module: sys::LLVMModuleRef,
        kind: c_int,
        message: *mut *mut c_char,
        buffer: *mut sys::LLVMMemoryBufferRef,
    ) -> c_int;

    fn LLVMCreatePassBuilderOptions() -> *mut c_void;
    fn LLVMPassBuilderOptionsSetLoopInterleaving(options: *mut c_void, on: c_int);
    fn LLVMPassBuilderOptionsSetLoopVectorization(options: *mut c_void, on: c_int);
    fn LLVMPassBuilderOptionsSetSLPVectorization(options: *mut c_void, on: c_int);
    fn LLVMPassBuilderOptionsSetLoopUnrolling(options: *mut c_void, on: c_int);
    fn LLVMDisposePassBuilderOptions(options: *mut c_void);
    fn LLVMRunPasses(
        module: sys::LLVMModuleRef,
        passes: *const c_char,
        machine: TargetMachine,
        options: *mut c_void,
    ) -> *mut c_void;
    fn LLVMGetErrorMessage(error: *mut c_void) -> *mut c_char;
    fn LLVMDisposeErrorMessage(message: *mut c_char);
}

/// Lets LLVM generate code for processors of this kind.
macro_rules! initialize {
    ($info:ident $target:ident $code:ident $printer:ident $parser:ident) => {
        fn initialize() {
            unsafe extern "C" {
                fn $info();
                fn $target();
                fn $code();
                fn $printer();
                fn $parser();
            }
            // SAFETY: may be called any number of times, by one thread at a time.
            unsafe {
                $info();
                $target();
                $code();
                $printer();
                $parser();
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
initialize!(LLVMInitializeX86TargetInfo LLVMInitializeX86Target LLVMInitializeX86TargetMC
    LLVMInitializeX86AsmPrinter LLVMInitializeX86AsmParser);
#[cfg(target_arch = "aarch64")]
initialize!(LLVMInitializeAArch64TargetInfo LLVMInitializeAArch64Target LLVMInitializeAArch64TargetMC
    LLVMInitializeAArch64AsmPrinter LLVMInitializeAArch64AsmParser);
