//! Several threads for a list of work.
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc;

/// Does `work` for each item, in about their order, on so many threads; `done` hears of the results,
/// with the number of the item, as they come. `work` is told which thread it is on.
pub fn each<T: Sync, R: Send, E>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T, usize) -> R + Sync,
    mut done: impl FnMut(usize, R) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let (sender, results) = mpsc::channel();
    let (work, next) = (&work, &next);
    std::thread::scope(|scope| {
        for worker in 0..threads.max(1) {
            let sender = sender.clone();
            scope.spawn(move || {
                loop {
                    let k = next.fetch_add(1, Relaxed);
                    let Some(item) = items.get(k) else { break };
                    if sender.send((k, work(item, worker))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        results.iter().try_for_each(|(k, result)| done(k, result))
    })
}
