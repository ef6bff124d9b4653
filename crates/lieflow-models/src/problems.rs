//! The problems that come with the tool, as problem files.
use crate::problem_file::{Document, Place, SpecError};

/// A built-in problem.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    /// Its name.
    pub id: &'static str,
    /// Its problem file.
    pub text: &'static str,
}

impl Builtin {
    /// Its title and its document.
    pub fn open(&self) -> Result<(String, Document), SpecError> {
        let document = Document::parse(self.text, &format!("problem {}", self.id), &[])?;
        Ok((document.title().unwrap_or_default().to_string(), document))
    }
}

/// Declares a problem from the file of the same name.
macro_rules! builtin {
    ($id:literal) => {
        Builtin { id: $id, text: include_str!(concat!("../problems/", $id, ".toml")) }
    };
}

/// All built-in problems.
pub static PROBLEMS: &[Builtin] = &[
    builtin!("fast-top"),
    builtin!("racket"),
    builtin!("top-ensemble"),
    builtin!("slow-top"),
    builtin!("free"),
    builtin!("free-body-seed001"),
    builtin!("soft-wall"),
    builtin!("soft-wall-printed"),
    builtin!("ortolan"),
    builtin!("probe"),
    builtin!("free-body-other-axis"),
    builtin!("satellite"),
    builtin!("top-with-friction"),
    builtin!("attitude-control"),
    builtin!("charged-body"),
    builtin!("reduced-body"),
    builtin!("kirchhoff"),
    builtin!("generic-se3"),
    builtin!("mild-top"),
    builtin!("heavy-top-seed"),
    builtin!("heavy-top-steiner"),
    builtin!("two-vortices"),
    builtin!("vortex-ring"),
    builtin!("vortices"),
    builtin!("twelve-vortices"),
    builtin!("macrospin"),
    builtin!("macrospin-biaxial"),
    builtin!("spin-wave"),
    builtin!("spin-ring"),
    builtin!("bloch"),
    builtin!("landau-zener"),
    builtin!("toda"),
    builtin!("so4-body"),
    builtin!("harmonic"),
    builtin!("pendulum"),
    builtin!("double-well"),
    builtin!("kepler"),
    builtin!("henon-heiles"),
    builtin!("spherical-pendulum"),
    builtin!("double-spherical-pendulum"),
    builtin!("chain-fig5"),
    builtin!("chain-fig8"),
    builtin!("chain-fig10"),
    builtin!("chain-fig10code"),
    builtin!("chain-generic-n5"),
    builtin!("dipoles-4x4"),
    builtin!("dipoles-64x64"),
    builtin!("quad-published"),
    builtin!("quad-nomoment"),
    builtin!("quad-full"),
    builtin!("pendulum-on-turntable"),
    builtin!("coupled-bodies"),
    builtin!("spin-chain"),
    builtin!("heisenberg-chain"),
    builtin!("driven-macrospin"),
    builtin!("screened-vortices"),
    builtin!("buoyant-body"),
    builtin!("underwater-vehicle"),
    builtin!("kuramoto-spheres"),
    builtin!("chirped-pulse"),
    builtin!("oblate-planet"),
    builtin!("tracking-quadrotor"),
    builtin!("coning"),
];

/// Says that there is none of this name. Whoever names a system gets its problems.
pub fn unknown(place: Place, what: &'static str, name: &str) -> SpecError {
    let line = format!("system = \"{name}\"");
    let of_system = |problem: &&Builtin| problem.text.lines().any(|text| text == line);
    let (first, rest): (Vec<&Builtin>, Vec<&Builtin>) = PROBLEMS.iter().partition(of_system);
    let known = first.iter().chain(&rest).map(|problem| problem.id);
    let mut error = SpecError::unknown_name(place, what, name, known);
    if let (SpecError::UnknownName { suggestion, .. }, [first, ..]) = (&mut error, first.as_slice())
    {
        *suggestion = Some(first.id.into());
    }
    error
}

/// The problem of a name.
pub fn find(id: &str) -> Option<&'static Builtin> {
    PROBLEMS.iter().find(|problem| problem.id == id)
}
