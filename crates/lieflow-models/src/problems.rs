//! The problems that come with the tool, as problem files.
use crate::problem_file::{Document, SpecError};

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

/// The problem of a name.
pub fn find(id: &str) -> Option<&'static Builtin> {
    PROBLEMS.iter().find(|problem| problem.id == id)
}
