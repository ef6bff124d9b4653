//! Keeping a bounded number of things at even distances, however many come.
use lieflow::archive::Archive;

/// Says which ones are kept; when there are too many, every second one is dropped.
#[derive(Clone, Debug, Default)]
pub(crate) struct Thinning {
    seen: u64,
    every: u64,
}

impl Thinning {
    /// Names its numbers.
    pub(crate) fn archive(&mut self, archive: &mut Archive) {
        archive.bits(&mut self.seen);
        archive.bits(&mut self.every);
    }

    /// Every so many things are kept.
    pub(crate) fn every(&self) -> u64 {
        self.every.max(1)
    }

    /// Whether the next thing is kept. If the list is full, `halve` is called first, which must apply
    /// [`halve`] to it.
    pub(crate) fn keeps(&mut self, full: bool, halve: impl FnOnce()) -> bool {
        self.every = self.every.max(1);
        let mut keeps = self.seen.is_multiple_of(self.every);
        if keeps && full {
            halve();
            self.every *= 2;
            keeps = self.seen.is_multiple_of(self.every);
        }
        self.seen += 1;
        keeps
    }
}

/// Keeps every second element, beginning with the first.
pub(crate) fn halve<T>(list: &mut Vec<T>) {
    let mut keep = false;
    list.retain(|_| {
        keep = !keep;
        keep
    });
}
