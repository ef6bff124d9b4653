//! Pairs of vectors read from a list in packs, and written back.
use super::Twist;
use crate::action::Link;
use lieflow_kernel::Real;
use lieflow_kernel::wide::{Vectors, pack, unpack};

macro_rules! packed {
    ($name:ident { $first:ident, $second:ident }) => {
        impl<S: Real> $name<S> {
            /// The first elements of a list, as many as make a pack.
            #[inline(always)]
            pub(crate) fn gather<V: Vectors>(list: &[Self]) -> $name<S::Pack<V>> {
                // Where one makes a pack, the others are not looked at.
                let last = S::width::<V>() - 1;
                let list = &list[..=last];
                let (a, b, c, d) = (list[0], list[last.min(1)], list[last.min(2)], list[last]);
                $name {
                    $first: pack::<S, V>([a.$first, b.$first, c.$first, d.$first]),
                    $second: pack::<S, V>([a.$second, b.$second, c.$second, d.$second]),
                }
            }
            /// Replaces the first elements of a list.
            #[inline(always)]
            pub(crate) fn scatter<V: Vectors>(wide: &$name<S::Pack<V>>, list: &mut [Self]) {
                let (first, second) = (unpack::<S, V>(wide.$first), unpack::<S, V>(wide.$second));
                let list = &mut list[..S::width::<V>()];
                let mut i = 0;
                while i < S::width::<V>() {
                    list[i] = $name { $first: first[i], $second: second[i] };
                    i += 1;
                }
            }
        }
    };
}
packed!(Twist { angular, linear });
packed!(Link { q, omega });
