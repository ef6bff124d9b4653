//! The action of the group on states.
use super::group::{Element, Move, distance_squared, matrix, put, put_matrix, vector};
use super::layout::{Block, Frame, Part, Placed};
use lieflow::action::{Action, BodyFrame, BodyState, Flat, Turn};
use lieflow::archive::Archive;
use lieflow::chart::Chart;
use lieflow::group::{LieGroup, Se3, So3};
use lieflow::kernel::scalar::Apart;
use lieflow::method::spherical::TurnedVectors;
use lieflow::{Mat3, Real, Vec3};
use std::marker::PhantomData;

/// A state: the numbers of its parts, one part after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbers<S>(pub Vec<S>);

impl<S: Real> Flat for Numbers<S> {
    fn distance_squared(&self, other: &Self) -> f64 {
        distance_squared(&self.0, &other.0)
    }
    fn archive(&mut self, archive: &mut Archive) {
        archive.reals(&mut self.0);
    }
}

/// Any product of factors, moved by [`Move`].
#[derive(Clone, Copy, Debug)]
pub struct Product<S>(PhantomData<S>);

impl<S: Real> Action for Product<S> {
    type Group = Move<S>;
    type Point = Numbers<S>;
    fn act(g: &Move<S>, y: &Numbers<S>) -> Numbers<S> {
        let mut out = y.clone();
        for placed in &g.layout.blocks {
            let shift = &g.numbers[placed.group..];
            moved(placed, shift, ByElement { g, placed }, &y.0, &mut out.0);
        }
        out
    }
    fn advance(chart: Chart, u: &Element<S>, y: &Numbers<S>, out: &mut Numbers<S>) {
        S::apart(Advance { chart, u, y: &y.0, out: &mut out.0 });
    }
}

/// One step of all blocks: one function for each scalar, compiled for its instructions.
struct Advance<'a, S> {
    chart: Chart,
    u: &'a Element<S>,
    y: &'a [S],
    out: &'a mut [S],
}

impl<S: Real> Apart for Advance<'_, S> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { chart, u, y, out } = self;
        for placed in &u.layout.blocks {
            match placed.block {
                // One vector is turned without a matrix.
                Block::Turn { at } => {
                    let mut q = vector(y, at);
                    Turn::advance(
                        chart,
                        &vector(&u.numbers, placed.algebra),
                        &vector(y, at),
                        &mut q,
                    );
                    put(out, at, q);
                }
                Block::Attitude { at, frame } => {
                    let g = So3::map(chart, &vector(&u.numbers, placed.algebra)).matrix;
                    put_matrix(out, at, &attitude(&g, frame, &matrix(y, at)));
                }
                Block::Body { rotation, momentum } => {
                    let before = BodyState::new(matrix(y, rotation), vector(y, momentum));
                    let mut after = before;
                    BodyFrame::advance(chart, &u.twist(placed, 0), &before, &mut after);
                    put_matrix(out, rotation, &after.rotation);
                    put(out, momentum, after.momentum);
                }
                _ => {
                    let shift = &u.numbers[placed.algebra..];
                    moved(placed, shift, ByChart { chart, u, placed }, y, out);
                }
            }
        }
    }
}

/// Where all blocks are vectors that are turned.
impl<S: Real> TurnedVectors for Product<S> {
    fn count(y: &Numbers<S>) -> usize {
        y.0.len() / 3
    }
    fn vector(y: &Numbers<S>, i: usize) -> Vec3<S> {
        vector(&y.0, 3 * i)
    }
    fn set_vector(y: &mut Numbers<S>, i: usize, v: Vec3<S>) {
        put(&mut y.0, 3 * i, v);
    }
    fn turn(u: &Element<S>, i: usize) -> Vec3<S> {
        // Most blocks stand in the order of the state.
        let here = |placed: &&Placed| matches!(placed.block, Block::Turn { at } if at == 3 * i);
        let blocks = &u.layout.blocks;
        let placed = blocks.get(i).filter(here).or_else(|| blocks.iter().find(here));
        placed.map_or_else(Vec3::zero, |placed| vector(&u.numbers, placed.algebra))
    }
}

/// `g·R`.
#[inline(always)]
fn attitude<S: Real>(g: &Mat3<S>, frame: Frame, r: &Mat3<S>) -> Mat3<S> {
    match frame {
        // `R gᵀ` row by row.
        Frame::Body => {
            let [a, b, c] = r.rows;
            Mat3::from_rows(g.apply(a), g.apply(b), g.apply(c))
        }
        Frame::Space => g.matmul(r),
    }
}

/// The motions of one block. Closures would not be compiled for the instructions of lanes.
trait Motions<S> {
    fn motion(&self, i: usize) -> Se3<S>;
}

/// Those of a group element.
struct ByElement<'a, S> {
    g: &'a Move<S>,
    placed: &'a Placed,
}

impl<S: Real> Motions<S> for ByElement<'_, S> {
    #[inline(always)]
    fn motion(&self, i: usize) -> Se3<S> {
        self.g.motion(self.placed, i)
    }
}

/// Those with these coordinates in a chart.
struct ByChart<'a, S> {
    chart: Chart,
    u: &'a Element<S>,
    placed: &'a Placed,
}

impl<S: Real> Motions<S> for ByChart<'_, S> {
    #[inline(always)]
    fn motion(&self, i: usize) -> Se3<S> {
        Se3::map(self.chart, &self.u.twist(self.placed, i))
    }
}

/// Moves the numbers of one block by shifts or by motions, of which there are as many as the block
/// has vectors, and at least one.
#[inline(always)]
fn moved<S: Real>(placed: &Placed, shift: &[S], motions: impl Motions<S>, y: &[S], out: &mut [S]) {
    match &placed.block {
        Block::Shift { at, count } => {
            for i in 0..*count {
                out[at + i] = y[at + i] + shift[i];
            }
        }
        Block::Turn { at } => put(out, *at, motions.motion(0).rotation.apply(vector(y, *at))),
        Block::Attitude { at, frame } => {
            put_matrix(out, *at, &attitude(&motions.motion(0).rotation, *frame, &matrix(y, *at)));
        }
        Block::Body { rotation, momentum } => {
            let before = BodyState::new(matrix(y, *rotation), vector(y, *momentum));
            let after = BodyFrame::act(&motions.motion(0), &before);
            put_matrix(out, *rotation, &after.rotation);
            put(out, *momentum, after.momentum);
        }
        Block::Motion { rotation, position, frame } => {
            let g = motions.motion(0);
            let r = attitude(&g.rotation, *frame, &matrix(y, *rotation));
            let x = vector(y, *position);
            let x = match frame {
                Frame::Body => x - r.apply(g.position),
                Frame::Space => g.rotation.apply(x) + g.position,
            };
            put_matrix(out, *rotation, &r);
            put(out, *position, x);
        }
        Block::Dual { momentum, advected } => {
            let first = motions.motion(0);
            let mut m = first.rotation.apply(vector(y, *momentum));
            for (i, at) in advected.iter().enumerate() {
                let p = first.rotation.apply(vector(y, *at));
                let x = if i == 0 { first.position } else { motions.motion(i).position };
                m += x.cross(p);
                put(out, *at, p);
            }
            put(out, *momentum, m);
        }
    }
    debug_assert!(
        matches!(placed.part, Part::Shift(_)) == matches!(placed.block, Block::Shift { .. })
    );
}
