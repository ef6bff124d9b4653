//! Which mutant is on: the one whose number `LIEFLOW_MUTANT` has. With `LIEFLOW_MUTANT_COVER` none
//! is, and the file of that name is told which ones are reached.
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

const ASLEEP: u32 = u32::MAX;
const COVER: u32 = u32::MAX - 1;
static STATE: AtomicU32 = AtomicU32::new(ASLEEP);
static SEEN: [AtomicBool; 20_000] = [const { AtomicBool::new(false) }; 20_000];

/// Whether this mutant is on.
#[inline(always)]
pub fn on(id: u32) -> bool {
    let state = STATE.load(Relaxed);
    state == id || state >= COVER && slow(id)
}

#[cold]
#[inline(never)]
fn slow(id: u32) -> bool {
    if STATE.load(Relaxed) == ASLEEP {
        let number = std::env::var("LIEFLOW_MUTANT").ok().and_then(|text| text.parse().ok());
        let cover = std::env::var_os("LIEFLOW_MUTANT_COVER").map(|_| COVER);
        STATE.store(number.or(cover).unwrap_or(0), Relaxed);
        return on(id);
    }
    if !SEEN[id as usize].swap(true, Relaxed) {
        let path = std::env::var_os("LIEFLOW_MUTANT_COVER").unwrap_or_default();
        let file = std::fs::OpenOptions::new().append(true).create(true).open(path);
        let _ = file.and_then(|mut file| file.write_all(format!("{id}\n").as_bytes()));
    }
    false
}
