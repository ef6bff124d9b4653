//! What was measured of a method, and what follows from it.
use crate::measure::Structure;
use lieflow_models::study::order::Unseen;
use serde_json::{Value as Json, json};

/// Below this a defect is rounding: forms that are kept show up to 3e-14 on the problems for
/// certificates, and those that are not at least 1e-11.
const ROUNDING: f64 = 1e-12;
/// Units in the last place of its terms up to which a defect is rounding, where steps or momenta
/// are large.
const UNITS: f64 = 16.0;
/// Where rounding alone may make a defect as large as this, it says nothing.
const BLURRED: f64 = 1e-7;
/// Errors of a step below this hide what is not kept behind rounding.
const BLUNT: f64 = 1e-10;

/// What was measured of a method.
#[derive(Clone, Debug, PartialEq)]
pub struct Certificate {
    /// The method.
    pub method: String,
    /// The problem on which the one-step map was measured.
    pub problem: String,
    /// The step.
    pub step: f64,
    /// Observed order of the whole state.
    pub order: Option<f64>,
    /// Why it is not seen, if it is not.
    pub unseen: Option<Unseen>,
    /// Observed orders of its parts.
    pub orders: Vec<(&'static str, Option<f64>)>,
    /// The worst defects of the one-step map at the given state and others near it.
    pub structure: Structure,
    /// The largest error of a step, relative to the state: what a method does not keep cannot be seen
    /// where this is rounding.
    pub local_error: f64,
    /// At how many states it was measured.
    pub states: usize,
    /// Whether the given state hides what others near it show, or the method is exact at all of
    /// them.
    pub degenerate: Option<Degenerate>,
    /// Largest change of the momenta that a symmetry conserves, relative to their size.
    pub momentum: Option<f64>,
    /// The same for the whole spatial momentum of free motion.
    pub spatial: Option<f64>,
    /// The same for the momentum about the axis of a field.
    pub axial: Option<f64>,
    /// Largest distance from the manifold.
    pub manifold: f64,
}

/// In which way a state says little about a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Degenerate {
    /// The state itself: others near it show more.
    State,
    /// The problem: the method solves it to rounding from every state near the given one.
    Exact,
}

impl Degenerate {
    /// In words, for a verdict.
    fn words(self) -> &'static str {
        match self {
            Self::State => "degenerate state (measured at states near it)",
            Self::Exact => {
                "degenerate state: the method is exact here to rounding, which shows nothing of its structure"
            }
        }
    }
}

/// Whether a defect is rounding; nothing where rounding may hide it.
fn kept(defect: f64, rounding: f64) -> Option<bool> {
    let limit = ROUNDING.max(UNITS * rounding);
    if defect < limit && limit > BLURRED { None } else { Some(defect < limit) }
}

impl Structure {
    /// Whether the map keeps the form to rounding, where that can be asked and told.
    pub fn keeps_form(&self) -> Option<bool> {
        self.symplectic.and_then(|defect| kept(defect, self.rounding))
    }
    /// Whether a step back undoes a step forth, where that can be told.
    pub fn is_symmetric(&self) -> Option<bool> {
        kept(self.symmetric, f64::EPSILON * self.size)
    }
    /// The larger defect of each kind.
    pub(crate) fn worse(self, other: Self) -> Self {
        let form = match (self.keeps_form(), other.keeps_form()) {
            (Some(true) | None, Some(false)) => &other,
            (Some(false), Some(true) | None) => &self,
            _ if other.symplectic > self.symplectic => &other,
            _ => &self,
        };
        let (symplectic, form, rounding) = (form.symplectic, form.form, form.rounding);
        let back = if other.symmetric / other.size.max(1.0) > self.symmetric / self.size.max(1.0) {
            &other
        } else {
            &self
        };
        Self { symplectic, form, rounding, symmetric: back.symmetric, size: back.size }
    }
}

impl Certificate {
    /// Whether the map is symplectic to rounding, where that can be asked and told.
    pub fn symplectic(&self) -> Option<bool> {
        self.told(self.structure.keeps_form())
    }
    /// Whether a step back undoes a step forth, where that can be told.
    pub fn symmetric(&self) -> Option<bool> {
        self.told(self.structure.is_symmetric())
    }
    /// Whether momenta of symmetries are conserved.
    pub fn keeps_momentum(&self) -> Option<bool> {
        self.momentum.map(|d| d < 1e-12)
    }
    /// An answer, if the states tell it: that something is kept is seen only where steps have errors.
    fn told(&self, kept: Option<bool>) -> Option<bool> {
        let exact = self.degenerate == Some(Degenerate::Exact) || self.local_error < BLUNT;
        kept.filter(|kept| !(*kept && exact))
    }
    /// The findings in words.
    pub fn verdict(&self) -> String {
        let order = match (self.order, self.unseen) {
            (Some(order), _) => format!("order {:.0}", order.round()),
            (None, Some(why)) => format!("order not seen ({})", why.reason()),
            (None, None) => "order not seen".into(),
        };
        if let Some(exact @ Degenerate::Exact) = self.degenerate {
            return format!("{}, {order}", exact.words());
        }
        let mut words = Vec::new();
        let poisson = self.structure.form.is_some_and(|form| form.contains("Poisson"));
        words.push(match (self.symplectic(), poisson, self.structure.symplectic) {
            (Some(true), false, _) => "symplectic",
            (Some(false), false, _) => "not symplectic",
            (Some(true), true, _) => "Poisson map",
            (Some(false), true, _) => "not a Poisson map",
            (None, _, Some(_)) => "symplectic form not seen (errors of a step are rounding)",
            (None, _, None) => "symplectic form not measured",
        });
        words.push(match self.symmetric() {
            Some(true) => "symmetric",
            Some(false) => "not symmetric",
            None => "symmetry not seen (errors of a step are rounding)",
        });
        match self.keeps_momentum() {
            Some(true) => words.push("keeps momentum"),
            Some(false) => words.push("loses momentum"),
            None => {}
        }
        let tail = self.degenerate.map_or(String::new(), |why| format!(", {}", why.words()));
        format!("{}, {order}{tail}", words.join(", "))
    }
    /// The document of `certify --json`.
    pub fn to_json(&self) -> Json {
        let orders: serde_json::Map<String, Json> =
            self.orders.iter().map(|(n, o)| (n.to_string(), json!(o))).collect();
        json!({
            "method": self.method, "problem": self.problem, "step": self.step,
            "order": self.order, "orders": orders,
            "order_not_seen": self.unseen.map(Unseen::reason),
            "symplectic_defect": self.structure.symplectic,
            "form": self.structure.form,
            "symmetric_defect": self.structure.symmetric,
            "momentum_defect": self.momentum,
            "spatial_momentum_defect": self.spatial,
            "axial_momentum_defect": self.axial,
            "manifold_defect": self.manifold,
            "local_error": self.local_error,
            "states": self.states,
            "degenerate": self.degenerate.is_some(),
            "symplectic": self.symplectic(),
            "symmetric": self.symmetric(),
            "verdict": self.verdict(),
        })
    }
}
