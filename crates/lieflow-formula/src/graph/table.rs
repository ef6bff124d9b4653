//! Something for each of some nodes: pages of neighbours, so that looking is two loads, and a table
//! for few nodes of a large graph stays small.
use super::Id;

/// Nodes on a page.
const PAGE: usize = 64;

/// A map from nodes.
#[derive(Clone, Debug)]
pub struct Table<V> {
    /// Where the page of a node begins, counted from one; zero if there is none.
    pages: Vec<u32>,
    values: Vec<[Option<V>; PAGE]>,
}

impl<V> Default for Table<V> {
    fn default() -> Self {
        Self { pages: Vec::new(), values: Vec::new() }
    }
}

impl<V: Copy> Table<V> {
    /// What is kept for a node.
    pub fn get(&self, id: Id) -> Option<V> {
        let page = *self.pages.get(id as usize / PAGE)? as usize;
        self.values.get(page.wrapping_sub(1))?[id as usize % PAGE]
    }
    /// Whether something is.
    pub fn has(&self, id: Id) -> bool {
        self.get(id).is_some()
    }
    /// The place of a node.
    pub fn slot(&mut self, id: Id) -> &mut Option<V> {
        let (page, k) = (id as usize / PAGE, id as usize % PAGE);
        if page >= self.pages.len() {
            self.pages.resize(page + 1, 0);
        }
        if self.pages[page] == 0 {
            self.values.push([None; PAGE]);
            self.pages[page] = self.values.len() as u32;
        }
        &mut self.values[self.pages[page] as usize - 1][k]
    }
    /// Keeps something for a node.
    pub fn put(&mut self, id: Id, value: V) {
        *self.slot(id) = Some(value);
    }
    /// The nodes that have something, in order.
    pub fn ids(&self) -> Vec<Id> {
        let mut list = Vec::new();
        for (k, page) in self.pages.iter().enumerate().filter(|(_, page)| **page > 0) {
            let values = self.values[*page as usize - 1].iter().enumerate();
            let first = k * PAGE;
            list.extend(values.filter(|(_, x)| x.is_some()).map(|(i, _)| (first + i) as Id));
        }
        list
    }
}
