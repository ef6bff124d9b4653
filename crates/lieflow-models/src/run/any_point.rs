//! States whose type is forgotten, so that the driver of a run is compiled once for all systems: for seventeen types of
//! states it was a tenth of what this crate takes to build.
use std::any::Any;
use std::fmt::Debug;

/// What is asked of a state of any type.
trait Point: Any + Debug {
    fn copied(&self) -> Box<dyn Point>;
    fn copy_from(&mut self, other: &dyn Point);
}

impl<Y: Clone + Debug + 'static> Point for Y {
    fn copied(&self) -> Box<dyn Point> {
        Box::new(self.clone())
    }
    fn copy_from(&mut self, other: &dyn Point) {
        self.clone_from(known(other));
    }
}

/// A state of some system; only that system looks into it.
#[derive(Debug)]
pub struct AnyPoint(Box<dyn Point>);

impl AnyPoint {
    /// A state whose type is forgotten.
    pub fn new<Y: Clone + Debug + 'static>(y: Y) -> Self {
        Self(Box::new(y))
    }
    /// The state, for the system that it belongs to.
    #[inline]
    pub fn get<Y: 'static>(&self) -> &Y {
        known(&*self.0)
    }
    /// The same, to be changed.
    #[inline]
    pub fn get_mut<Y: 'static>(&mut self) -> &mut Y {
        let state: &mut dyn Any = &mut *self.0;
        match state.downcast_mut() {
            Some(y) => y,
            None => unreachable!("two systems in one run"),
        }
    }
}

impl Clone for AnyPoint {
    fn clone(&self) -> Self {
        Self(self.0.copied())
    }
    fn clone_from(&mut self, source: &Self) {
        self.0.copy_from(&*source.0);
    }
}

#[inline]
fn known<Y: 'static>(state: &dyn Point) -> &Y {
    let state: &dyn Any = state;
    match state.downcast_ref() {
        Some(y) => y,
        None => unreachable!("two systems in one run"),
    }
}
