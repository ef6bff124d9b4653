//! What is timed and counted.
mod body;
mod kernels;
mod products;
mod steps;

/// Something that can be called any number of times.
pub struct Case {
    pub name: &'static str,
    pub run: fn(u64),
}

/// All cases.
pub fn all() -> Vec<Case> {
    let mut list = kernels::cases();
    list.extend(products::cases());
    list.extend(steps::cases());
    list
}
