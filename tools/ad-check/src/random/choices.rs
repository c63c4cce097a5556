//! The draws of a random program: whatever makes a program from draws shrinks by shrinking these.

use crate::numbers::Rng;

/// Random draws, or recorded ones again, after which every draw is 0.
pub struct Choices {
    drawn: Vec<usize>,
    recorded: std::vec::IntoIter<usize>,
    rng: Option<Rng>,
}

impl Choices {
    /// Random draws; equal seeds give equal ones.
    pub fn random(seed: u64) -> Choices {
        Choices { drawn: vec![], recorded: vec![].into_iter(), rng: Some(Rng::new(seed)) }
    }

    /// Draws as they were recorded.
    pub fn again(recorded: Vec<usize>) -> Choices {
        Choices { drawn: vec![], recorded: recorded.into_iter(), rng: None }
    }

    /// A number below `n`; 0 should stand for what is simplest.
    pub fn below(&mut self, n: usize) -> usize {
        let random = self.rng.as_mut().map_or(0, |rng| rng.below(n));
        let drawn = self.recorded.next().unwrap_or(random).min(n.saturating_sub(1));
        self.drawn.push(drawn);
        drawn
    }

    /// An element of a list that has one at least.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }

    /// All draws so far.
    pub fn into_drawn(self) -> Vec<usize> {
        self.drawn
    }
}

/// Fewer and smaller draws for which `fails` still holds, after `budget` trials at most.
pub fn shrink_choices(
    drawn: Vec<usize>,
    mut budget: usize,
    fails: &mut dyn FnMut(&[usize]) -> bool,
) -> Vec<usize> {
    let mut best = drawn;
    let mut try_it = |best: &mut Vec<usize>, smaller: Vec<usize>| {
        if budget == 0 || smaller == *best {
            return false;
        }
        budget -= 1;
        let holds = fails(&smaller);
        if holds {
            *best = smaller;
        }
        holds
    };
    let mut length = best.len();
    while length > 0 {
        let mut start = 0;
        while start < best.len() {
            let end = (start + length).min(best.len());
            let without = [&best[..start], &best[end..]].concat();
            let mut zeros = best.clone();
            zeros[start..end].fill(0);
            if !try_it(&mut best, without) {
                try_it(&mut best, zeros);
                start += length;
            }
        }
        length /= 2;
    }
    for place in 0..best.len() {
        while best[place] > 1 {
            let mut smaller = best.clone();
            smaller[place] /= 2;
            if !try_it(&mut best, smaller) {
                break;
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_draws_are_drawn_again() {
        let mut random = Choices::random(7);
        let first: Vec<usize> = (1..20).map(|n| random.below(n)).collect();
        let mut again = Choices::again(random.into_drawn());
        assert_eq!(first, (1..20).map(|n| again.below(n)).collect::<Vec<_>>());
        assert_eq!(again.below(5), 0);
    }

    #[test]
    fn draws_shrink_to_those_that_matter() {
        let mut random = Choices::random(3);
        (0..100).for_each(|_| _ = random.below(50));
        let drawn = random.into_drawn();
        let found = shrink_choices(drawn, 10_000, &mut |list| list.iter().any(|&n| n >= 20));
        assert_eq!(found.len(), 1);
        assert!((20..40).contains(&found[0]));
    }
}
