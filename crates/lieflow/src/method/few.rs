//! Lists that mostly have one element, which then is in place: one spin, one step that is not composed. Nothing is
//! allocated for these, and GPUs know no others.
use core::ops::{Deref, DerefMut};

/// A list.
#[derive(Clone, Debug, Default)]
pub(crate) enum Few<T> {
    /// Without elements.
    #[default]
    None,
    /// With one.
    One([T; 1]),
    /// With any number.
    Many(Vec<T>),
}

impl<T> Few<T> {
    /// So many copies of an element.
    #[inline(always)]
    pub(crate) fn new(element: T, count: usize) -> Self
    where
        T: Clone,
    {
        match count {
            0 => Self::None,
            1 => Self::One([element]),
            _ => Self::Many(vec![element; count]),
        }
    }

    /// Without elements, and with room for so many.
    #[inline(always)]
    pub(crate) fn with_capacity(count: usize) -> Self {
        if count > 1 { Self::Many(Vec::with_capacity(count)) } else { Self::None }
    }

    /// Removes all elements; memory is kept.
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        match self {
            Self::Many(list) if !crate::ON_GPU => list.clear(),
            _ => *self = Self::None,
        }
    }

    /// Adds an element.
    #[inline(always)]
    pub(crate) fn push(&mut self, element: T) {
        *self = match core::mem::take(self) {
            Self::None => Self::One([element]),
            // There is room for one on a GPU, and nothing there asks for more.
            list if crate::ON_GPU => list,
            Self::One([first]) => Self::Many(vec![first, element]),
            Self::Many(mut list) => {
                list.push(element);
                Self::Many(list)
            }
        };
    }
}

impl<T> Deref for Few<T> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        match self {
            Self::One(one) => one,
            Self::Many(list) if !crate::ON_GPU => list,
            _ => &[],
        }
    }
}

impl<T> DerefMut for Few<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        match self {
            Self::One(one) => one,
            Self::Many(list) if !crate::ON_GPU => list,
            _ => &mut [],
        }
    }
}

impl<T> From<Vec<T>> for Few<T> {
    fn from(list: Vec<T>) -> Self {
        Self::Many(list)
    }
}
