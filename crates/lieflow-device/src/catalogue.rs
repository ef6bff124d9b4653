//! Which systems and methods are compiled for GPUs.
use crate::kernel::pairs::*;
use crate::kernel::{AsNumbers, Kind};
use crate::written::Written;
use lieflow::chart::Chart;
use lieflow::method::InlineMethod;
use lieflow_models::run::{Model, Pace, Plan};
use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;

/// A system and a method with an entry of their own.
pub struct Pair {
    /// The entry in the text of the GPU. With `_patient` behind it, the one for what it leaves.
    pub entry: &'static str,
    /// The system in words.
    pub system: &'static str,
    /// The method, and other names of it.
    pub methods: &'static [&'static str],
    /// How many numbers a state has.
    pub state: usize,
    /// Whether it has states inside steps: by shorter steps, as the CPU has them for this method.
    pub looks_inside: bool,
    /// The parameters of a system, in place of what the list had; `false` if it is not such a system.
    pub parameters: fn(&dyn Any, &mut Vec<f64>) -> bool,
    /// The program of its formulas.
    pub program: fn(&dyn Any) -> Vec<u128>,
    /// Whether two systems surely have the same program, which costs less than to write both.
    pub same_program: fn(&dyn Any, &dyn Any) -> bool,
    /// The entry, and that for trajectories that it left, compiled for this machine.
    #[cfg(feature = "emulated")]
    pub(crate) run: [unsafe fn(*const crate::kernel::Arguments, u64); 2],
}

impl fmt::Debug for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Pair").field(&self.entry).finish()
    }
}

macro_rules! list {
    ($($name:ident: $kind:ty, $($method:literal)|+, $engine:expr;)*) => {
        /// All pairs.
        pub static PAIRS: &[Pair] = &[$(Pair {
            entry: stringify!($name),
            system: <$kind as Written>::NAME,
            methods: &[$($method),+],
            state: <<$kind as Kind>::System as AsNumbers>::STATE,
            looks_inside: by_shorter_step::<$kind, _>(|| $engine),
            parameters: parameters::<$kind>,
            program: program::<$kind>,
            same_program: same_program::<$kind>,
            #[cfg(feature = "emulated")]
            run: {
                /// # Safety
                /// As for [`trajectory`](crate::kernel::trajectory).
                unsafe fn run<const PATIENT: bool>(
                    arguments: *const crate::kernel::Arguments,
                    i: u64,
                ) {
                    // SAFETY: as the caller says.
                    unsafe { crate::kernel::trajectory::<$kind, _, PATIENT>(arguments, i, $engine) }
                }
                [run::<false>, run::<true>]
            },
        }),*];
    };
}
for_all_pairs!(list);

/// Whether a method has states inside steps by shorter steps.
const fn by_shorter_step<K: Kind, M: InlineMethod<K::System>>(_: fn() -> M) -> bool {
    !M::INTERPOLATES
}

fn parameters<K: Written>(system: &dyn Any, parameters: &mut Vec<f64>) -> bool {
    parameters.clear();
    system.downcast_ref().is_some_and(|system| K::parameters(system, parameters))
}

fn program<K: Written>(system: &dyn Any) -> Vec<u128> {
    system.downcast_ref().map_or(Vec::new(), |system| K::program(system))
}

fn same_program<K: Written>(first: &dyn Any, second: &dyn Any) -> bool {
    match (first.downcast_ref(), second.downcast_ref()) {
        (Some(first), Some(second)) => K::same_program(first, second),
        _ => false,
    }
}

/// Why an ensemble does not run on a GPU.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("found {found}, expected {expected}")]
pub struct Refusal {
    /// What it has.
    pub found: String,
    /// What would run.
    pub expected: String,
}

impl Refusal {
    /// A refusal in words.
    pub fn new(found: impl Into<String>, expected: impl Into<String>) -> Self {
        Self { found: found.into(), expected: expected.into() }
    }
}

/// The pair of a system and a plan, or why there is none.
pub fn find(model: &dyn Model, plan: &Plan) -> Result<&'static Pair, Refusal> {
    if !matches!(plan.pace, Pace::Fixed { .. }) {
        return Err(Refusal::new("adaptive steps", "fixed steps on a GPU"));
    }
    if !model.watchlist().events().is_empty() {
        return Err(Refusal::new("events", "none on a GPU, where trajectories go on side by side"));
    }
    let carried = plan.polar.is_some() || plan.options.compensated;
    if plan.max_steps < u64::MAX || carried || plan.extras != Default::default() {
        return Err(Refusal::new(
            "a bound on the steps, a correction or an option of the method",
            "none of them on a GPU",
        ));
    }
    let mut parameters = Vec::new();
    let mut fits = |pair: &Pair| (pair.parameters)(model.as_any(), &mut parameters);
    let of_system: Vec<&Pair> = PAIRS.iter().filter(|pair| fits(pair)).collect();
    let Some(first) = of_system.first() else {
        return Err(Refusal::new(
            format!("the system {} as it is here", model.system()),
            format!("one that is compiled for GPUs: {}", systems()),
        ));
    };
    if plan.options.chart != Chart::Exp {
        return Err(Refusal::new("another chart", "the exponential on a GPU"));
    }
    let pair = of_system.iter().find(|pair| pair.methods.contains(&plan.method.as_str()));
    pair.copied().ok_or_else(|| {
        let methods: Vec<&str> = of_system.iter().flat_map(|pair| pair.methods).copied().collect();
        Refusal::new(
            format!("the method {}", plan.method),
            format!("one that is compiled for GPUs for {}: {}", first.system, methods.join(", ")),
        )
    })
}

/// All systems in words.
fn systems() -> String {
    let mut list = Vec::new();
    for pair in PAIRS {
        if !list.contains(&pair.system) {
            list.push(pair.system);
        }
    }
    list.join(", ")
}

/// The methods of each system, for documentation.
pub fn table() -> BTreeMap<&'static str, Vec<&'static str>> {
    let mut table: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for pair in PAIRS {
        table.entry(pair.system).or_default().extend(pair.methods);
    }
    table
}
