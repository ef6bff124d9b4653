//! All methods of all systems.
use crate::system::SYSTEMS;
use lieflow::method::Card;

/// A method and the systems that it fits.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Its card.
    pub card: Card,
    /// The systems, by name.
    pub systems: Vec<&'static str>,
}

/// Every method once, in the order in which the systems offer them.
pub fn methods() -> Vec<Listed> {
    let mut listed: Vec<Listed> = Vec::new();
    for system in SYSTEMS {
        for card in (system.methods)() {
            match listed.iter_mut().find(|l| l.card.id == card.id) {
                Some(known) if known.systems.contains(&system.id) => {}
                Some(known) => known.systems.push(system.id),
                None => listed.push(Listed { card, systems: vec![system.id] }),
            }
        }
    }
    listed
}
