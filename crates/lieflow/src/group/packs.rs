//! Pairs of vectors read from a list in packs, and written back.
use super::Twist;
use crate::action::Link;
use lieflow_kernel::Real;
use lieflow_kernel::wide::{Vectors, pack_two, unpack_two};

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
                let ($first, $second) = pack_two::<S, V>([
                    (a.$first, a.$second),
                    (b.$first, b.$second),
                    (c.$first, c.$second),
                    (d.$first, d.$second),
                ]);
                $name { $first, $second }
            }
            /// Replaces the first elements of a list.
            #[inline(always)]
            pub(crate) fn scatter<V: Vectors>(wide: &$name<S::Pack<V>>, list: &mut [Self]) {
                let single = unpack_two::<S, V>((wide.$first, wide.$second));
                let list = &mut list[..S::width::<V>()];
                let mut i = 0;
                while i < S::width::<V>() {
                    list[i] = $name { $first: single[i].0, $second: single[i].1 };
                    i += 1;
                }
            }
        }
    };
}
packed!(Twist { angular, linear });
packed!(Link { q, omega });
