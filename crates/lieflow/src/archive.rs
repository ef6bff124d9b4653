//! What a run remembers, on its way to a file and back.
//!
//! Whatever remembers something has one function that names all of it, in a fixed order. An archive
//! that is written takes the numbers down; one that is read puts them back, bit by bit. So both
//! directions cannot differ.
use crate::group::LieAlgebra;
use core::any::Any;
use lieflow_kernel::Real;

/// Numbers in the order in which they are named.
#[derive(Clone, Debug, Default)]
pub struct Archive {
    bits: Vec<u64>,
    /// How many were read, if it is read.
    read: Option<usize>,
    refused: Option<&'static str>,
}

/// Why a run cannot go on from an archive where it has less or more than is asked for.
const OTHER_SHAPE: &str = "it is that of a run of another shape";

impl Archive {
    /// An empty one, to be written.
    pub fn new() -> Self {
        Self::default()
    }

    /// One that was written, to be read from its beginning.
    pub fn of(bits: Vec<u64>) -> Self {
        Self { bits, read: Some(0), refused: None }
    }

    /// Whether numbers are put back.
    pub fn is_read(&self) -> bool {
        self.read.is_some()
    }

    /// 64 bits of any meaning.
    pub fn bits(&mut self, bits: &mut u64) {
        match &mut self.read {
            None => self.bits.push(*bits),
            Some(read) => match self.bits.get(*read) {
                Some(found) => {
                    *bits = *found;
                    *read += 1;
                }
                None => self.refuse(OTHER_SHAPE),
            },
        }
    }

    /// A small count.
    pub fn small(&mut self, n: &mut u32) {
        let mut bits = u64::from(*n);
        self.bits(&mut bits);
        *n = bits as u32;
    }

    /// A number.
    pub fn number(&mut self, x: &mut f64) {
        let mut bits = x.to_bits();
        self.bits(&mut bits);
        *x = f64::from_bits(bits);
    }

    /// Numbers, as many as there are.
    pub fn numbers(&mut self, list: &mut [f64]) {
        list.iter_mut().for_each(|x| self.number(x));
    }

    /// Yes or no.
    pub fn flag(&mut self, flag: &mut bool) {
        let mut bits = u64::from(*flag);
        self.bits(&mut bits);
        *flag = bits != 0;
    }

    /// A number of any kind; only plain ones can be kept.
    pub fn real<S: Real>(&mut self, x: &mut S) {
        match (x as &mut dyn Any).downcast_mut::<f64>() {
            Some(x) => self.number(x),
            None => self.refuse("its numbers are not plain ones"),
        }
    }

    /// Numbers of any kind, as many as there are.
    pub fn reals<S: Real>(&mut self, list: &mut [S]) {
        list.iter_mut().for_each(|x| self.real(x));
    }

    /// An element of an algebra, by its coordinates.
    pub fn algebra<A: LieAlgebra>(&mut self, u: &mut A) {
        for i in 0..u.dim() {
            let mut x = u.coord(i);
            self.real(&mut x);
            u.set_coord(i, x);
        }
    }

    /// A list of any length, whose new elements are like this one.
    pub fn list<T: Clone>(
        &mut self,
        list: &mut Vec<T>,
        like: &T,
        mut each: impl FnMut(&mut Self, &mut T),
    ) {
        let mut length = list.len() as u64;
        self.bits(&mut length);
        if self.is_read() {
            list.clear();
        }
        if length > u64::from(u32::MAX) {
            self.refuse(OTHER_SHAPE);
        }
        for i in 0..length {
            // A length that is no length must not be believed.
            if self.refused.is_some() {
                return;
            }
            if self.is_read() {
                list.push(like.clone());
            }
            if let Some(element) = list.get_mut(i as usize) {
                each(self, element);
            }
        }
    }

    /// Something that may be missing.
    pub fn option<T: Clone>(
        &mut self,
        value: &mut Option<T>,
        like: &T,
        mut each: impl FnMut(&mut Self, &mut T),
    ) {
        let mut there = value.is_some();
        self.flag(&mut there);
        if self.is_read() {
            *value = there.then(|| like.clone());
        }
        if let Some(value) = value {
            each(self, value);
        }
    }

    /// A number that must be the same as when it was written.
    pub fn same(&mut self, x: f64, otherwise: &'static str) {
        let mut found = x;
        self.number(&mut found);
        if found.to_bits() != x.to_bits() {
            self.refuse(otherwise);
        }
    }

    /// What was named cannot be kept, or not be put back. The first reason counts.
    pub fn refuse(&mut self, because: &'static str) {
        self.refused.get_or_insert(because);
    }

    /// Whether something could not be kept or put back.
    pub fn is_refused(&self) -> bool {
        self.refused.is_some()
    }

    /// All bits, if all that was named could be written or put back and nothing is left.
    pub fn finish(self) -> Result<Vec<u64>, &'static str> {
        match (self.refused, self.read) {
            (Some(because), _) => Err(because),
            (None, Some(read)) if read < self.bits.len() => Err(OTHER_SHAPE),
            _ => Ok(self.bits),
        }
    }
}
