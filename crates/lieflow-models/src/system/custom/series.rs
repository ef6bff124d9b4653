//! The motion of a system by formulas as a power series in time.
//!
//! The tape gives the element of the algebra order by order, and the blocks say how it moves the
//! numbers of the state: the generator of each is linear in the element, and linear in the state or
//! without it.
use super::Custom;
use super::group::{matrix, put, put_matrix, vector};
use super::layout::{Block, Frame, Placed};
use super::shape::FIELD;
use super::space::Numbers;
use crate::system::rigid_body::nearest_rotation;
use lieflow::method::taylor::Expansion;
use lieflow::{Mat3, Vec3};
use lieflow_formula::SeriesTape;

/// The terms of a motion.
pub struct CustomSeries {
    tape: SeriesTape,
    /// The terms of the state, and those of the element of the algebra.
    states: Vec<Vec<f64>>,
    elements: Vec<Vec<f64>>,
    /// The turns of coadjoint blocks since the beginning of the step, block by block.
    turns: Vec<Vec<Mat3<f64>>>,
    /// The largest numbers of each order, relative to the state.
    sizes: Vec<f64>,
    /// The order of the last expansion.
    order: usize,
}

/// The blocks with the coadjoint action.
fn duals(system: &Custom<f64>) -> impl Iterator<Item = &Placed> {
    let blocks = &system.shape.layout.blocks;
    blocks.iter().filter(|placed| matches!(placed.block, Block::Dual { .. }))
}

impl CustomSeries {
    /// For this system, up to an order.
    pub fn new(system: &Custom<f64>, order: usize) -> Option<Self> {
        let shape = &system.shape;
        let algebra = shape.layout.blocks.iter().map(|placed| placed.part.dim()).sum();
        Some(Self {
            tape: SeriesTape::new(&system.formula, FIELD, order)?,
            states: vec![vec![0.0; shape.size]; order + 1],
            elements: vec![vec![0.0; algebra]; order + 1],
            turns: vec![vec![Mat3::identity(); order + 1]; duals(system).count()],
            sizes: vec![0.0; order + 1],
            order,
        })
    }

    /// `Σ u_j × x_{k-j}` of vectors in the element and in the state.
    fn turned(&self, u: usize, x: usize, k: usize) -> Vec3<f64> {
        let mut sum = Vec3::zero();
        for j in 0..=k {
            sum += vector(&self.elements[j], u).cross(vector(&self.states[k - j], x));
        }
        sum
    }
    /// `Σ u_j × X_{k-j}` for the rows of a matrix, or its columns.
    fn turned_matrix(&self, u: usize, at: usize, rows: bool, k: usize) -> Mat3<f64> {
        let mut sum = Mat3::zero();
        for j in 0..=k {
            let (u, x) = (vector(&self.elements[j], u), matrix(&self.states[k - j], at));
            sum = sum
                + match rows {
                    true => {
                        let [a, b, c] = x.rows.map(|row| u.cross(row));
                        Mat3::from_rows(a, b, c)
                    }
                    false => Mat3::hat(u).matmul(&x),
                };
        }
        sum
    }
    /// `Σ X_j b_{k-j}` of a matrix in the state and a vector in the element.
    fn carried(&self, at: usize, b: usize, k: usize) -> Vec3<f64> {
        let mut sum = Vec3::zero();
        for j in 0..=k {
            sum += matrix(&self.states[j], at).apply(vector(&self.elements[k - j], b));
        }
        sum
    }

    /// The rates of order `k` of a block.
    fn rate(&self, block: &Block, u: usize, k: usize, out: &mut [f64]) {
        match block {
            Block::Shift { at, count } => {
                out[*at..at + count].copy_from_slice(&self.elements[k][u..u + count]);
            }
            Block::Turn { at } => put(out, *at, self.turned(u, *at, k)),
            Block::Attitude { at, frame } => {
                let rate = self.turned_matrix(u, *at, *frame == Frame::Body, k);
                put_matrix(out, *at, &rate);
            }
            Block::Body { rotation, momentum } => {
                put_matrix(out, *rotation, &self.turned_matrix(u, *rotation, true, k));
                let push = vector(&self.elements[k], u + 3);
                put(out, *momentum, self.turned(u, *momentum, k) + push);
            }
            Block::Motion { rotation, position, frame } => {
                let body = *frame == Frame::Body;
                put_matrix(out, *rotation, &self.turned_matrix(u, *rotation, body, k));
                let rate = if body {
                    -self.carried(*rotation, u + 3, k)
                } else {
                    self.turned(u, *position, k) + vector(&self.elements[k], u + 3)
                };
                put(out, *position, rate);
            }
            Block::Dual { momentum, advected } => {
                let mut rate = self.turned(u, *momentum, k);
                for (i, at) in advected.iter().enumerate() {
                    rate += self.turned(u + 3 + 3 * i, *at, k);
                    put(out, *at, self.turned(u, *at, k));
                }
                put(out, *momentum, rate);
            }
        }
    }

    /// The sizes of the terms: rotations as they are, other parts relative to their numbers.
    fn measure(&mut self, system: &Custom<f64>) {
        let largest = |list: &[f64]| {
            list.iter().fold(0.0, |m: f64, x| if x.abs() <= m { m } else { x.abs() })
        };
        self.sizes.fill(0.0);
        for (factor, at) in system.shape.factors.iter().zip(&system.shape.places) {
            let range = *at..at + factor.kind().size();
            let scale = largest(&self.states[0][range.clone()])
                .max(largest(&self.states[1][range.clone()]));
            let scale = if scale > 0.0 { scale } else { 1.0 };
            for (size, state) in self.sizes.iter_mut().zip(&self.states).take(self.order + 1) {
                let here = largest(&state[range.clone()]) / scale;
                *size = if here <= *size { *size } else { here };
            }
        }
    }
}

impl Expansion<Custom<f64>> for CustomSeries {
    fn expand(&mut self, system: &Custom<f64>, t: f64, y: &Numbers<f64>, order: usize) {
        self.order = order;
        let size = y.0.len();
        self.states[0].copy_from_slice(&y.0);
        for k in 0..order {
            let state = &self.states[k];
            let time = [t, 1.0].get(k).copied().unwrap_or(0.0);
            self.tape.order(k, |i| if i < size { state[i] } else { time }, &mut self.elements[k]);
            let mut next = std::mem::take(&mut self.states[k + 1]);
            for placed in &system.shape.layout.blocks {
                self.rate(&placed.block, placed.algebra, k, &mut next);
            }
            let over = 1.0 / (k + 1) as f64;
            next.iter_mut().for_each(|x| *x *= over);
            self.states[k + 1] = next;
            for (b, placed) in duals(system).enumerate() {
                let mut rate = Mat3::zero();
                for j in 0..=k {
                    let u = Mat3::hat(vector(&self.elements[j], placed.algebra));
                    rate = rate + u.matmul(&self.turns[b][k - j]);
                }
                self.turns[b][k + 1] = rate * over;
            }
        }
        self.measure(system);
    }

    fn size(&self, k: usize) -> f64 {
        self.sizes[k]
    }

    fn after(&self, system: &Custom<f64>, y: &Numbers<f64>, h: f64, out: &mut Numbers<f64>) {
        out.0.clear();
        out.0.resize(y.0.len(), 0.0);
        for term in self.states[..=self.order].iter().rev() {
            for (x, c) in out.0.iter_mut().zip(term) {
                *x = *x * h + c;
            }
        }
        for placed in &system.shape.layout.blocks {
            match placed.block {
                Block::Attitude { at, .. }
                | Block::Body { rotation: at, .. }
                | Block::Motion { rotation: at, .. } => {
                    let rotation = nearest_rotation(matrix(&out.0, at));
                    put_matrix(&mut out.0, at, &rotation);
                }
                // What is only turned keeps its length.
                Block::Turn { at } => {
                    let (before, after) = (vector(&y.0, at).norm(), vector(&out.0, at));
                    if after.norm() > 0.0 {
                        put(&mut out.0, at, after.times(before / after.norm()));
                    }
                }
                Block::Shift { .. } | Block::Dual { .. } => {}
            }
        }
        for (placed, turn) in duals(system).zip(&self.turns) {
            let Block::Dual { momentum, advected } = &placed.block else { continue };
            let sum =
                turn[..=self.order].iter().rev().fold(Mat3::zero(), |sum, term| sum * h + *term);
            let g = nearest_rotation(sum);
            advected.iter().for_each(|at| put(&mut out.0, *at, g.apply(vector(&y.0, *at))));
            // Beside one vector, the momentum changes across it only.
            if let [at] = advected[..] {
                let (p, m) = (vector(&out.0, at), vector(&out.0, *momentum));
                let along = p.dot(m - g.apply(vector(&y.0, *momentum)));
                if p.dot(p) > 0.0 {
                    put(&mut out.0, *momentum, m - p.times(along / p.dot(p)));
                }
            }
        }
    }
}
