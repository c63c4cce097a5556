//! Shuffles, votes and reductions of a warp.

use super::{LANES, thread::Thread};
use crate::{fault::Fault, program::Special, value::Slots};

/// Which lane a shuffle reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shuffle {
    /// A lower one.
    Up,
    /// A higher one.
    Down,
    /// That with some bits of its number changed.
    Butterfly,
    /// That with a number.
    Index,
}

/// What a vote says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vote {
    /// Whether all agree to it.
    All,
    /// Whether one does.
    Any,
    /// Whether all say the same.
    Uniform,
    /// Who does.
    Ballot,
}

/// What lanes do together. Registers are the result, a second one or none, operands, and the mask in the last place.
pub enum Collective {
    /// They exchange values: the operands are value, lane and bounds.
    Shuffle(Shuffle),
    /// They count votes: the operand is a predicate, negated if so.
    Vote(Vote, bool),
    /// They reduce values of 32 bits.
    Reduce(fn(u32, u32) -> u32),
    /// They wait.
    Barrier,
    /// They say who of them is here.
    Present,
}

/// What a lane reads of another that takes no part.
const POISON: u32 = 0xeeee_eeee;

/// Does it for these lanes.
pub fn collect(
    what: &Collective,
    warp: &mut [Thread],
    members: &[usize],
    slots: &Slots,
) -> Result<(), Fault> {
    match what {
        Collective::Barrier => {}
        Collective::Present => {
            let mask = members.iter().fold(0u64, |all, lane| all | 1 << lane);
            for lane in members {
                warp[*lane].set(slots[0], mask);
            }
        }
        Collective::Shuffle(shuffle) => exchange(*shuffle, warp, members, slots),
        Collective::Vote(vote, negated) => {
            let votes: Vec<bool> =
                members.iter().map(|lane| warp[*lane].get::<bool>(slots[2]) != *negated).collect();
            let (all, any) = (votes.iter().all(|v| *v), votes.iter().any(|v| *v));
            let ballot =
                members.iter().zip(&votes).fold(0, |b, (lane, vote)| b | u64::from(*vote) << lane);
            for lane in members {
                let value = match vote {
                    Vote::All => u64::from(all),
                    Vote::Any => u64::from(any),
                    Vote::Uniform => u64::from(all || !any),
                    Vote::Ballot => ballot,
                };
                warp[*lane].set(slots[0], value);
            }
        }
        Collective::Reduce(f) => {
            let values = members.iter().map(|lane| warp[*lane].get::<u32>(slots[2]));
            let total = values.reduce(f).unwrap_or(0);
            for lane in members {
                warp[*lane].set(slots[0], total);
            }
        }
    }
    Ok(())
}

/// The lane that one reads, and whether that is within the bounds, which hold the width of a segment, too.
fn source(shuffle: Shuffle, lane: u32, amount: u32, bounds: u32) -> (u32, bool) {
    let (amount, clamp, segment) = (amount & 31, bounds & 31, bounds >> 8 & 31);
    let last = lane & segment | clamp & !segment;
    let first = lane & segment;
    let (other, is_within) = match shuffle {
        Shuffle::Up => (lane.wrapping_sub(amount), lane as i32 - amount as i32 >= last as i32),
        Shuffle::Down => (lane + amount, lane + amount <= last),
        Shuffle::Butterfly => (lane ^ amount, (lane ^ amount) <= last),
        Shuffle::Index => {
            let other = first | amount & !segment;
            (other, other <= last)
        }
    };
    (if is_within { other } else { lane }, is_within)
}

fn exchange(shuffle: Shuffle, warp: &mut [Thread], members: &[usize], slots: &Slots) {
    let mut values = [POISON; LANES];
    for lane in members {
        values[*lane] = warp[*lane].get(slots[2]);
    }
    for lane in members {
        let thread = &mut warp[*lane];
        let number: u32 = thread.get(Special::Lane as u32);
        let (other, is_within) =
            source(shuffle, number, thread.get(slots[3]), thread.get(slots[4]));
        let value = values.get(other as usize).copied().unwrap_or(POISON);
        thread.set(slots[0], value);
        thread.set(slots[1], is_within);
    }
}
