//! What MLIR has to say, for people: `file:line:column: error: text`, the line, and a mark under the column.

use std::{
    error::Error,
    fmt, fs,
    sync::{Arc, Mutex},
};

use melior::{
    Context,
    diagnostic::{Diagnostic, DiagnosticHandlerId, DiagnosticSeverity},
};

/// Collects the diagnostics of a context while it lives.
pub struct Diagnostics<'c> {
    context: &'c Context,
    handler: Option<DiagnosticHandlerId>,
    collected: Arc<Mutex<Vec<String>>>,
}

impl<'c> Diagnostics<'c> {
    /// Takes the diagnostics of a context; prints them on stderr at once if `print`.
    pub fn new(context: &'c Context, print: bool) -> Self {
        let collected = Arc::new(Mutex::new(vec![]));
        let sink = Arc::clone(&collected);
        let handler = context.attach_diagnostic_handler(move |diagnostic| {
            let text = render(&diagnostic);
            if print {
                eprint!("{text}");
            }
            if matches!(diagnostic.severity(), DiagnosticSeverity::Error)
                && let Ok(mut sink) = sink.lock()
            {
                sink.push(text);
            }
            true
        });
        Self { context, handler: Some(handler), collected }
    }

    /// The errors so far, which are forgotten.
    pub fn take_errors(&self) -> Vec<String> {
        self.collected.lock().map(|mut errors| std::mem::take(&mut *errors)).unwrap_or_default()
    }
}

impl Drop for Diagnostics<'_> {
    fn drop(&mut self) {
        if let Some(handler) = self.handler.take() {
            self.context.detach_diagnostic_handler(handler);
        }
    }
}

/// A diagnostic with its notes.
fn render(diagnostic: &Diagnostic<'_>) -> String {
    let severity = match diagnostic.severity() {
        DiagnosticSeverity::Error => "error",
        DiagnosticSeverity::Warning => "warning",
        DiagnosticSeverity::Note => "note",
        DiagnosticSeverity::Remark => "remark",
    };
    let mut text = located(&diagnostic.location().to_string(), severity, &diagnostic.to_string());
    for index in 0..diagnostic.note_count() {
        if let Ok(note) = diagnostic.note(index) {
            text.push_str(&render(&note));
        }
    }
    text
}

/// An error that says where it is, in the form of a diagnostic.
#[derive(Debug)]
pub struct Located(String);

impl Located {
    /// An error at a location, as MLIR prints locations, with a note that has none.
    pub(crate) fn new(location: &str, message: &str, note: Option<&str>) -> Self {
        let mut text = located(location, "error", message);
        if let Some(note) = note {
            text.push_str(&format!("note: {note}\n"));
        }
        Self(text.trim_end().to_string())
    }
}

impl fmt::Display for Located {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Located {}

/// A message at a location, as MLIR prints locations.
fn located(location: &str, severity: &str, message: &str) -> String {
    let Some((file, line, column)) = place(location) else {
        return format!("{severity}: {message}\n");
    };
    let mut text = format!("{file}:{line}:{column}: {severity}: {message}\n");
    if let Some(source) = source_line(file, line) {
        let before = source.chars().take(column.saturating_sub(1));
        let indent: String = before.map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        text.push_str(&format!("{source}\n{indent}^\n"));
    }
    text
}

/// The first `"file":line:column` of a location.
fn place(location: &str) -> Option<(&str, usize, usize)> {
    let mut ends = location.match_indices("\":").map(|(at, _)| at);
    let end = ends.find(|at| location[at + 2..].starts_with(|c: char| c.is_ascii_digit()))?;
    let start = location[..end].rfind('"')? + 1;
    let mut numbers = location[end + 2..].split(|c: char| !c.is_ascii_digit()).map(str::parse);
    Some((&location[start..end], numbers.next()?.ok()?, numbers.next()?.ok()?))
}

/// What stands at a location in the source up to the next mark, such as `%x`.
pub(crate) fn word_at(location: &str) -> Option<String> {
    let (file, line, column) = place(location)?;
    let source = source_line(file, line)?;
    let rest = source.get(column.checked_sub(1)?..)?;
    let end = rest.find(|c: char| c.is_whitespace() || ":,()".contains(c));
    Some(rest[..end.unwrap_or(rest.len())].to_string())
}

fn source_line(file: &str, line: usize) -> Option<String> {
    let bytes = fs::read(file).ok()?;
    let source = bytes.split(|&byte| byte == b'\n').nth(line.checked_sub(1)?)?;
    // Lines of binary files and generated programs would fill the screen.
    let text = str::from_utf8(source).ok()?;
    (text.len() <= 500 && !text.contains('\0')).then(|| text.trim_end().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_in_locations() {
        assert_eq!(place("loc(\"a b.mlir\":3:14)"), Some(("a b.mlir", 3, 14)));
        assert_eq!(place("loc(\"a.mlir\":3:14 to :20)"), Some(("a.mlir", 3, 14)));
        let call = "loc(callsite(\"f\"(\"a.mlir\":1:2) at \"b.mlir\":3:4))";
        assert_eq!(place(call), Some(("a.mlir", 1, 2)));
        assert_eq!(place("loc(unknown)"), None);
    }
}
