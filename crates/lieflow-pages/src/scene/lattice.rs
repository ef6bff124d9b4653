//! Toda's particles on their line, or around their ring.
use super::{Picture, flat, trail, trail_on_sphere};
use crate::lattice::Lattice;
use lieflow_models::run::State;
use lieflow_report::page::Object;
use std::f64::consts::{FRAC_PI_2, TAU};

/// Neighbours are drawn no nearer than this part of what is added to their distance.
const ROOM: f64 = 0.75;

pub(super) fn picture(states: &[State]) -> Option<Picture> {
    let lattice = Lattice::of(states)?;
    let n = lattice.positions.first()?.len();
    // Particles are displaced from places on a lattice: neighbours may pass each other in their
    // coordinates, not in the picture. A power of two, so that a live picture seldom changes.
    let sum = lattice.gaps.first()?.iter().sum::<f64>();
    let mean = if lattice.ring { sum / n as f64 } else { 0.0 };
    let nearest = lattice.gaps.iter().flatten().fold(f64::INFINITY, |a, gap| a.min(gap - mean));
    let apart = if nearest < 0.0 { (-nearest / ROOM).log2().ceil().exp2() } else { 0.0 };
    let apart = if lattice.ring { apart.max(1.0) } else { apart };
    let place = |row: &[f64], k: usize| row[k] + k as f64 * (apart - mean);
    let around = n as f64 * apart / TAU;
    let at = |x: f64| {
        let (sin, cos) = (x / around).sin_cos();
        if lattice.ring { [around * cos, around * sin, 0.0] } else { [x, 0.0, 0.0] }
    };
    let all: Vec<Vec<[f64; 3]>> =
        lattice.positions.iter().map(|row| (0..n).map(|k| at(place(row, k))).collect()).collect();
    let mut reach: Vec<[f64; 3]> = all.iter().flatten().copied().collect();
    let line = if lattice.ring {
        (0..=120).map(|k| at(around * TAU * f64::from(k) / 120.0)).collect()
    } else {
        let [low, high] = super::bounds(&reach);
        vec![[low[0], 0.0, 0.0], [high[0], 0.0, 0.0]]
    };
    reach.extend(&line);
    let mut objects = vec![Object::Curve { name: "line".into(), points: flat(&line) }];
    for k in 0..n {
        let path: Vec<[f64; 3]> = all.iter().map(|row| row[k]).collect();
        let name = format!("particle {}", k + 1);
        objects.push(if lattice.ring { trail_on_sphere(name, &path) } else { trail(name, &path) });
    }
    let mut picture = Picture::new(objects, reach);
    picture.view = [0.0, if lattice.ring { FRAC_PI_2 } else { 0.0 }];
    picture.note = match (lattice.ring, apart > 0.0) {
        (true, _) => format!("Displacements along the ring, from places that are {apart} apart."),
        (false, true) => {
            format!("Displacements along the line, from places that are {apart} apart.")
        }
        (false, false) => "Particles on their line.".into(),
    };
    Some(picture)
}
