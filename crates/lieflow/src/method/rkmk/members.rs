//! The explicit methods of this family: a line for each table.
use crate::method::Card;
use crate::tableau::{self, Tableau};

/// The methods of this family, by table.
pub static MEMBERS: [(Card, &Tableau); 9] = [
    member("lie-euler", "Lie–Euler", &tableau::EULER),
    member("rkmk2-heun", "RKMK with Heun's method", &tableau::HEUN2),
    member("rkmk2-midpoint", "RKMK with the explicit midpoint rule", &tableau::MIDPOINT2),
    member("rkmk3", "RKMK with Kutta's method of order 3", &tableau::KUTTA3),
    member("rkmk4", "RKMK with Kutta's classical method", &tableau::RK4),
    member("rkmk-bs32", "RKMK with the pair 3(2) of Bogacki and Shampine", &tableau::BS32),
    member(
        "rkmk-rkf45",
        "RKMK with the pair 4(5) of Fehlberg; order 5 propagates",
        &tableau::RKF45,
    ),
    member("rkmk-dp54", "RKMK with the pair 5(4) of Dormand and Prince", &tableau::DP54),
    member("rkmk-dop853", "RKMK with the method 8(5,3) of Dormand and Prince", &tableau::DOP853),
];

/// The card of a table, and the table.
pub(in crate::method) const fn member(
    id: &'static str,
    title: &'static str,
    table: &'static Tableau,
) -> (Card, &'static Tableau) {
    let card = Card {
        conserves: "the manifold, coadjoint orbits",
        evaluations: Some(table.evaluations()),
        estimate_power: table.estimate_power(),
        cite: "munthekaas1999",
        ..Card::new(id, title, "rkmk", table.order)
    };
    (card, table)
}
