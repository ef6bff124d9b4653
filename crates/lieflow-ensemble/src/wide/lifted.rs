//! Systems side by side, made by what they say of themselves as [`Lift`].
//!
//! A system that can be taken to other numbers names each of its numbers once, always in the same order. So the numbers of
//! every system are written down first, and then one of them is taken to numbers with lanes, where
//! each takes what the systems have in its place. The function that does so is a plain one and can hold nothing: the
//! lists lie beside it, one for each thread.
use super::Packed;
use super::dispatch::Number;
use super::gather::ROOM;
use lieflow::problem::Lift;
use std::cell::RefCell;

/// The numbers of all systems, by their places.
#[derive(Default)]
struct Lists {
    lanes: Vec<[f64; ROOM]>,
    next: usize,
    /// The lane that is written, and whether a number had no place beside those of the first system.
    lane: usize,
    astray: bool,
}

thread_local! {
    static LISTS: RefCell<Lists> = RefCell::default();
}

/// Writes a number of a system down.
fn note(x: f64) -> f64 {
    LISTS.with_borrow_mut(|lists| {
        let (lane, next) = (lists.lane, lists.next);
        if lane == 0 {
            lists.lanes.push([x; ROOM]);
        } else if let Some(numbers) = lists.lanes.get_mut(next) {
            numbers[lane] = x;
        } else {
            lists.astray = true;
        }
        lists.next += 1;
    });
    x
}

/// The numbers in the next place.
fn next<N: Number>(_: f64) -> N {
    LISTS.with_borrow_mut(|lists| {
        lists.next += 1;
        match lists.lanes.get(lists.next - 1) {
            Some(numbers) => N::read_lanes(numbers),
            None => {
                lists.astray = true;
                N::zero()
            }
        }
    })
}

/// Systems side by side, as many as there are lanes, if they differ in their numbers only: if all are `alike`, and have
/// equally many numbers.
pub fn pack<N: Number, P: Lift<Scalar = f64>>(
    items: &[&P],
    alike: impl Fn(&P, &P) -> bool,
) -> Option<Packed<P, N>> {
    let first = *items.first()?;
    if !items.iter().all(|item| alike(first, item)) {
        return None;
    }
    LISTS.with_borrow_mut(|lists| {
        lists.lanes.clear();
        lists.astray = false;
    });
    for (lane, item) in items.iter().enumerate() {
        LISTS.with_borrow_mut(|lists| (lists.lane, lists.next) = (lane, 0));
        let _ = item.lift::<f64>(note);
        LISTS.with_borrow(|lists| lists.next == lists.lanes.len()).then_some(())?;
    }
    LISTS.with_borrow_mut(|lists| lists.next = 0);
    let packed = first.lift::<N>(next::<N>);
    let all = |lists: &Lists| !lists.astray && lists.next == lists.lanes.len();
    LISTS.with_borrow(all).then_some(packed)
}
