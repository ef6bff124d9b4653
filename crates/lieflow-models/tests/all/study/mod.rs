//! The studies, on data made for them.
mod difference;
mod drift;
