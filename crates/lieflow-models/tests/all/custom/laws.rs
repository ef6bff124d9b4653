//! The group of products obeys the laws of groups, and acts.
use lieflow::action;
use lieflow::group::{LieAlgebra, laws};
use lieflow_models::system::custom::group::{Element, Move};
use lieflow_models::system::custom::layout::{Block, Frame, Layout};
use lieflow_models::system::custom::space::{Numbers, Product};
use lieflow_testing::Draw;
use std::sync::Arc;

/// One block of each kind, with the number of its numbers.
fn blocks() -> Vec<(Block, usize)> {
    let (body, space) = (Frame::Body, Frame::Space);
    vec![
        (Block::Shift { at: 0, count: 2 }, 2),
        (Block::Turn { at: 0 }, 3),
        (Block::Attitude { at: 0, frame: body }, 9),
        (Block::Attitude { at: 0, frame: space }, 9),
        (Block::Body { rotation: 0, momentum: 9 }, 12),
        (Block::Motion { rotation: 3, position: 0, frame: body }, 12),
        (Block::Motion { rotation: 0, position: 9, frame: space }, 12),
        (Block::Dual { momentum: 0, advected: vec![3] }, 6),
        (Block::Dual { momentum: 3, advected: vec![6, 0, 9] }, 12),
    ]
}

fn samples(layout: &Arc<Layout>) -> Vec<Element<f64>> {
    let zero = Element::zero(layout.clone());
    let mut draw = Draw::new(5);
    let mut list = vec![zero.clone()];
    list.extend([1e-7, 0.03, 0.7, 1.5, 2.5].map(|norm| draw.element(&zero, norm)));
    list
}

/// A state: rotations need not be rotations for the laws of actions.
fn states(size: usize) -> Vec<Numbers<f64>> {
    let mut draw = Draw::new(8);
    (0..3).map(|_| Numbers((0..size).map(|_| draw.number()).collect())).collect()
}

#[test]
fn every_block_obeys_the_laws() {
    for (block, size) in blocks() {
        let layout = Arc::new(Layout::new([block]));
        let samples = samples(&layout);
        laws::check::<Move<f64>>(&samples).unwrap_or_else(|e| panic!("{layout:?}: {e}"));
        action::laws::check::<Product<f64>>(&samples, &states(size))
            .unwrap_or_else(|e| panic!("{layout:?}: {e}"));
    }
}

#[test]
fn products_of_blocks_obey_the_laws() {
    let shift = |block: &Block, by: usize| match block {
        Block::Shift { at, count } => Block::Shift { at: at + by, count: *count },
        Block::Turn { at } => Block::Turn { at: at + by },
        Block::Attitude { at, frame } => Block::Attitude { at: at + by, frame: *frame },
        Block::Body { rotation, momentum } => {
            Block::Body { rotation: rotation + by, momentum: momentum + by }
        }
        Block::Motion { rotation, position, frame } => {
            Block::Motion { rotation: rotation + by, position: position + by, frame: *frame }
        }
        Block::Dual { momentum, advected } => Block::Dual {
            momentum: momentum + by,
            advected: advected.iter().map(|at| at + by).collect(),
        },
    };
    let (mut all, mut size) = (Vec::new(), 0);
    for (block, numbers) in blocks() {
        all.push(shift(&block, size));
        size += numbers;
    }
    let layout = Arc::new(Layout::new(all));
    assert_eq!(layout.dim, 2 + 3 + 3 + 3 + 6 + 6 + 6 + 6 + 12);
    let samples = samples(&layout);
    laws::check::<Move<f64>>(&samples).unwrap_or_else(|e| panic!("{e}"));
    action::laws::check::<Product<f64>>(&samples, &states(size)).unwrap_or_else(|e| panic!("{e}"));
    // Every number of a state is moved by something.
    let still = Numbers(vec![1.0; size]);
    let mut u = Element::zero(layout);
    (0..u.dim()).for_each(|i| u.set_coord(i, 0.1 + 0.01 * i as f64));
    let mut moved = still.clone();
    <Product<f64> as action::Action>::advance(Default::default(), &u, &still, &mut moved);
    assert!(moved.0.iter().zip(&still.0).all(|(a, b)| a != b), "{moved:?}");
}
