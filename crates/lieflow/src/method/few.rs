//! Lists of which a GPU knows those with one element: one spin, one step that is not composed. There they are in
//! place, because a thread has no heap; elsewhere they are `Vec`s.
#[cfg(target_arch = "nvptx64")]
pub(crate) use in_place::Few;

#[cfg(not(target_arch = "nvptx64"))]
pub(crate) type Few<T> = Vec<T>;

/// So many copies of an element.
#[inline(always)]
pub(crate) fn copies<T: Clone>(element: T, count: usize) -> Few<T> {
    #[cfg(not(target_arch = "nvptx64"))]
    {
        vec![element; count]
    }
    #[cfg(target_arch = "nvptx64")]
    {
        let mut list = Few::with_capacity(count);
        (0..count).for_each(|_| list.push(element.clone()));
        list
    }
}

/// Hands on the list as a `Vec`, where it is one: nobody writes checkpoints on a GPU.
pub(crate) fn as_vec<T>(list: &mut Few<T>, receive: impl FnOnce(&mut Vec<T>)) {
    if cfg!(not(target_arch = "nvptx64")) {
        let mut whole = core::mem::take(list).into_iter().collect();
        receive(&mut whole);
        *list = whole.into_iter().collect();
    }
}

#[cfg(target_arch = "nvptx64")]
mod in_place {
    use core::ops::{Deref, DerefMut};

    /// A list of one element at most. A second one ends the launch, which the host reports.
    #[derive(Clone, Debug)]
    pub(crate) struct Few<T>(Option<T>);

    impl<T> Default for Few<T> {
        fn default() -> Self {
            Self(None)
        }
    }

    impl<T> Few<T> {
        #[inline(always)]
        pub(crate) fn new() -> Self {
            Self(None)
        }
        #[inline(always)]
        pub(crate) fn with_capacity(_: usize) -> Self {
            Self(None)
        }
        #[inline(always)]
        pub(crate) fn clear(&mut self) {
            self.0 = None;
        }
        #[inline(always)]
        pub(crate) fn push(&mut self, element: T) {
            assert!(self.0.is_none());
            self.0 = Some(element);
        }
    }

    impl<T> FromIterator<T> for Few<T> {
        fn from_iter<I: IntoIterator<Item = T>>(list: I) -> Self {
            let mut few = Self::new();
            list.into_iter().for_each(|element| few.push(element));
            few
        }
    }

    impl<T> IntoIterator for Few<T> {
        type Item = T;
        type IntoIter = core::option::IntoIter<T>;
        fn into_iter(self) -> Self::IntoIter {
            self.0.into_iter()
        }
    }

    impl<T> Deref for Few<T> {
        type Target = [T];
        #[inline(always)]
        fn deref(&self) -> &[T] {
            self.0.as_slice()
        }
    }

    impl<T> DerefMut for Few<T> {
        #[inline(always)]
        fn deref_mut(&mut self) -> &mut [T] {
            self.0.as_mut_slice()
        }
    }
}
