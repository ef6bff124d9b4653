//! Which keys of a table were read.
use super::tree::Table;

/// As many names are kept in place; the tables of our systems have no more.
const FEW: usize = 16;

/// The names in the order of reading, some perhaps twice, and the entries that were found.
#[derive(Debug)]
pub(super) struct UsedKeys {
    few: [&'static str; FEW],
    count: usize,
    more: Vec<&'static str>,
    /// One bit for each of the first entries of the table.
    found: u64,
    /// Whether all entries were taken as they are.
    all: bool,
}

impl Default for UsedKeys {
    fn default() -> Self {
        Self { few: [""; FEW], count: 0, more: Vec::new(), found: 0, all: false }
    }
}

impl UsedKeys {
    /// One more name, and which entry it has.
    #[inline]
    pub(super) fn push(&mut self, name: &'static str, entry: Option<usize>) {
        if let Some(i @ 0..64) = entry {
            self.found |= 1 << i;
        }
        match self.few.get_mut(self.count) {
            Some(place) => *place = name,
            None => self.more.push(name),
        }
        self.count += 1;
    }

    /// All entries are taken as they are.
    pub(super) fn take_all(&mut self) {
        self.all = true;
    }

    /// The names.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.few.iter().take(self.count).chain(&self.more).copied()
    }

    /// The first entry that nothing has read.
    pub(super) fn unread(&self, table: &Table) -> Option<usize> {
        if self.all { None } else { self.first_unread(table, 0) }
    }

    /// The entries that nothing has read.
    pub(super) fn rest<'t>(&self, table: &'t Table) -> impl Iterator<Item = usize> + use<'_, 't> {
        let next = |i: &usize| self.first_unread(table, i + 1);
        std::iter::successors(self.first_unread(table, 0), next)
    }

    /// The first entry from `start` on that nothing has read.
    fn first_unread(&self, table: &Table, start: usize) -> Option<usize> {
        let first = ((!self.found).trailing_zeros() as usize).max(start);
        let rest = table.entries.get(first..)?;
        let unread = |(i, (key, ..)): (usize, &(String, _, _))| {
            let bit = self.found.checked_shr(i as u32).is_some_and(|bits| bits & 1 == 1);
            (!bit && !self.names().any(|name| name == key)).then_some(i)
        };
        rest.iter().enumerate().map(|(k, entry)| (first + k, entry)).find_map(unread)
    }
}
