//! Places in arrays, and shapes without dimensions of size one.

use ad_dialect::ir::DYNAMIC;
use ad_passes::{lower::views::groups_of_kept, support::row_major::position};

#[test]
fn positions_are_row_major() {
    assert_eq!(position(5, &[2, 3]), [1, 2]);
    assert_eq!(position(0, &[]), [0i64; 0]);
}

#[test]
fn groups_end_with_the_first_that_may_be_kept() {
    assert_eq!(groups_of_kept(&[1, 1, 1], &[1, 1]), Some(vec![vec![0], vec![1, 2]]));
    assert_eq!(groups_of_kept(&[1, 4, 1, 1], &[4, 1]), Some(vec![vec![0, 1], vec![2, 3]]));
    let dynamic = groups_of_kept(&[1, 1, DYNAMIC], &[1, DYNAMIC]);
    assert_eq!(dynamic, Some(vec![vec![0], vec![1, 2]]));
    // The first one is kept, the third is dropped.
    let between = groups_of_kept(&[1, 4, 1, DYNAMIC], &[1, 4, DYNAMIC]);
    assert_eq!(between, Some(vec![vec![0], vec![1], vec![2, 3]]));
}

#[test]
fn other_slices_are_clear() {
    assert_eq!(groups_of_kept(&[1, 4], &[4]), None);
    assert_eq!(groups_of_kept(&[1, 1], &[1, 1]), None);
}
