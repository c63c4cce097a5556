//! Orders, dominators and cycles of small graphs, worked out by hand and by trying all ways.

use ad_passes::support::graph::Graph;

/// 0 -> 1; loop 1 2 3 4 with an inner loop 2 3; 4 -> 5.
fn nest() -> Graph {
    Graph::new(vec![vec![1], vec![2, 5], vec![3], vec![2, 4], vec![1], vec![]])
}

/// 0 -> 1, 2; 1 <-> 2, so that the loop has two entries; 2 -> 3.
fn irreducible() -> Graph {
    Graph::new(vec![vec![1, 2], vec![2], vec![1, 3], vec![]])
}

#[test]
fn an_order_has_what_is_before_first() {
    assert_eq!(nest().order()[..2], [0, 1]);
    let diamond = Graph::new(vec![vec![1, 2], vec![3], vec![3], vec![], vec![3]]);
    let order = diamond.order();
    assert_eq!((order[0], order[3], order.len()), (0, 3, 4));
}

#[test]
fn dominators_are_on_every_path() {
    let dominators = nest().dominators();
    assert_eq!(dominators.above(5), Some(1));
    assert_eq!(dominators.above(4), Some(3));
    assert!(dominators.dominates(0, 5) && !dominators.dominates(4, 5));
    // Also a node that the entry does not reach, and one with several below it.
    let tree = Graph::new(vec![vec![1, 2], vec![3, 4], vec![], vec![], vec![], vec![3]]);
    for graph in [nest(), tree] {
        let dominators = graph.dominators();
        for (upper, node) in (0..6).flat_map(|upper| (0..6).map(move |node| (upper, node))) {
            let mut above = std::iter::successors(Some(node), |&node| dominators.above(node));
            assert_eq!(dominators.dominates(upper, node), above.any(|it| it == upper));
        }
    }
    let dominators = irreducible().dominators();
    assert_eq!([1, 2, 3].map(|node| dominators.above(node)), [Some(0), Some(0), Some(2)]);
}

#[test]
fn frontiers_are_where_ways_meet() {
    let frontiers = |graph: Graph| graph.frontiers(&graph.dominators());
    assert_eq!(frontiers(nest()), [vec![], vec![1], vec![1, 2], vec![1, 2], vec![1], vec![]]);
    assert_eq!(frontiers(irreducible()), [vec![], vec![2], vec![1], vec![]]);
    // Two edges from one node to another, and one from a node that the entry does not reach.
    let twice = Graph::new(vec![vec![1, 1], vec![2], vec![], vec![2]]);
    assert_eq!(frontiers(twice), vec![vec![]; 4]);
    let ladder = Graph::new(vec![vec![1, 2], vec![2, 3], vec![3], vec![]]);
    assert_eq!(frontiers(ladder), [vec![], vec![2, 3], vec![3], vec![]]);
}

#[test]
fn loops_nest() {
    assert_eq!(nest().depths(), [0, 1, 2, 2, 1, 0]);
    assert_eq!(irreducible().depths(), [0, 1, 1, 0]);
    assert_eq!(Graph::new(vec![vec![1], vec![1, 2], vec![]]).depths(), [0, 1, 0]);
}

#[test]
fn cycles_are_in_the_order_of_the_list() {
    assert_eq!(nest().cycles(&[5, 4, 3, 2, 1, 0]), [[4, 3, 2, 1]]);
    assert_eq!(nest().cycles(&[0, 2, 3, 4]), [[2, 3]]);
    assert_eq!(irreducible().cycles(&[0, 1, 2, 3]), [[1, 2]]);
    let loops = Graph::new(vec![vec![0, 1], vec![2], vec![1, 3], vec![3], vec![]]);
    assert_eq!(loops.cycles(&[3, 4, 2, 1, 0]), [vec![3], vec![2, 1], vec![0]]);
    // Every part by reachability, in graphs that are made at random.
    let mut state = 1u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    for _ in 0..200 {
        let count = 1 + random(8);
        let edges = (0..count).map(|_| (0..random(3)).map(|_| random(count)).collect());
        let graph = Graph::new(edges.collect());
        let all: Vec<_> = (0..count).collect();
        let reached: Vec<_> = all.iter().map(|&node| graph.reached(node, None)).collect();
        let part = |&a: &usize| -> Vec<usize> {
            all.iter().copied().filter(|&b| reached[a][b] && reached[b][a]).collect()
        };
        let mut expected: Vec<_> = all.iter().map(part).filter(|p| !p.is_empty()).collect();
        expected.sort();
        expected.dedup();
        assert_eq!(graph.cycles(&all), expected);
    }
}

#[test]
fn a_node_reaches_itself_only_round_a_cycle() {
    assert!(nest().reached(2, None)[2] && !nest().reached(0, None)[0]);
    assert!(!nest().reached(2, Some(3))[2]);
    assert!(nest().reached(4, Some(1))[1] && !nest().reached(4, Some(1))[5]);
}

#[test]
fn turned_round_the_exit_comes_first() {
    let (turned, names) = nest().reversed(5);
    assert_eq!(names[..2], [5, 1]);
    let above = |node: usize| {
        let number = names.iter().position(|&name| name == node);
        number.and_then(|number| turned.dominators().above(number)).map(|a| names[a])
    };
    assert_eq!(above(2), Some(3));
    assert_eq!(above(0), Some(1));
}
