//! The problems that come with the tool, as problem files.

/// A built-in problem.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    /// Its name.
    pub id: &'static str,
    /// Its problem file.
    pub text: &'static str,
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
    builtin!("free"),
    builtin!("generic-se3"),
    builtin!("kirchhoff"),
    builtin!("ortolan"),
    builtin!("probe"),
    builtin!("reduced-body"),
    builtin!("slow-top"),
    builtin!("soft-wall"),
    builtin!("soft-wall-printed"),
];

/// The problem of a name.
pub fn find(id: &str) -> Option<&'static Builtin> {
    PROBLEMS.iter().find(|problem| problem.id == id)
}
