//! What a loop saves and why, as remarks: `--remarks-filter-analyse=ad-differentiate`.

use ad_dialect::{
    capi::{self, RemarkKind},
    ir::{DYNAMIC, Op, TyExt, Val},
};
use melior::ir::{Type, operation::OperationLike};

use crate::support::{fold::folded, memory::scalar_bytes};

/// What becomes of a loop-carried value.
pub enum Fate {
    /// The return sweep does not read it.
    Unread,
    /// All of its versions are in the last.
    Frozen,
    /// It never changes.
    Invariant,
    /// An inverse finds its versions.
    Undone,
    /// What is overwritten is saved.
    Overwritten(Vec<Size>),
    /// A copy is saved in every iteration.
    Whole,
}

/// A number of bytes.
pub struct Size {
    /// The product of the factors that are known.
    pub known: u64,
    /// The other factors, as text.
    pub unknown: String,
}

/// What a loop does with the values that it carries.
pub struct Report<'c> {
    /// The loop.
    pub op: Op<'c>,
    /// The number of iterations, if it is a constant.
    pub trips: Option<u64>,
    /// The type and the fate of each value.
    pub fates: Vec<(Type<'c>, Fate)>,
    /// The types of the results of operations in the loop that are saved.
    pub kept: Vec<Type<'c>>,
}

impl<'c> Report<'c> {
    /// Positions of the values of which something is saved.
    pub fn saved(&self) -> Vec<usize> {
        let is_saved = |&i: &usize| matches!(self.fates[i].1, Fate::Whole | Fate::Overwritten(_));
        (0..self.fates.len()).filter(is_saved).collect()
    }

    /// What is saved in an iteration.
    pub fn sizes(&self) -> Vec<Size> {
        let sizes = self.fates.iter().map(|(r#type, fate)| match fate {
            Fate::Whole => vec![size_of(*r#type)],
            Fate::Overwritten(sizes) => {
                sizes.iter().map(|s| Size { known: s.known, unknown: s.unknown.clone() }).collect()
            }
            _ => vec![],
        });
        sizes.flatten().chain(self.kept.iter().map(|r#type| size_of(*r#type))).collect()
    }

    /// All bytes that the loop saves, if they are known before it runs.
    pub fn bytes(&self) -> Option<u64> {
        let sizes = self.sizes();
        let known = sizes.iter().all(|size| size.unknown.is_empty());
        let sum = sizes.iter().fold(0u64, |sum, size| sum.saturating_add(size.known));
        if sum == 0 && known {
            Some(0)
        } else {
            Some(sum.saturating_mul(self.trips?)).filter(|_| known)
        }
    }

    /// Tells the user.
    pub fn emit(&self) {
        let mut entries: Vec<_> = self
            .fates
            .iter()
            .enumerate()
            .map(|(i, (r#type, fate))| {
                (format!("value {i}"), format!("{type}: {}", reason(*r#type, fate)))
            })
            .collect();
        entries.extend(self.kept.iter().enumerate().map(|(i, r#type)| {
            let why = "saved, because computing it again would take more than reading it";
            (format!("product {i}"), format!("{type}: {why}"))
        }));
        entries.push(("bytes".to_owned(), self.bytes_text()));
        entries.push(("executions of the body".to_owned(), "2".to_owned()));
        let entries: Vec<_> =
            entries.iter().map(|(key, text)| (key.as_str(), text.clone())).collect();
        let location = self.op.location();
        capi::emit_remark(
            location,
            RemarkKind::Analysis,
            "ad-differentiate",
            "checkpoints",
            &entries,
        );
    }

    fn bytes_text(&self) -> String {
        if let Some(bytes) = self.bytes() {
            return bytes.to_string();
        }
        let sizes = self.sizes();
        let known: u64 = sizes.iter().filter(|s| s.unknown.is_empty()).map(|s| s.known).sum();
        let mut terms: Vec<_> = sizes
            .iter()
            .filter(|s| !s.unknown.is_empty())
            .map(|s| format!("{}{}", s.known, s.unknown))
            .collect();
        if known > 0 {
            terms.insert(0, known.to_string());
        }
        let trips = self.trips.map_or_else(|| "trips".to_owned(), |trips| trips.to_string());
        match &terms[..] {
            [term] => format!("{term} * {trips}"),
            _ => format!("({}) * {trips}", terms.join(" + ")),
        }
    }
}

fn reason(r#type: Type<'_>, fate: &Fate) -> &'static str {
    match fate {
        Fate::Unread => "not saved: the return sweep does not read it",
        Fate::Frozen => "not saved: without false dependencies, the result holds it",
        Fate::Invariant => "not saved: it does not change",
        Fate::Undone => "not saved: the inverse of the call that it goes through finds it",
        Fate::Overwritten(_) => {
            "what the loop overwrites is saved, because the return sweep reads it"
        }
        Fate::Whole if r#type.as_tensor().is_some() => {
            "saved whole in every iteration, because the return sweep reads it and the loop \
             does not only update it in place"
        }
        Fate::Whole => "saved, because the return sweep reads it",
    }
}

/// The trip count, if the bounds are constants.
pub fn constant_trips(trips: Val<'_>) -> Option<u64> {
    folded(trips).and_then(|trips| u64::try_from(trips).ok())
}

/// The size of a value; unknown sizes appear as `?`.
pub fn size_of(r#type: Type<'_>) -> Size {
    let shape = r#type.shape();
    let fixed: u64 = shape.iter().filter(|&&n| n != DYNAMIC).map(|&n| n as u64).product();
    let unknown = shape.iter().filter(|&&n| n == DYNAMIC).count();
    Size { known: scalar_bytes(r#type.scalar()) * fixed, unknown: " * ?".repeat(unknown) }
}
