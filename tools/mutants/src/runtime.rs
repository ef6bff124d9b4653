//! Which mutant is on: the one whose number `LIEFLOW_MUTANT` has. With `LIEFLOW_MUTANT_COVER` none
//! is, and the file of that name is told which ones are reached.
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

const ASLEEP: u32 = u32::MAX;
const COVER: u32 = u32::MAX - 1;
/// A plain number, because a call for each look at an atomic one makes unoptimised tests several times
/// slower. Every thread that writes it writes the same, and one that does not see it yet asks again.
static mut STATE: u32 = ASLEEP;
static SEEN: [AtomicBool; 20_000] = [const { AtomicBool::new(false) }; 20_000];

/// Whether this mutant is on.
#[inline(always)]
pub fn on(id: u32) -> bool {
    let state = unsafe { STATE };
    state == id || state >= COVER && slow(id)
}

#[cold]
#[inline(never)]
fn slow(id: u32) -> bool {
    let asked = || {
        let number = std::env::var("LIEFLOW_MUTANT").ok().and_then(|text| text.parse().ok());
        let cover = std::env::var_os("LIEFLOW_MUTANT_COVER").map(|_| COVER);
        number.or(cover).unwrap_or(0)
    };
    if unsafe { STATE } == ASLEEP {
        let state = asked();
        unsafe { STATE = state };
    }
    let state = unsafe { STATE };
    let seen = &SEEN[id as usize];
    if state == COVER && !seen.load(Relaxed) && !seen.swap(true, Relaxed) {
        let path = std::env::var_os("LIEFLOW_MUTANT_COVER").unwrap_or_default();
        let file = std::fs::OpenOptions::new().append(true).create(true).open(path);
        let _ = file.and_then(|mut file| file.write_all(format!("{id}\n").as_bytes()));
    }
    state == id
}
