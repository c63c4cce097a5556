//! Progress of long work, on a terminal only.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Something is going on.
pub fn spinner(what: &'static str) -> ProgressBar {
    let spinner = ProgressBar::new_spinner().with_message(what);
    spinner.enable_steady_tick(Duration::from_millis(200));
    spinner
}

/// `length` steps of something.
pub fn bar(length: u64, what: &'static str) -> ProgressBar {
    let bar = ProgressBar::new(length).with_message(what);
    if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}") {
        bar.set_style(style);
    }
    bar
}
