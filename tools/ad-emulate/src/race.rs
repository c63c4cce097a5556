//! Puts a race into words.

use crate::{
    launch::Ctx,
    shadow::{Access, Earlier, Kind},
};

/// Says which two threads race, and on which lines.
pub(crate) fn describe(ctx: &Ctx<'_>, access: Access, earlier: &Earlier) -> String {
    let launch = ctx.launch;
    let [name, thread, block] = [
        launch.name.clone(),
        list(launch.thread_at(ctx.number)),
        list(launch.block_at(earlier.now)),
    ];
    let other = match earlier.thread {
        Some(thread) => format!("thread {}", list(launch.thread_at(thread))),
        None => "another thread".to_owned(),
    };
    let other_block = list(launch.block_at(earlier.block));
    let does = match access.kind {
        Kind::Read => "reads",
        Kind::Write => "writes",
        Kind::Atomic => "updates",
    };
    let did = match earlier.kind {
        Kind::Read => "read",
        Kind::Write => "wrote",
        Kind::Atomic => "updated",
    };
    let lines = match (access.line, earlier.line) {
        (0, 0) => String::new(),
        (line, 0) => format!(" (line {line} and an unknown one)"),
        (0, line) => format!(" (an unknown line and line {line})"),
        (line, other) => format!(" (line {line} and line {other})"),
    };
    format!(
        "race in @{name}: thread {thread} of block {block} {does} what {other} of block {other_block} {did}{lines}"
    )
}

fn list([x, y, z]: [i64; 3]) -> String {
    format!("({x}, {y}, {z})")
}
