//! All methods of all systems.
use crate::system::Registry;
use lieflow::method::Card;

/// A method and the systems that it fits.
#[derive(Clone, Debug)]
pub struct CataloguedMethod {
    /// Its card.
    pub card: Card,
    /// The systems, by name.
    pub systems: Vec<&'static str>,
}

/// Every method of the built-in systems once, in the order in which they offer them.
pub fn methods() -> Vec<CataloguedMethod> {
    methods_of(&Registry::default())
}

/// The same of other systems.
pub fn methods_of(systems: &Registry) -> Vec<CataloguedMethod> {
    let mut listed: Vec<CataloguedMethod> = Vec::new();
    for system in systems.iter() {
        for card in (system.methods)() {
            match listed.iter_mut().find(|l| l.card.id == card.id) {
                Some(known) if known.systems.contains(&system.id) => {}
                Some(known) => known.systems.push(system.id),
                None => listed.push(CataloguedMethod { card, systems: vec![system.id] }),
            }
        }
    }
    listed
}
