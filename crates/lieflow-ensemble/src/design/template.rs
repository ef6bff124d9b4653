//! A problem to be filled in, trajectory by trajectory.
use super::Design;
use crate::philox::{Stream, Streams};
use lieflow_models::problem_file::{Document, SpecError};
use lieflow_models::run::{Model, Plan};
use std::ops::Range;

/// The problem of an ensemble with places for the varied numbers.
#[derive(Clone, Debug)]
pub struct Template<'a> {
    pub(super) design: &'a Design,
    pub(super) document: Document,
}

impl Template<'_> {
    /// Appends the varied numbers of one trajectory.
    pub fn draw(&self, index: u64, numbers: &mut Vec<f64>) {
        for v in &self.design.vary {
            let stream = Stream::new(self.design.seed, index, v.what);
            v.draw.draw(&stream, index, v.place(index), numbers);
        }
    }

    /// The varied numbers of trajectories that follow each other, one after the other, in place of what was there.
    pub fn draw_all(&self, range: Range<u64>, numbers: &mut Vec<f64>) {
        let (seed, first, count) = (self.design.seed, range.start, range.end - range.start);
        let stride = self.design.vary.iter().map(|v| v.draw.width()).sum();
        numbers.clear();
        numbers.resize(stride * count as usize, 0.0);
        let (mut offset, mut one) = (0, Vec::new());
        for v in &self.design.vary {
            let streams = Streams { seed, first, what: v.what };
            let numbers = numbers.get_mut(offset..).unwrap_or_default();
            if !v.draw.draw_together(&streams, stride, numbers) {
                for (index, numbers) in range.clone().zip(numbers.chunks_mut(stride.max(1))) {
                    one.clear();
                    v.draw.draw(&Stream::new(seed, index, v.what), index, v.place(index), &mut one);
                    numbers.iter_mut().zip(&one).for_each(|(place, x)| *place = *x);
                }
            }
            offset += v.draw.width();
        }
    }

    /// The system with these numbers.
    pub fn build(&mut self, numbers: &[f64]) -> Result<Box<dyn Model>, SpecError> {
        let mut rest = numbers;
        for v in &self.design.vary {
            let (value, later) = rest.split_at(v.draw.width().min(rest.len()));
            match value.first().and_then(|place| v.words.get(*place as usize)) {
                Some(word) => self.document.set_text(&v.path, word),
                None => self.document.set(&v.path, value, v.list),
            }
            rest = later;
        }
        self.document.build()
    }

    /// Puts these numbers into the system of another trajectory, if it can take them; otherwise it
    /// has to be built.
    pub fn refill(&self, model: &mut dyn Model, numbers: &[f64]) -> bool {
        let mut rest = numbers;
        self.design.in_place
            && self.design.vary.iter().all(|v| {
                let (value, later) = rest.split_at(v.draw.width().min(rest.len()));
                rest = later;
                model.set_initial(&v.key, value)
            })
    }

    /// The plan of this trajectory, where keys of `[solve]` vary.
    pub fn plan(&self) -> Result<Option<Box<Plan>>, SpecError> {
        if !self.design.varies_plan() {
            return Ok(None);
        }
        let mut plan = self.document.plan()?;
        plan.watch = false;
        plan.every = u64::MAX;
        plan.written.positions = false;
        plan.times = self.design.times.clone();
        plan.stop = self.design.plan.stop.clone();
        Ok(Some(Box::new(plan)))
    }
}
