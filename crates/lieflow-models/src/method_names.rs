//! Names of methods: what else they are called, and which to try first.
//!
//! People know methods by the names of other programs and papers. A name that is none of ours is
//! looked up here before the nearest spelling is suggested.
use crate::problem_file::suggestion;

/// Methods that are listed under an author's own name too: the name, and the one it stands for.
pub static SAME: &[(&str, &str)] = &[("dmv", "rattle"), ("ls", "rattle"), ("lgvi", "rattle")];

/// Names known elsewhere, and what comes nearest here; the first that fits the system is meant.
pub static SYNONYMS: &[(&[&str], &[&str])] = &[
    (&["euler", "forwardeuler", "expliciteuler", "rk1"], &["lie-euler", "eul-b"]),
    (&["backwardeuler", "impliciteuler"], &["beu-b", "slgi-theta1", "rkmk-gl2"]),
    (
        &["symplecticeuler", "semiimpliciteuler", "eulercromer"],
        &["slgi-theta0", "chart-exp-left", "exs", "rattle"],
    ),
    (&["heun", "rk2", "ralston"], &["rkmk2-heun"]),
    (&["explicitmidpoint", "modifiedeuler"], &["rkmk2-midpoint"]),
    (
        &["midpoint", "implicitmidpoint", "crank", "cranknicolson", "trapezoid"],
        &["midpoint-variational", "liemid-i", "spherical-midpoint", "rkmk-gl2"],
    ),
    (&["rk3", "kutta", "ssprk3"], &["rkmk3"]),
    (&["rk4", "rungekutta", "rungekutta4", "classical", "rkmk"], &["rkmk4", "rk4"]),
    (&["rk23", "ode23", "bs23", "bs32", "bogackishampine"], &["rkmk-bs32"]),
    (&["rkf45", "fehlberg", "rungekuttafehlberg"], &["rkmk-rkf45"]),
    (
        &[
            "rk45",
            "ode45",
            "dp45",
            "dp54",
            "dp5",
            "dopri",
            "dopri5",
            "dopri54",
            "dormandprince",
            "tsit5",
            "adaptive",
        ],
        &["rkmk-dp54", "dopri5"],
    ),
    (
        &["dop853", "dopri8", "ode89", "vern7", "vern9", "ias15", "taylor", "bulirschstoer"],
        &["rkmk-dop853", "dop853"],
    ),
    (
        &["gauss", "gausslegendre", "gl", "gl4", "irk", "radau", "bdf", "lsoda", "cvode", "stiff"],
        &["rkmk-gl4"],
    ),
    (&["gl6", "gauss6"], &["rkmk-gl6"]),
    (&["gl2", "gauss2"], &["rkmk-gl2"]),
    (
        &[
            "verlet",
            "stormer",
            "stormerverlet",
            "velocityverlet",
            "leapfrog",
            "strang",
            "symplectic",
            "variational",
        ],
        &["exs", "rattle", "llm", "slgi-theta0.5", "midpoint-variational", "spherical-midpoint"],
    ),
    (&["lieverlet"], &["vlv", "rattle"]),
    (
        &[
            "shake",
            "rattle",
            "dmv",
            "moserveselov",
            "discretemoserveselov",
            "lgvi",
            "lewissimo",
            "liegroupvariational",
        ],
        &["rattle", "llm", "slgi-theta0.5", "midpoint-variational"],
    ),
    (
        &["ruth", "forestruth", "yoshida", "yoshida4", "triplejump", "tj4"],
        &["exs@tj4", "rattle@tj4", "llm@tj4", "spherical-midpoint@tj4"],
    ),
    (
        &["suzuki", "suzuki4", "su4"],
        &["exs@su4", "rattle@su4", "llm@su4", "spherical-midpoint@su4"],
    ),
    (&["yoshida6", "yo6"], &["exs@yo6", "rattle@yo6", "llm@yo6", "spherical-midpoint@yo6"]),
    (&["kahanli", "kl6"], &["exs@kl6", "rattle@kl6", "llm@kl6", "spherical-midpoint@kl6"]),
    (&["blanesmoan", "bm4"], &["exs@bm4"]),
    (&["rkn", "rkn6", "rungekuttanystrom", "nystrom"], &["exs@rkn6"]),
    (&["splitting", "exact", "jacobi", "eulerpoinsot"], &["exs", "sp123"]),
    (&["symmetricprojection", "reich", "mclachlan"], &["sp123"]),
    (&["munthekaas"], &["rkmk4"]),
    (&["crouchgrossman", "cg"], &["cg4"]),
    (&["magnus", "magnus4", "iserlesnorsett"], &["magnus4", "cf4"]),
    (&["magnus6", "blanescasasros"], &["magnus6", "rkmk-gl6"]),
    (&["magnus8"], &["magnus8", "rkmk-dop853"]),
    (&["cfm4", "cf4oc", "cfet4", "cfmagnus", "quasimagnus", "cfqm4"], &["cf-magnus4", "cf4"]),
    (&["cfm6", "cfet6", "cf65opt", "cfqm6", "alvermannfehske"], &["cf-magnus6"]),
    (&["isomp", "isospectral", "isosyrk", "modinviviani"], &["isospectral-midpoint"]),
    (&["isosyrkgl4", "isogl4", "isogauss4"], &["isospectral-gl4"]),
    (&["isosyrkgl6", "isogl6", "isogauss6"], &["isospectral-gl6"]),
    (&["commutatorfree", "cf", "celledoni"], &["cf4"]),
    (&["heyoka", "jorbazou", "taylorseries", "tides", "taylormethod"], &["taylor", "rkmk-dop853"]),
    (&["gyro", "strapdown", "coning", "bortz", "imu", "savage", "deltaangle"], &["gyro6", "cf4"]),
    (&["williamson", "lsrk3", "rk3w", "luscher", "2n3", "lowstorage3", "rkw3"], &["cf2n3"]),
    (
        &[
            "bazavov",
            "lowstorage",
            "2n",
            "2nstorage",
            "lsrk",
            "lsrk4",
            "carpenterkennedy",
            "ck45",
            "ldrk",
        ],
        &["cf2n4"],
    ),
    (&["berland", "rk46l", "rk46nl", "bbb"], &["cf2n4-6"]),
    (&["ees", "cfees", "effectivelysymmetric", "reversible", "cfees25"], &["ees25"]),
    (&["cfees27"], &["ees27"]),
    (
        &[
            "discretegradient",
            "discretegradients",
            "avf",
            "averagevectorfield",
            "meanvalue",
            "energypreserving",
            "energyconserving",
            "gonzalez",
            "quispel",
        ],
        &["discrete-gradient-mean"],
    ),
    (&["itohabe", "itoh", "coordinateincrement"], &["discrete-gradient-itoh-abe"]),
    (&["newmark", "newmarkbeta", "generalizedalpha", "alpha"], &["nmb", "eln", "rkmk-gl2"]),
    (&["krysl", "liemidpoint", "midpointlie"], &["liemid-ea"]),
    (&["simowong"], &["akw", "swc1"]),
    (
        &["spherical", "mclachlanmodinverdier", "mmv", "spheremidpoint", "symplecticspin", "spin"],
        &["spherical-midpoint"],
    ),
    (&["collective", "hopf", "hopfmidpoint", "quaternionmidpoint"], &["collective-midpoint"]),
    (&["lieeuler", "exponentialeuler", "geometriceuler"], &["lie-euler", "eul-b"]),
    (&["implicitlie", "implicitliemidpoint", "gaussmidpoint"], &["liemid-i", "rkmk-gl2"]),
    (&["casasowren"], &["rkmk4-casas-owren"]),
    (&["owrenmarthinsen"], &["cg4"]),
    (&["celledonimarthinsenowren", "cmo", "cfree4"], &["cf4"]),
    (&["selfadjoint", "selfadjointgauss", "zanna"], &["gl4-sym"]),
    (&["bogfjellmo", "marthinsen", "variationalrkmk", "vrkmk"], &["vrkmk-gauss4"]),
    (&["slgi", "theta", "thetamethod", "bourabee", "hamiltonpontryagin"], &["slgi-theta0.5"]),
    (&["austin", "austinkrishnaprasadwang"], &["akw"]),
    (&["algoc1", "simowongc1"], &["swc1"]),
    (&["algoc2", "simowongc2"], &["swc2"]),
    (&["kryslendres", "explicitnewmark"], &["nmb", "eln"]),
    (&["simovuquoc", "lienewmark", "explicitlienewmark"], &["eln"]),
    (&["nukala", "nukalashelton"], &["prk"]),
    (&["koziara", "koziarabicanic"], &["new3"]),
    (&["dullweber", "dlm", "dullweberleimkuhlermclachlan", "toumawisdom"], &["sp123", "exs"]),
    (&["leeleokmcclamroch"], &["llm", "rattle"]),
    (&["hallleok", "spectralvariational"], &["liegalerkin-exp-s2-gauss2", "galerkin-s3-gauss3"]),
    (&["lewisolver", "isotropy", "osculating"], &["eul-i", "rk2-io"]),
    (&["galerkin"], &["galerkin-s2-gauss2", "liegalerkin-exp-s2-gauss2"]),
    (&["lobatto"], &["galerkin-s3-lobatto4", "liegalerkin-exp-s3-lobatto4"]),
];

/// What is worth trying first, whatever the system: the best of each kind, those that keep the
/// structure before the others.
static WORTH_TRYING: &[&str] = &[
    "exs@rkn6",
    "exs@rkn4",
    "exs",
    "rattle",
    "llm",
    "rattle@su4",
    "vrkmk-gauss4",
    "galerkin-s3-gauss3",
    "galerkin-s2-gauss2",
    "midpoint-variational",
    "slgi-theta0.5",
    "spherical-midpoint",
    "spherical-midpoint@su4",
    "magnus6",
    "cf-magnus6",
    "magnus8",
    "magnus4",
    "isospectral-midpoint",
    "isospectral-gl4",
    "rkmk-dop853",
    "rkmk-dp54",
    "cf4",
    "rkmk4",
    "liemid-ea",
    "rkmk-gl4",
    "sy4-o",
    "rk4-o",
    "dop853",
    "rk4",
    "cf43-fsal",
    "rkmk4-casas-owren",
    "rkmk-gl6",
    "cf3-a",
    "rkmk-bs32",
];

/// So many methods are looked at where nobody says which.
const A_DOZEN: usize = 12;

/// The dozen to try first among those that fit, each method under one name.
pub fn worth_trying<'a>(fitting: &[&'a str]) -> Vec<&'a str> {
    let known = WORTH_TRYING.iter().filter_map(|id| fitting.iter().find(|fit| *fit == id).copied());
    let mut chosen: Vec<&str> = known.take(A_DOZEN).collect();
    if chosen.is_empty() {
        chosen.extend(fitting.iter().copied().take(A_DOZEN));
    }
    chosen
}

/// The same list without further names of one method.
pub fn once_each<'a>(fitting: &[&'a str]) -> Vec<&'a str> {
    let again = |id: &str| SAME.iter().any(|(name, of)| *name == id && fitting.contains(of));
    fitting.iter().copied().filter(|id| !again(id)).collect()
}

/// What somebody who typed this probably means: another name of a method, or a near spelling.
pub fn meant<'a>(typed: &str, known: &[&'a str]) -> Option<&'a str> {
    let plain = plain(typed);
    let listed = |id: &&str| known.iter().find(|known| *known == id).copied();
    let row = SYNONYMS.iter().find(|(names, _)| names.contains(&plain.as_str()));
    let by_meaning = row.and_then(|(_, ids)| ids.iter().find_map(listed));
    by_meaning.or_else(|| suggestion(typed, known.iter().copied()))
}

/// A name without what people write differently: case, hyphens, spaces, dots over letters.
fn plain(typed: &str) -> String {
    let letters = typed.chars().take(64).flat_map(char::to_lowercase);
    let letters = letters.map(|c| if c == 'ö' || c == 'ø' { 'o' } else { c });
    letters.filter(|c| c.is_alphanumeric()).collect()
}

/// A few names for a message, and how to see all of them.
pub(crate) fn few(known: &[&str], system: &str) -> String {
    let few = &worth_trying(known);
    let shown = few.get(..6).unwrap_or(few).join(", ");
    if known.len() <= 6 {
        return known.join(", ");
    }
    format!("{shown}, … ({} in all: `lieflow list methods --system {system}`)", known.len())
}
