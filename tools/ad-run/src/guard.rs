//! Turns crashes of compiled code into errors.
//!
//! Compiled code can do what no compiler pass can rule out: read out of bounds, divide by zero, fail an assertion, ask
//! for more memory than there is. Once installed, a guard ends the process with a message and status 1 then. Crashes
//! outside compiled code are left alone.

use std::{
    ffi::{CStr, c_char, c_int, c_uint},
    fmt::Write,
    sync::atomic::{AtomicBool, Ordering::SeqCst},
};

static RUNNING: AtomicBool = AtomicBool::new(false);
/// Whether compiled code ran before.
static HAS_RUN: AtomicBool = AtomicBool::new(false);

const SIGNALS: [(c_int, &str); 5] = [
    (libc::SIGSEGV, "it accessed memory out of bounds, or recursed too deeply"),
    (libc::SIGBUS, "it accessed memory out of bounds"),
    (libc::SIGFPE, "it divided an integer by zero, or the lowest integer by -1"),
    (libc::SIGILL, "it reached a point declared unreachable"),
    (libc::SIGABRT, "it was aborted"),
];

/// Watches compiled code from now on.
pub fn install() {
    for (signal, _) in SIGNALS {
        // SAFETY: the action is filled in; the handler calls only what may be called in one.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = handle as extern "C" fn(c_int) as usize;
            action.sa_flags = libc::SA_ONSTACK;
            libc::sigemptyset(&mut action.sa_mask);
            libc::sigaction(signal, &action, std::ptr::null_mut());
        }
    }
}

/// Runs compiled code.
pub(crate) fn watch(run: impl FnOnce()) {
    RUNNING.store(true, SeqCst);
    run();
    HAS_RUN.store(true, SeqCst);
    RUNNING.store(false, SeqCst);
}

/// Compiled code asked for memory that there is not.
pub(crate) fn out_of_memory(size: usize) -> ! {
    let mut text = Text::default();
    let _ = write!(text, "it asked for {size} bytes of memory, which are not there");
    fail(text.as_str())
}

/// What compiled code calls where an assertion does not hold, in place of the C library's function.
pub(crate) extern "C" fn assert_fail(
    message: *const c_char,
    file: *const c_char,
    line: c_uint,
    _function: *const c_char,
) -> ! {
    // SAFETY: `lower-assertions` passes texts that end with zeros.
    let [message, file] = [message, file].map(|text| unsafe { CStr::from_ptr(text) });
    let [message, file] = [message, file].map(|text| text.to_string_lossy());
    fail(&format!("an assertion failed: {message} ({file}:{line})"))
}

extern "C" fn handle(signal: c_int) {
    if !RUNNING.load(SeqCst) {
        // The allocator of the C library aborts where it finds its lists overwritten.
        if HAS_RUN.load(SeqCst) && signal == libc::SIGABRT {
            fail("it wrote to memory out of bounds, as was found when it had run");
        }
        // SAFETY: returning from the handler repeats what failed, now with the default action.
        unsafe {
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        }
        return;
    }
    let reason = SIGNALS.iter().find(|(known, _)| *known == signal);
    fail(reason.map_or("it crashed", |(_, reason)| reason))
}

/// Says why, and ends the process at once: nothing else is safe in a signal handler.
fn fail(reason: &str) -> ! {
    for part in ["ad-opt: error: the compiled program was stopped: ", reason, "\n"] {
        // SAFETY: the text is valid for its length.
        unsafe { libc::write(libc::STDERR_FILENO, part.as_ptr().cast(), part.len()) };
    }
    // SAFETY: may be called at any time.
    unsafe { libc::_exit(1) }
}

/// A short text that needs no allocation.
struct Text {
    bytes: [u8; 128],
    length: usize,
}

impl Default for Text {
    fn default() -> Self {
        Self { bytes: [0; 128], length: 0 }
    }
}

impl Text {
    fn as_str(&self) -> &str {
        str::from_utf8(&self.bytes[..self.length]).unwrap_or_default()
    }
}

impl Write for Text {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let end = self.length + text.len();
        let place = self.bytes.get_mut(self.length..end).ok_or(std::fmt::Error)?;
        place.copy_from_slice(text.as_bytes());
        self.length = end;
        Ok(())
    }
}
