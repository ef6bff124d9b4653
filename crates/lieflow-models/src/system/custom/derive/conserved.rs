//! What may be conserved: the energy, Casimir functions, momenta. Whether it is, is tested later
//! with the numbers of the parameters.
use super::super::factor::Space;
use super::{Derivation, Refusal, V3};
use lieflow_formula::Value;
use lieflow_formula::graph::Id;

impl Derivation<'_> {
    /// The energy, which later formulas know by this name unless it is taken.
    pub(super) fn conserve_energy(&mut self, energy: Value) {
        self.candidates.push(("energy".into(), energy.clone()));
        if self.sheet.names().role("energy").is_none() {
            // The name was free.
            let _ = self.sheet.name("energy", energy);
        }
    }

    /// Lengths and products that no energy changes, of a part with advected vectors. A list has too
    /// many of them.
    pub(super) fn casimirs(&mut self, of: usize, carried: &[usize]) -> Result<(), Refusal> {
        let factor = &self.factors[of];
        if factor.count.is_some()
            || matches!(factor.space, Space::Sphere | Space::Momenta { unit: true })
        {
            return Ok(());
        }
        let name = &factor.name;
        let (m, mut list) = match factor.space {
            Space::Wrenches => {
                (format!("{name}.w"), vec![(format!("{name}_v"), format!("{name}.v"))])
            }
            _ => (name.clone(), Vec::new()),
        };
        let others = carried.iter().map(|i| self.factors[*i].name.clone());
        list.extend(others.map(|name| (name.clone(), name)));
        let mut texts = Vec::new();
        for (i, (name, p)) in list.iter().enumerate() {
            texts.push((format!("{name}_norm"), format!("norm({p})")));
            for (other, q) in &list[..i] {
                texts.push((format!("{other}_dot_{name}"), format!("dot({q}, {p})")));
            }
        }
        match &list[..] {
            [] => texts.push((format!("{name}_norm"), format!("norm({m})"))),
            [(other, p)] => texts.push((format!("{name}_dot_{other}"), format!("dot({m}, {p})"))),
            _ => {}
        }
        for (name, text) in texts {
            let value = self.sheet.formula(&name, &text)?;
            self.candidates.push((name, value));
        }
        Ok(())
    }

    /// The momenta of a particle, to be summed with those of others.
    pub(super) fn particle_totals(&mut self, x: &Value, p: &Value) {
        match (x, p) {
            (Value::Vector(x), Value::Vector(p)) => {
                let turning = self.cross(*x, *p);
                self.turning.push(turning);
                self.pushing.push(*p);
            }
            (Value::List(_), Value::List(_)) if x.ids().len() == 2 => {
                let (x, p) = (x.ids(), p.ids());
                let graph = self.graph();
                let zero = graph.number(0.0);
                let (a, b) = (graph.mul(x[0], p[1]), graph.mul(x[1], p[0]));
                let across = graph.sub(a, b);
                self.turning.push([zero, zero, across]);
                self.pushing.push([p[0], p[1], zero]);
            }
            _ => {}
        }
    }

    /// The sums of spins, angular and linear momenta, component by component.
    pub(super) fn totals(&mut self) {
        for (name, list) in [
            ("spin", std::mem::take(&mut self.spins)),
            ("angular_momentum", std::mem::take(&mut self.turning)),
            ("momentum", std::mem::take(&mut self.pushing)),
        ] {
            for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
                if let Some(sum) = self.total(&list, k) {
                    self.candidates.push((format!("{name}_{axis}"), Value::Number(sum)));
                }
            }
        }
    }

    /// The sum of one component; nothing if it is zero by structure.
    fn total(&mut self, list: &[V3], k: usize) -> Option<Id> {
        let graph = self.graph();
        let mut sum = graph.number(0.0);
        for term in list {
            sum = graph.add(sum, term[k]);
        }
        (!graph.is_zero(sum)).then_some(sum)
    }
}
