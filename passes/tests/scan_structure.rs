//! Which components of a scan's operator depend on which: blocks, and columns of the Jacobian that are found together.

use ad_passes::ad::rules::scan::structure::{Coordinate, Structure};

fn structure(direct: &[u64]) -> Structure {
    let coordinates =
        (0..direct.len()).map(|component| Coordinate { component, element: 0 }).collect();
    Structure::new(coordinates, direct.to_vec())
}

#[test]
fn rows_of_a_matrix_are_apart() {
    let product = structure(&[0b0011, 0b0011, 0b1100, 0b1100]);
    assert_eq!(product.blocks(), [[0, 1], [2, 3]]);
    assert_eq!(product.colors(), [[0, 2], [1, 3]]);
    assert_eq!(product.products(), 16);
}

#[test]
fn a_chain_fills_in() {
    let chain = structure(&[0b011, 0b110, 0b100]);
    assert!(chain.has(0, 2) && !chain.is_direct(0, 2) && !chain.has(2, 0));
    assert_eq!(chain.blocks(), [[0, 1, 2]]);
    let ends = chain.restrict(|p| p != 1);
    assert!(!ends.has(0, 1));
}
