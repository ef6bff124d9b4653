//! Tiles of numbers as the host fills and reads them.
use crate::kernel::{AsNumbers, Column, TILE};

/// Writes a state of a trajectory into a tile of states; nothing where there is no room for it.
pub fn write_state<P: AsNumbers>(tile: &mut [f64], lane: usize, state: &P::Point) {
    if lane < TILE && tile.len() >= TILE * P::STATE {
        // SAFETY: the tile has the column of this lane.
        unsafe { P::write_state(state, Column::of(tile.as_mut_ptr(), 0, lane)) }
    }
}

/// A state of a trajectory from a tile of rows of states, if the tile has it.
pub fn read_state<P: AsNumbers>(tile: &[f64], row: usize, lane: usize) -> Option<P::Point> {
    if lane >= TILE || tile.len() < (row + 1) * TILE * P::STATE {
        return None;
    }
    // SAFETY: the tile has the column of this lane, from which is only read.
    Some(unsafe { P::read_state(Column::of(tile.as_ptr().cast_mut(), row * P::STATE, lane)) })
}

/// Writes the parameters of a trajectory into a tile of them.
pub fn write_parameters(tile: &mut [f64], lane: usize, parameters: &[f64]) {
    for (column, x) in tile.chunks_exact_mut(TILE).zip(parameters) {
        if let Some(place) = column.get_mut(lane) {
            *place = *x;
        }
    }
}
