//! The classical Runge–Kutta methods of a vector space, for comparison.
//!
//! On a group of translations the exponential is addition and all brackets vanish, so that the
//! [engine of Runge–Kutta–Munthe-Kaas methods](super::rkmk) is the classical one. Nothing of the
//! manifold is kept.
use super::generator::estimate_exists;
use super::rkmk::{Rkmk, member};
use super::{Card, Choices, Entry};
use crate::chart::Chart;
use crate::problem::Generator;
use crate::tableau::{self, Tableau};

/// The methods, by table.
pub static MEMBERS: [(Card, &Tableau); 3] = [
    classical(member("rk4", "Kutta's classical method", &tableau::RK4)),
    classical(member("dopri5", "The pair 5(4) of Dormand and Prince", &tableau::DP54)),
    classical(member("dop853", "The method 8(5,3) of Dormand and Prince", &tableau::DOP853)),
];

const fn classical((card, table): (Card, &'static Tableau)) -> (Card, &'static Tableau) {
    (Card { family: "classical", conserves: "nothing", cite: table.cite, ..card }, table)
}

/// Whether a method of this name is one of them.
pub fn is_member(id: &str) -> bool {
    MEMBERS.iter().any(|(card, _)| card.id == id)
}

/// The methods, for problems whose group is one of translations.
pub fn entries<P: Generator + 'static>() -> Vec<Entry<P>> {
    let entry = |(card, table): &'static (Card, &'static Tableau)| Entry {
        card: card.clone(),
        make: Box::new(move |p: &P, options: &super::Options| {
            options.check(card, Choices::none(card))?;
            estimate_exists(p, options)?;
            Ok(Box::new(Rkmk::with_estimate(table, Chart::Exp, options.estimate)))
        }),
    };
    MEMBERS.iter().map(entry).collect()
}
