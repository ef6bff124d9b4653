//! How large the terms of invariants are: the numbers of a state are shaken, and the invariants looked at again.
use super::Scale;
use super::any_point::AnyPoint;
use super::scale::{SHAKE, together};
use super::view::View;
use lieflow::archive::Archive;
use lieflow::problem::{Problem, Watched};

/// So often.
const SHAKES: u32 = 8;

/// The scales of invariants with these values at this state; `shaken` if their terms matter.
pub(super) fn scales(
    p: &View<'_>,
    y: &AnyPoint,
    names: &[&'static str],
    values: &[f64],
    shaken: bool,
) -> Vec<Scale> {
    if !shaken || names.is_empty() {
        return together(names, values, &[]);
    }
    let mut archive = Archive::new();
    let mut copy = y.clone();
    p.archive(&mut copy, &mut archive);
    let bits = archive.finish().unwrap_or_default();
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for shake in 0..SHAKES {
        let mut archive = Archive::of(shaken_bits(&bits, shake));
        p.archive(&mut copy, &mut archive);
        if archive.finish().is_ok() {
            let mut row = vec![0.0; names.len()];
            p.watched_values(&[], &copy, &mut row);
            rows.push(row);
        }
    }
    together(names, values, &rows)
}

/// The numbers of a state, each a little off by a part of itself that is as good as random.
fn shaken_bits(bits: &[u64], shake: u32) -> Vec<u64> {
    let off = |(i, bits): (usize, &u64)| {
        let x = f64::from_bits(*bits);
        // What is no number of a usual size may be a count.
        if !x.is_normal() {
            return *bits;
        }
        // Weyl's sequence, mixed once.
        let word = (i as u64 * u64::from(SHAKES) + u64::from(shake) + 1)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let word = (word ^ (word >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let part = (word >> 11) as f64 / (1u64 << 52) as f64 - 1.0;
        (x * (1.0 + SHAKE * part)).to_bits()
    };
    bits.iter().enumerate().map(off).collect()
}
