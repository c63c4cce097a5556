//! What MLIR's library says of sets of integers is what trying all integers of a
//! box says.

use ad_calculus::{
    oracle::Oracle,
    subset::is_subset,
    systems::{System, Union},
    testing::{FourierMotzkin, count, optimised_programs_are_the_programs},
};
use ad_passes::atl::presburger::Presburger;

/// All variables and locals are between this and its negative.
const MOST: i64 = 3;

/// A generator of numbers that look random (xorshift64*).
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16) % end
    }

    fn within(&mut self, most: i64) -> i64 {
        self.below(2 * most as u64 + 1) as i64 - most
    }

    fn system(&mut self, variables: usize, most_locals: u64) -> System {
        let locals = self.below(most_locals + 1) as usize;
        let columns = variables + locals;
        let mut system = System { locals, ..System::default() };
        for column in 0..columns {
            for sign in [1, -1] {
                let mut row = vec![0; columns + 1];
                (row[column], row[columns]) = (sign, MOST);
                system.inequalities.push(row);
            }
        }
        for _ in 0..self.below(5) {
            let most = if self.below(2) == 0 { 1 } else { 5 };
            let mut row: Vec<i64> = (0..columns).map(|_| self.within(most)).collect();
            row.push(self.within(8));
            match self.below(3) {
                0 => system.equalities.push(row),
                _ => system.inequalities.push(row),
            }
        }
        system
    }

    fn union(&mut self, variables: usize, most_locals: u64) -> Union {
        let count = 1 + self.below(3);
        let systems = (0..count).map(|_| self.system(variables, most_locals)).collect();
        Union { variables, systems }
    }
}

/// All points of a box.
fn points(dimensions: usize) -> Vec<Vec<i64>> {
    (0..dimensions).fold(vec![vec![]], |points, _| {
        let longer = points.iter().flat_map(|point| {
            (-MOST..=MOST).map(move |next| point.iter().copied().chain([next]).collect())
        });
        longer.collect()
    })
}

fn has(system: &System, point: &[i64]) -> bool {
    let value = |row: &Vec<i64>, locals: &[i64]| {
        let values = point.iter().chain(locals).chain(&[1]);
        row.iter().zip(values).map(|(factor, value)| factor * value).sum::<i64>()
    };
    points(system.locals).iter().any(|locals| {
        system.equalities.iter().all(|row| value(row, locals) == 0)
            && system.inequalities.iter().all(|row| value(row, locals) >= 0)
    })
}

/// The points of the box in a union.
fn in_box(union: &Union) -> Vec<bool> {
    let all = points(union.variables);
    let is_in = |point: &Vec<i64>| union.systems.iter().any(|system| has(system, point));
    all.iter().map(is_in).collect()
}

#[test]
fn emptiness_is_exact() {
    let mut empty = [0; 2];
    for seed in 0..4000 {
        let mut random = Random::new(seed);
        let variables = 1 + random.below(3) as usize;
        let system = random.system(variables, 1);
        let is_empty = !points(variables).iter().any(|point| has(&system, point));
        assert_eq!(Presburger.is_empty(variables, &system), is_empty, "seed {seed}: {system:?}");
        // What the tests of the calculus use knows less, and nothing else.
        let is_known = FourierMotzkin.is_empty(variables, &system);
        assert!(!is_known || is_empty, "seed {seed}: {system:?}");
        empty[0] += u32::from(is_empty);
        empty[1] += u32::from(is_known);
    }
    assert!(empty[0] > 400 && empty[1] < empty[0], "{empty:?}");
}

/// Without bounds of a box, what has a point in it is not empty.
#[test]
fn emptiness_of_what_has_no_bounds() {
    let mut empty = 0;
    for seed in 0..4000 {
        let mut random = Random::new(seed);
        let variables = 1 + random.below(3) as usize;
        let mut system = random.system(variables, 1);
        let has_point = points(variables).iter().any(|point| has(&system, point));
        system.inequalities.drain(..2 * (variables + system.locals));
        let is_empty = Presburger.is_empty(variables, &system);
        assert!(!is_empty || !has_point, "seed {seed}: {system:?}");
        empty += u32::from(is_empty);
    }
    assert!(empty > 400, "{empty}");
}

/// Of what is on the right, locals may make it unknown.
#[test]
fn subsets_are_exact_without_locals() {
    for most_locals in [0, 2] {
        let mut subsets = [0; 2];
        for seed in 0..3000 {
            let mut random = Random::new(seed);
            let variables = 1 + random.below(2) as usize;
            let [left, right] = [1, most_locals].map(|locals| random.union(variables, locals));
            let mut both = in_box(&left).into_iter().zip(in_box(&right));
            let is_true = both.all(|(left, right)| !left || right);
            let is_known = is_subset(&Presburger, &left, &right);
            let text = || format!("seed {seed}: {left:?} {right:?}");
            assert!(!is_known || is_true, "{}", text());
            assert!(is_known || !is_true || most_locals > 0, "{}", text());
            assert!(!is_subset(&FourierMotzkin, &left, &right) || is_true, "{}", text());
            subsets[0] += u32::from(is_true);
            subsets[1] += u32::from(is_known);
        }
        assert!(subsets[0] > 300 && subsets[1] * 10 > subsets[0] * 8, "{subsets:?}");
    }
}

/// Multiples of a number are known as such.
#[test]
fn subsets_of_multiples() {
    // There is a local that times 3 is the variable; with another constant, another
    // factor.
    let multiple = |factor: i64, constant: i64| {
        let system = System {
            locals: 1,
            equalities: vec![vec![1, -factor, constant]],
            inequalities: vec![],
        };
        Union { variables: 1, systems: vec![system] }
    };
    let known = |left: &Union, right: &Union| is_subset(&Presburger, left, right);
    assert!(known(&multiple(6, 0), &multiple(3, 0)));
    assert!(known(&multiple(6, 9), &multiple(3, 0)));
    assert!(!known(&multiple(3, 0), &multiple(6, 0)));
    assert!(!known(&multiple(6, 1), &multiple(3, 0)));
    let systems = [multiple(6, 0), multiple(6, 3)].map(|union| union.systems).concat();
    assert!(known(&multiple(3, 0), &Union { variables: 1, systems }));
}

#[test]
fn shadows_follow() {
    for seed in 0..2000 {
        let mut random = Random::new(seed);
        let variables = 1 + random.below(2) as usize;
        let system = random.system(variables, 2);
        let Some(shadow) = Presburger.shadow(variables, &system) else { continue };
        for point in points(variables) {
            assert!(!has(&system, &point) || has(&shadow, &point), "seed {seed}: {system:?}");
        }
    }
}

#[test]
fn optimised_programs_with_the_library() {
    optimised_programs_are_the_programs(&Presburger, count() / 8);
}
