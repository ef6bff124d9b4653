//! What the methods of this family are and preserve. The entries are checked by measurement in
//! `certify` and in the tests.
use super::super::Card;

const MOMENTUM: &str = "spatial momentum of free motion, momentum about the axis of an axial field";
const MOMENTUM_SPIN: &str = "spatial momentum of free motion, momentum about the axis of an axial field, spin of symmetric tops";
const ENERGY: &str = "spatial momentum and energy of free motion, momentum about the axis of an axial field, spin of symmetric tops";
const SPIN: &str = "spin of symmetric tops";

/// A card of this family; the modifiers below fill in what differs.
const fn card(id: &'static str, title: &'static str, cite: &'static str) -> Card {
    Card {
        symmetric: true,
        conserves: MOMENTUM_SPIN,
        implicit: true,
        evaluations: Some(1),
        cite,
        ..Card::new(id, title, "rigid body", 2)
    }
}

const fn first_order(card: Card) -> Card {
    Card { order: 1, symmetric: false, ..card }
}
const fn symplectic(card: Card) -> Card {
    Card { symplectic: true, ..card }
}
const fn explicit(card: Card) -> Card {
    Card { implicit: false, ..card }
}
const fn conserving(conserves: &'static str, card: Card) -> Card {
    Card { conserves, ..card }
}
/// The torque sits inside the equations.
const fn torque_in_solve(card: Card) -> Card {
    Card { evaluations: None, ..card }
}
const fn splitting(id: &'static str, title: &'static str, order: u8, evaluations: u32) -> Card {
    let base = explicit(symplectic(conserving(ENERGY, card(id, title, "blanesmoan2002"))));
    Card { order, evaluations: Some(evaluations), ..base }
}

pub(super) const LIEMID: Card = Card {
    evaluations: Some(0),
    ..conserving("spatial momentum", card("liemid", "midpoint Lie, free motion only", "krysl2004"))
};
pub(super) const LIEMID_I: Card = torque_in_solve(conserving(
    MOMENTUM,
    card("liemid-i", "implicit midpoint Lie, LIEMID[I]", "krysl2004"),
));
pub(super) const LIEMID_E: Card = first_order(conserving(
    MOMENTUM,
    card("liemid-e", "explicit midpoint Lie, the counterexample LIEMID[E]", "krysl2004"),
));
pub(super) const LIEMID_E1: Card =
    first_order(card("liemid-e1", "midpoint Lie, then a kick, LIEMID[E1]", "krysl2004"));
pub(super) const LIEMID_E2: Card =
    first_order(card("liemid-e2", "a kick, then midpoint Lie, LIEMID[E2]", "krysl2004"));
pub(super) const LIEMID_EA: Card =
    card("liemid-ea", "alternating explicit midpoint Lie, LIEMID[EA]", "krysl2004");
pub(super) const AKW: Card = torque_in_solve(conserving(
    "spatial momentum and energy of free motion, both with axis where U is linear in R, spin of symmetric tops",
    card("akw", "midpoint rule of Austin, Krishnaprasad and Wang", "austin1993"),
));
pub(super) const ELN: Card =
    conserving(SPIN, card("eln", "explicit Lie-Newmark, Cayley update", "simovuquoc1988"));
pub(super) const NMB: Card = conserving(
    SPIN,
    card("nmb", "explicit Newmark of Krysl and Endres: eln with exp", "krysl2005"),
);
pub(super) const TLN: Card = torque_in_solve(conserving(
    SPIN,
    card("tln", "trapezoidal Lie-Newmark, Cayley update", "simovuquoc1988"),
));
pub(super) const TLNEXP: Card = torque_in_solve(conserving(
    SPIN,
    card("tlnexp", "trapezoidal Lie-Newmark, exponential update", "simovuquoc1988"),
));
pub(super) const PRK: Card =
    conserving(ENERGY, card("prk", "partitioned Runge-Kutta-Munthe-Kaas", "nukala2007"));
pub(super) const MCG: Card = card("mcg", "modified Crouch-Grossman, corrected", "nukala2007");
pub(super) const NEW3: Card = conserving(
    MOMENTUM,
    card("new3", "Koziara and Bićanić, one torque at the middle", "koziara2010"),
);
pub(super) const VLV: Card =
    symplectic(card("vlv", "variational Lie-Verlet, Cayley", "bourabee2009"));
pub(super) const VLVEXP: Card =
    symplectic(card("vlvexp", "variational Lie-Verlet, exponential", "bourabee2009"));
pub(super) const RATTLE: Card = symplectic(conserving(
    ENERGY,
    card("rattle", "RATTLE in reduced form: kicked discrete Moser-Veselov", "mclachlan1995"),
));
pub(super) const DMV: Card = Card {
    id: "dmv",
    title: "discrete Moser-Veselov: rattle under another name, since F D - D F^T = h hat(P) and the reduced RATTLE step have the same solution",
    cite: "moserveselov1991",
    ..RATTLE
};
pub(super) const LS: Card = Card {
    id: "ls",
    title: "Lewis-Simo: rattle under another name, the simplest symplectic free step along the mean velocity (the original formula was not at hand)",
    cite: "lewissimo1994",
    ..RATTLE
};
pub(super) const LGVI: Card = Card {
    id: "lgvi",
    title: "Lie group variational integrator of Lee, Leok and McClamroch: rattle under another name, since tr((1-F) D)/h is the Moser-Veselov Lagrangian",
    cite: "leeleok2007",
    ..RATTLE
};
/// Preprocessed maps: what they are, not symplectic but all else that the exact motion keeps.
const fn preprocessed(id: &'static str, title: &'static str) -> Card {
    conserving(ENERGY, card(id, title, "hairervilmart2006"))
}
/// Such a map in a splitting.
const fn in_splitting(id: &'static str, of: &Card) -> Card {
    let title = "Nyström splitting with the preprocessed Moser-Veselov map of order 10";
    let base = preprocessed(id, title);
    Card { order: of.order, evaluations: of.evaluations, cite: of.cite, ..base }
}

pub(super) const DMV4: Card =
    preprocessed("dmv4", "preprocessed Moser-Veselov: order 4 in free motion, 2 with torque");
pub(super) const DMV6: Card =
    preprocessed("dmv6", "preprocessed Moser-Veselov: order 6 in free motion, 2 with torque");
pub(super) const DMV8: Card =
    preprocessed("dmv8", "preprocessed Moser-Veselov: order 8 in free motion, 2 with torque");
pub(super) const DMV10: Card =
    preprocessed("dmv10", "preprocessed Moser-Veselov: order 10 in free motion, 2 with torque");
pub(super) const DMV10_BM4: Card = in_splitting("dmv10@bm4", &BM4);
pub(super) const DMV10_RKN4: Card = in_splitting("dmv10@rkn4", &RKN4);
pub(super) const DMV10_RKN6: Card = in_splitting("dmv10@rkn6", &RKN6);
pub(super) const DMV10_RKN6A: Card = in_splitting("dmv10@rkn6a", &RKN6A);
pub(super) const SWC1: Card = torque_in_solve(conserving(
    "spatial momentum and energy of free motion, momentum about the axis of an axial field",
    card("swc1", "implicit Simo-Wong", "simowong1991"),
));
pub(super) const SWC2: Card = Card {
    symmetric: false,
    ..explicit(conserving(
        MOMENTUM,
        card("swc2", "explicit Simo-Wong, with memory", "simowong1991"),
    ))
};
pub(super) const SP123: Card = explicit(symplectic(conserving(
    MOMENTUM,
    card("sp123", "splitting into rotations about the axes 1, 2, 3, 2, 1", "mclachlan1993"),
)));
pub(super) const SP321: Card = explicit(symplectic(conserving(
    MOMENTUM,
    card("sp321", "splitting into rotations about the axes 3, 2, 1, 2, 3", "mclachlan1993"),
)));
pub(super) const EXS: Card = explicit(symplectic(conserving(
    ENERGY,
    card("exs", "splitting with the exact free motion, kick outside", "celledonifasso2008"),
)));
pub(super) const EXSD: Card = explicit(symplectic(conserving(
    ENERGY,
    card("exsd", "splitting with the exact free motion, kick inside", "celledonifasso2008"),
)));
pub(super) const BM4: Card =
    splitting("exs@bm4", "Nyström splitting with the exact motion, motion outside", 4, 6);
pub(super) const RKN4: Card =
    splitting("exs@rkn4", "Nyström splitting with the exact motion, kick outside", 4, 6);
pub(super) const RKN6: Card =
    splitting("exs@rkn6", "Nyström splitting with the exact motion, kick outside", 6, 11);
pub(super) const RKN6A: Card =
    splitting("exs@rkn6a", "Nyström splitting with the exact motion, motion outside", 6, 14);
pub(super) const FG4: Card = Card {
    cite: "chin1997",
    ..splitting("exs@fg4", "splitting with the exact motion and the gradient of the torque", 4, 2)
};
