//! The lists of variational methods for each trait, and the rest of their families by name.
use super::scheme::{Scheme, SchemeError};
use super::{FromHamiltonian, FromLagrangian, FromReducedLagrangian, Reduced, Variational, names};
use crate::method::{Card, Choices, Entry, Method, OptionError, Options};
use crate::problem::{
    Hamiltonian, Lagrangian, Problem, ReducedLagrangian, hamiltonian, lagrangian,
};
use std::sync::{Mutex, PoisonError};

/// A method that is listed.
struct Member {
    id: &'static str,
    title: &'static str,
}

macro_rules! members {
    ($($id:literal: $title:expr,)*) => { [$(Member { id: $id, title: $title },)*] };
}

static STRAIGHT: [Member; 16] = members! {
    "slgi-theta0": "symplectic theta method, theta = 0 (= chart-exp-left)",
    "slgi-theta0.5": "symplectic theta method, theta = 1/2 (= chart-exp-midpoint)",
    "slgi-theta1": "symplectic theta method, theta = 1 (= chart-exp-right)",
    "vrkmk-gauss2": "variational RKMK, Gauss, one stage (= slgi-theta0.5)",
    "vrkmk-gauss4": "variational RKMK, Gauss, two stages (= liegalerkin-exp-s2-gauss2)",
    "vrkmk-gauss6": "variational RKMK, Gauss, three stages (= liegalerkin-exp-s3-gauss3)",
    "chart-exp-left": "natural chart exp, potential at the start",
    "chart-exp-right": "natural chart exp, potential at the end",
    "chart-exp-trapezoid": "natural chart exp, potential at both ends",
    "chart-exp-midpoint": "natural chart exp, potential in the middle",
    "chart-exp-truemid": "natural chart exp, potential in the middle (= chart-exp-midpoint)",
    "chart-cay-left": "natural chart cay, potential at the start",
    "chart-cay-right": "natural chart cay, potential at the end",
    "chart-cay-trapezoid": "natural chart cay, potential at both ends",
    "chart-cay-midpoint": "natural chart cay, potential at half the chart coordinate",
    "chart-cay-truemid": "natural chart cay, potential in the true middle",
};

macro_rules! galerkin {
    ($($prefix:literal $title:literal: $($s:literal $rule:literal)*;)*) => {
        [$($(Member {
            id: concat!($prefix, "-s", $s, "-", $rule),
            title: concat!($title, ", degree ", $s, ", ", $rule),
        },)*)*]
    };
}

static LIE_GALERKIN: [Member; 18] = galerkin! {
    "liegalerkin-exp" "Lie-Galerkin in the chart exp":
        "1" "gauss1" "1" "gauss2" "1" "lobatto2" "2" "gauss2" "2" "gauss3" "2" "lobatto3"
        "3" "gauss3" "3" "gauss4" "3" "lobatto4";
    "liegalerkin-cay" "Lie-Galerkin in the chart cay":
        "1" "gauss1" "1" "gauss2" "1" "lobatto2" "2" "gauss2" "2" "gauss3" "2" "lobatto3"
        "3" "gauss3" "3" "gauss4" "3" "lobatto4";
};

static GALERKIN: [Member; 12] = galerkin! {
    "galerkin" "Galerkin variational method":
        "1" "gauss1" "1" "gauss2" "1" "lobatto2" "2" "gauss2" "2" "gauss3" "2" "lobatto3"
        "3" "gauss3" "3" "gauss4" "3" "lobatto4" "4" "gauss4" "4" "gauss5" "4" "lobatto5";
};

static EUCLIDEAN: [Member; 4] = members! {
    "midpoint-variational": "variational midpoint rule (= galerkin-s1-gauss1)",
    "slgi-theta0": "symplectic theta method, theta = 0",
    "slgi-theta0.5": "symplectic theta method, theta = 1/2 (= midpoint-variational)",
    "slgi-theta1": "symplectic theta method, theta = 1",
};

/// Where a method is used, which decides what it keeps.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Group,
    Vectors,
    Dual,
}

/// Every listed method on a group, by the Lagrangian.
pub fn lagrangian_entries<P: Lagrangian + 'static>() -> Vec<Entry<P>> {
    STRAIGHT.iter().chain(&LIE_GALERKIN).filter_map(|m| by_lagrangian(m, Place::Group)).collect()
}

/// The method on a group with this name, listed or not, by the Lagrangian.
pub fn lagrangian_entry<P: Lagrangian + 'static>(id: &str) -> Option<Entry<P>> {
    by_lagrangian(&member_by_name(id, Place::Group)?, Place::Group)
}

/// Every listed method on Rⁿ.
pub fn vector_entries<P: Lagrangian + 'static>() -> Vec<Entry<P>> {
    EUCLIDEAN.iter().chain(&GALERKIN).filter_map(|m| by_lagrangian(m, Place::Vectors)).collect()
}

/// The method on Rⁿ with this name, listed or not.
pub fn vector_entry<P: Lagrangian + 'static>(id: &str) -> Option<Entry<P>> {
    by_lagrangian(&member_by_name(id, Place::Vectors)?, Place::Vectors)
}

/// Every listed method on a group, by the Hamiltonian.
pub fn hamiltonian_entries<P: Hamiltonian + 'static>() -> Vec<Entry<P>> {
    STRAIGHT.iter().chain(&LIE_GALERKIN).filter_map(by_hamiltonian).collect()
}

/// The method on a group with this name, listed or not, by the Hamiltonian.
pub fn hamiltonian_entry<P: Hamiltonian + 'static>(id: &str) -> Option<Entry<P>> {
    by_hamiltonian(&member_by_name(id, Place::Group)?)
}

/// Every listed method for an invariant Lagrangian.
pub fn reduced_entries<P: ReducedLagrangian + 'static>() -> Vec<Entry<P>> {
    STRAIGHT.iter().chain(&LIE_GALERKIN).filter_map(by_reduced_lagrangian).collect()
}

/// The method for an invariant Lagrangian with this name, listed or not.
pub fn reduced_entry<P: ReducedLagrangian + 'static>(id: &str) -> Option<Entry<P>> {
    by_reduced_lagrangian(&member_by_name(id, Place::Dual)?)
}

fn by_lagrangian<P: Lagrangian + 'static>(member: &Member, place: Place) -> Option<Entry<P>> {
    entry(member, place, |p, scheme| {
        lagrangian::check_legendre(p, 0.0)?;
        Ok(Box::new(Variational::<P, FromLagrangian>::new(scheme)))
    })
}

fn by_hamiltonian<P: Hamiltonian + 'static>(member: &Member) -> Option<Entry<P>> {
    entry(member, Place::Group, |p, scheme| {
        hamiltonian::check_legendre(p, 0.0)?;
        Ok(Box::new(Variational::<P, FromHamiltonian>::new(scheme)))
    })
}

fn by_reduced_lagrangian<P: ReducedLagrangian + 'static>(member: &Member) -> Option<Entry<P>> {
    entry(member, Place::Dual, |p, scheme| {
        p.velocity(&p.start())?;
        Ok(Box::new(Reduced::<P, FromReducedLagrangian>::new(scheme)))
    })
}

fn entry<P: Problem + 'static>(
    member: &Member,
    place: Place,
    make: fn(&P, Scheme) -> Result<Box<dyn Method<P>>, OptionError>,
) -> Option<Entry<P>> {
    let scheme = names::scheme(member.id)?;
    let card = card(member, place, &scheme);
    let own = card.clone();
    let make = move |p: &P, options: &Options| {
        options.check(&own, Choices::none(&own))?;
        make(p, scheme.clone()?)
    };
    Some(Entry { card, make: Box::new(make) })
}

/// What a listing says of a method. Properties follow from the coefficients.
fn card(member: &Member, place: Place, scheme: &Result<Scheme, SchemeError>) -> Card {
    let scheme = scheme.as_ref().ok();
    // Without a potential all rules on a straight piece are one, and it is symmetric.
    let straight = place == Place::Dual && scheme.is_some_and(|s| s.unknowns() == 1);
    let order = scheme.and_then(|s| s.order).unwrap_or(1);
    let symmetric = scheme.is_some_and(|s| match place {
        Place::Vectors => s.mirrored(),
        Place::Group | Place::Dual => s.symmetric,
    });
    let (family, cite) = match member.id.split('-').next().unwrap_or_default() {
        "slgi" => ("theta", "celledoni2021"),
        "vrkmk" => ("variational-rkmk", "bogfjellmo2016"),
        "chart" => ("natural-chart", "carre2017"),
        "liegalerkin" => ("lie-galerkin", "hallleok2017"),
        _ => ("galerkin", "marsdenwest2001"),
    };
    Card {
        id: member.id,
        title: member.title,
        family,
        order: if straight { order.max(2) } else { order },
        symmetric: symmetric || straight,
        symplectic: true,
        conserves: match place {
            Place::Dual => "coadjoint orbits, Poisson bracket",
            Place::Group | Place::Vectors => "symplectic form, momenta of symmetries",
        },
        implicit: true,
        evaluations: None,
        estimate_power: None,
        cite,
    }
}

/// A member of a family that is not listed, such as `slgi-theta0.3`. Whether its numbers make sense
/// is told when it is made.
fn member_by_name(id: &str, place: Place) -> Option<Member> {
    let title = match (id.split('-').next()?, place) {
        ("slgi", _) => "symplectic theta method",
        ("vrkmk", Place::Group | Place::Dual) => "variational RKMK, Gauss",
        ("liegalerkin", Place::Group | Place::Dual) => "Lie-Galerkin",
        ("galerkin", Place::Vectors) => "Galerkin variational method",
        _ => return None,
    };
    names::scheme(id).map(|_| Member { id: interned(id), title })
}

/// The name as one that lives as long as the program; each is kept once.
pub(crate) fn interned(id: &str) -> &'static str {
    static NAMES: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.iter().find(|name| **name == id) {
        return known;
    }
    let name: &'static str = Box::leak(id.to_string().into_boxed_str());
    names.push(name);
    name
}
