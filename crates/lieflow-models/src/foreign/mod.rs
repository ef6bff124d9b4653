//! Laws that are functions of another language: of Python, or compiled code at an address.
//!
//! A function is a value of a problem as a formula is one: the engines are compiled once, whatever it
//! computes. It sees plain numbers and gives plain numbers; what methods ask for beyond that is made of
//! several calls: one for each lane, and differences of two where Newton's iteration wants slopes.
use lieflow::{Dual, Real};
use std::any::Any;
use std::cell::Cell;
use std::fmt;
use std::sync::Arc;

mod body;
mod c_function;

pub(crate) use body::torque_slope;
pub use body::{BodyFunctions, TorqueFunction};
pub use c_function::{CFunction, CSignature};

/// A function of another language.
pub trait Foreign: Send + Sync {
    /// Computes `out` at a time, a state and the numbers of the problem. False if it could not; then
    /// the run ends, whatever is in `out`.
    fn call(&self, t: f64, state: &[f64], parameters: &[f64], out: &mut [f64]) -> bool;
    /// What people call it.
    fn name(&self) -> String;
    /// Why it could not, the first time, if it ever could not.
    fn fault(&self) -> Option<String> {
        None
    }
    /// Itself, for whoever has made it.
    fn as_any(&self) -> &dyn Any;
}

/// A function of another language as a value of a problem.
#[derive(Clone)]
pub struct Function(Arc<dyn Foreign>);

impl Function {
    /// This function.
    pub fn new(function: impl Foreign + 'static) -> Self {
        Self(Arc::new(function))
    }
    /// What it was made of.
    pub fn source(&self) -> &dyn Foreign {
        &*self.0
    }
}

/// Two are equal if they are one.
impl PartialEq for Function {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Function({})", self.0.name())
    }
}

/// A function with the numbers that it is always given.
#[derive(Clone, Debug)]
pub struct Call {
    function: Function,
    parameters: Arc<[f64]>,
}

/// Steps of differences are about this part of the state: the cube root of the rounding of a number,
/// where the error of the difference and that of its rounding are alike.
pub(crate) const DIFFERENCE: f64 = 6e-6;

thread_local! {
    /// Memory for the numbers of a call. Taken and put back, so that a function may itself run something.
    static WORK: Cell<Vec<f64>> = const { Cell::new(Vec::new()) };
}

impl Call {
    /// The function with these numbers.
    pub fn new(function: Function, parameters: &[f64]) -> Self {
        Self { function, parameters: parameters.into() }
    }

    /// The function.
    pub fn function(&self) -> &Function {
        &self.function
    }

    #[inline]
    fn call(&self, t: f64, state: &[f64], out: &mut [f64]) {
        if !self.function.0.call(t, state, &self.parameters, out) {
            out.fill(f64::NAN);
        }
    }

    /// [`Call::evaluate`] with the first `n` numbers of a list, where plain numbers are not copied.
    #[inline]
    pub fn evaluate_first<S: Real, const N: usize, const M: usize>(
        &self,
        t: f64,
        (list, n): (&[S; N], usize),
        out: &mut [S; M],
    ) {
        let plain = (list as &dyn Any).downcast_ref::<[f64; N]>();
        match (plain, (out as &mut dyn Any).downcast_mut::<[f64; M]>()) {
            (Some(list), Some(out)) => self.call(t, &list[..n], out),
            _ => self.evaluate(t, &list[..n], out),
        }
    }

    /// The function over any numbers: lane by lane, and with the slopes of dual numbers by central
    /// differences. Numbers of other kinds become NaN.
    pub fn evaluate<S: Real>(&self, t: f64, state: &[S], out: &mut [S]) {
        let (n, m) = (state.len(), out.len());
        let mut work = WORK.take();
        work.clear();
        work.resize(2 * n + 2 * m, 0.0);
        if S::DERIVATIVES == 0 {
            let (x, y) = work.split_at_mut(n);
            let y = &mut y[..m];
            for lane in 0..S::LANES {
                for (x, s) in x.iter_mut().zip(state) {
                    *x = plain(&s.lane(lane));
                }
                self.call(t, x, y);
                for (out, y) in out.iter_mut().zip(&*y) {
                    out.set_lane(lane, S::Lane::lift(*y));
                }
            }
        } else if !self.slopes::<S, 1>(t, state, out, &mut work)
            && !self.slopes::<S, 3>(t, state, out, &mut work)
        {
            out.fill(S::lift(f64::NAN));
        }
        WORK.set(work);
    }

    /// The same where the numbers are duals with `D` directions; false if they are not.
    fn slopes<S: Real, const D: usize>(
        &self,
        t: f64,
        state: &[S],
        out: &mut [S],
        work: &mut [f64],
    ) -> bool {
        let (n, m) = (state.len(), out.len());
        let (x, rest) = work.split_at_mut(n);
        let (moved, rest) = rest.split_at_mut(n);
        let (ahead, behind) = rest.split_at_mut(m);
        for (x, s) in x.iter_mut().zip(state) {
            let Some(dual) = dual::<S, D>(s) else { return false };
            *x = dual.re;
        }
        self.call(t, x, ahead);
        for (out, y) in out.iter_mut().zip(&*ahead) {
            *out = S::lift(*y);
        }
        let largest =
            |list: &mut dyn Iterator<Item = f64>| list.fold(0.0, |a: f64, b| a.max(b.abs()));
        let size = 1.0 + largest(&mut x.iter().copied());
        for k in 0..D {
            let along = |i: usize| dual::<S, D>(&state[i]).map_or(0.0, |dual| dual.eps[k]);
            let speed = largest(&mut (0..n).map(along));
            if speed == 0.0 {
                continue;
            }
            let h = DIFFERENCE * size / speed;
            for (h, y) in [(h, &mut *ahead), (-h, &mut *behind)] {
                for (i, moved) in moved.iter_mut().enumerate() {
                    *moved = x[i] + h * along(i);
                }
                self.call(t, moved, y);
            }
            for (i, out) in out.iter_mut().enumerate() {
                if let Some(dual) = (out as &mut dyn Any).downcast_mut::<Dual<f64, D>>() {
                    dual.eps[k] = (ahead[i] - behind[i]) / (2.0 * h);
                }
            }
        }
        true
    }
}

/// A number as it is, if it is a plain one.
fn plain<T: Real>(x: &T) -> f64 {
    (x as &dyn Any).downcast_ref::<f64>().copied().unwrap_or(f64::NAN)
}

fn dual<S: Real, const D: usize>(x: &S) -> Option<&Dual<f64, D>> {
    (x as &dyn Any).downcast_ref()
}
