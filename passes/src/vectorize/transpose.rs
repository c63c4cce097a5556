//! Squares of lanes that are transposed in registers, and other shuffles.

use ad_dialect::ir::{TyExt, Val};
use melior::ir::{Type, ValueLike};

use crate::support::builder::Builder;

/// The columns of a square, given its rows: of vectors, a power of two of them, as many lanes from `start` on.
pub(super) fn transpose<'c>(b: &Builder<'c>, rows: &[Val<'c>], mut start: usize) -> Vec<Val<'c>> {
    let mut vectors = rows.to_vec();
    let mut piece = rows.len() / 2;
    while piece > 0 {
        for i in (0..rows.len()).filter(|i| i & piece == 0) {
            let pair = [vectors[i], vectors[i + piece]];
            [vectors[i], vectors[i + piece]] =
                [0, piece].map(|from| pieces(b, pair, rows.len(), piece, [start + from; 2]));
        }
        (start, piece) = (0, piece / 2);
    }
    vectors
}

/// Of each two neighbouring pieces of two vectors, one of each vector in turn: the one that begins at a
/// lane; so many lanes in all.
pub(super) fn pieces<'c>(
    b: &Builder<'c>,
    [x, y]: [Val<'c>; 2],
    lanes: usize,
    piece: usize,
    from: [usize; 2],
) -> Val<'c> {
    let width = x.r#type().lanes().first().map_or(lanes, |&lanes| lanes as usize);
    let of = |start: usize| (start..start + piece).collect::<Vec<_>>();
    let both = |start| [of(start + from[0]), of(width + start + from[1])].concat();
    shuffle(b, x, y, (0..lanes).step_by(2 * piece).flat_map(both).collect())
}

/// A vector of the lanes of vectors with so many each, a power of two of them.
pub(super) fn join<'c>(b: &Builder<'c>, mut vectors: Vec<Val<'c>>, mut lanes: usize) -> Val<'c> {
    while vectors.len() > 1 {
        lanes *= 2;
        let both = |pair: &[Val<'c>]| shuffle(b, pair[0], pair[1], (0..lanes).collect());
        vectors = vectors.chunks(2).map(both).collect();
    }
    vectors[0]
}

/// Lanes of two vectors.
pub(super) fn shuffle<'c>(b: &Builder<'c>, x: Val<'c>, y: Val<'c>, lanes: Vec<usize>) -> Val<'c> {
    let ty = Type::vector(&[lanes.len() as u64], x.r#type().scalar());
    let mask: Vec<_> = lanes.into_iter().map(|lane| lane as i64).collect();
    b.val_with("vector.shuffle", &[x, y], ty, &[("mask", b.i64s_attr(&mask))])
}
