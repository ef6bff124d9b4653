//! Laws by formula live on the heap of the host: here there are none.
use core::convert::Infallible;
use core::marker::PhantomData;
use lieflow::{Mat3, Real, Vec3};

/// A law that cannot exist.
#[derive(Clone, Debug)]
pub struct Law<S>(Infallible, PhantomData<S>);

macro_rules! never {
    ($($(#[$attribute:meta])* $name:ident($($argument:ty),*) -> $result:ty;)*) => {
        $(pub(super) fn $name(&self, $(_: $argument),*) -> $result { match self.0 {} })*
    };
}

impl<S: Real> Law<S> {
    pub(super) fn lift<T: Real>(&self, _: fn(S) -> T) -> Law<T> {
        match self.0 {}
    }
    pub(super) fn set_times(&mut self, _: S) {
        match self.0 {}
    }
    never! {
        energy(f64, &Mat3<S>) -> S;
        torque(f64, &Mat3<S>) -> Vec3<S>;
        torque_derivative(f64, &Mat3<S>) -> Mat3<S>;
        applied(f64, &Mat3<S>, Vec3<S>, Vec3<S>) -> Option<Vec3<S>>;
        torque_at_rest(f64, &Mat3<S>) -> Vec3<S>;
        derivative_at_rest(f64, &Mat3<S>) -> Mat3<S>;
        torque_in_motion(f64, &Mat3<S>, Vec3<S>, Vec3<S>) -> Vec3<S>;
        symmetry() -> (Option<Vec3<S>>, Option<Vec3<S>>);
        conserves_energy() -> bool;
        row() -> Option<usize>;
        axis() -> Option<(Vec3<S>, Vec3<S>)>;
        direction(&Mat3<S>) -> Vec3<S>;
        axial_torque(f64, Vec3<S>) -> Option<Vec3<S>>;
    }
}

/// A field on spins that cannot exist.
#[derive(Clone, Debug)]
pub struct SpinField<S>(Infallible, PhantomData<S>);

impl<S: Real> SpinField<S> {
    pub(super) fn lift<T: Real>(&self, _: fn(S) -> T) -> SpinField<T> {
        match self.0 {}
    }
    pub(super) fn set_times(&mut self, _: S) {
        match self.0 {}
    }
    never! {
        reads_spins() -> bool;
        on_one(f64, Vec3<S>) -> Vec3<S>;
    }
}
