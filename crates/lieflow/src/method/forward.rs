//! What a method that stands for another one hands on to it.

/// The named methods of [`Method`](crate::method::Method) for a problem, handed on as they are to another method
/// for it: `forwards!(self: P => self.inner; accept, reset, cost)`. What a wrapper does not name keeps the
/// default, so that it names all but what it writes itself.
#[macro_export]
#[doc(hidden)]
macro_rules! forwards {
    ($self:ident: $p:ty => $to:expr; $($name:ident),+) => {
        $($crate::forwards!(@$name $self, $p, $to);)+
    };
    (@has_increments $self:ident, $p:ty, $to:expr) => {
        fn has_increments(&$self) -> bool {
            $to.has_increments()
        }
    };
    (@carries_roundings $self:ident, $p:ty, $to:expr) => {
        fn carries_roundings(&$self) -> bool {
            $to.carries_roundings()
        }
    };
    (@accept $self:ident, $p:ty, $to:expr) => {
        fn accept(&mut $self) {
            $to.accept();
        }
    };
    (@reset $self:ident, $p:ty, $to:expr) => {
        fn reset(&mut $self) {
            $to.reset();
        }
    };
    (@set_aside $self:ident, $p:ty, $to:expr) => {
        fn set_aside(&mut $self) {
            $to.set_aside();
        }
    };
    (@take_back $self:ident, $p:ty, $to:expr) => {
        fn take_back(&mut $self) {
            $to.take_back();
        }
    };
    (@archive $self:ident, $p:ty, $to:expr) => {
        fn archive(
            &mut $self,
            next: $crate::method::Step<'_, $p>,
            archive: &mut $crate::archive::Archive,
        ) {
            $to.archive(next, archive);
        }
    };
    (@interpolate $self:ident, $p:ty, $to:expr) => {
        fn interpolate(
            &mut $self,
            at: $crate::method::Inside<'_, $p>,
            out: &mut <$p as $crate::problem::Problem>::Point,
        ) -> Result<(), $crate::method::StepError> {
            $to.interpolate(at, out)
        }
    };
    (@cost $self:ident, $p:ty, $to:expr) => {
        fn cost(&$self) -> $crate::method::Cost {
            $to.cost()
        }
    };
    (@coordinates $self:ident, $p:ty, $to:expr) => {
        fn coordinates(&$self) -> Option<$crate::method::InChart<'_>> {
            $to.coordinates()
        }
    };
    (@corrections $self:ident, $p:ty, $to:expr) => {
        fn corrections(&$self) -> Option<$crate::method::Corrections> {
            $to.corrections()
        }
    };
}
