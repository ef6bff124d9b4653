//! A field on spins by formula, added to that of their material: `h_i(t, m)`.
//!
//! Kept apart from the engines, so that spins without one pay nothing for it.
use super::law_table::{Given, LawTable};
use super::turns::{SAMPLES, Turns, scattered};
use super::vector_formula::VectorFormula;
use super::{Spec, spins::Material};
use crate::formulas::{Text, Values};
use crate::problem_file::SpecError;
use lieflow::{Real, Vec3, vec3};
use lieflow_formula::{Error, Formula, Kind, Program, Sheet, Value};

/// A component below this part of the field is rounding.
const ROUNDING: f64 = 1e-12;

/// A field on some spins.
#[derive(Clone, Debug)]
pub struct SpinField<S> {
    formula: VectorFormula<S>,
    count: usize,
    /// Whether it is the gradient of a quadratic energy, which then is known.
    quadratic: bool,
    /// Whether the torques on all spins add up to nothing.
    balanced: bool,
}

/// The program of a field on one spin.
fn for_one(mut sheet: Sheet, text: Text<'_>) -> Result<Program, Error> {
    let field = sheet.formula_of(text.label(), text.text, &Kind::Vector)?;
    sheet.program(&[("field", &field)])
}

/// The program of a field on several spins, whose numbers are the index `i`.
fn for_several(mut sheet: Sheet, text: Text<'_>, count: usize) -> Result<Program, Error> {
    let mut list = Vec::with_capacity(count);
    for i in 1..=count {
        let value = sheet.formula_at(text.label(), text.text, &[("i", i as i64)])?;
        list.push(sheet.expect(text.label(), text.text, value, &Kind::Vector)?);
    }
    sheet.program(&[("field", &Value::List(list.into()))])
}

impl SpinField<f64> {
    /// From the table `field`; on one spin `m`, or on as many as there are in the list `m`.
    pub(super) fn read<'a>(
        law: &LawTable<'a>,
        spec: &Spec<'a>,
        values: &Values<'a>,
        count: Option<usize>,
    ) -> Result<Option<Box<Self>>, SpecError> {
        let kind = count.map_or(Kind::Vector, |n| Kind::Vector.list(n));
        let whole = count.map(|n| ("n", n as i64)).into_iter().collect();
        let given = Given { state: vec![("m", kind)], whole, values: values.clone() };
        if let (Some(text), Some(_)) = (law.text, count)
            && law.values(values).has("i")
        {
            let message = "'i' is the number of the spin here; choose another name".into();
            return Err(SpecError::Untrue { place: text.place.clone(), message });
        }
        let formula = law.formula(spec, given, |sheet, text| match count {
            None => for_one(sheet, text),
            Some(n) => for_several(sheet, text, n),
        })?;
        Ok(formula.map(|formula| Box::new(Self::new(formula, count.unwrap_or(1)))))
    }

    fn new(formula: Formula<f64>, count: usize) -> Self {
        let formula = VectorFormula::new(formula);
        let mut field = Self { formula, count, quadratic: false, balanced: false };
        field.quadratic = !field.formula.is_timed(0) && field.is_quadratic();
        field.balanced = field.is_balanced();
        field
    }

    fn is_quadratic(&self) -> bool {
        // h(x + v) - h(x) is A v for all x, with a symmetric matrix A.
        let vector = |sample: usize| self.sample(sample);
        let difference = |x: &[Vec3<f64>], v: &[Vec3<f64>]| {
            let moved: Vec<_> = x.iter().zip(v).map(|(x, v)| *x + *v).collect();
            let (there, here) = (self.at(0.0, &moved), self.at(0.0, x));
            there.iter().zip(&here).map(|(a, b)| *a - *b).collect::<Vec<_>>()
        };
        let dot =
            |a: &[Vec3<f64>], b: &[Vec3<f64>]| a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum::<f64>();
        let zero = vec![Vec3::zero(); self.count];
        let size = |list: &[Vec3<f64>]| dot(list, list).sqrt();
        let scale = 1.0 + size(&self.at(0.0, &zero)) + size(&self.at(0.0, &vector(0)));
        (0..SAMPLES).all(|k| {
            let (x, u, v) = (vector(3 * k), vector(3 * k + 1), vector(3 * k + 2));
            let (first, again) = (difference(&zero, &v), difference(&x, &v));
            let apart: Vec<_> = first.iter().zip(&again).map(|(a, b)| *a - *b).collect();
            let skew = dot(&u, &first) - dot(&v, &difference(&zero, &u));
            size(&apart) <= ROUNDING * scale && skew.abs() <= ROUNDING * scale * size(&u) * size(&v)
        })
    }

    fn is_balanced(&self) -> bool {
        let (mut torques, mut scale) = (Vec::new(), 0.0f64);
        for sample in 0..SAMPLES {
            let m = self.sample(sample);
            let mut sum = Vec3::zero();
            for (m, h) in m.iter().zip(self.at(0.37 * sample as f64, &m)) {
                sum += m.cross(h);
                scale = scale.max(h.norm());
            }
            torques.push(sum);
        }
        Turns::of(&torques, scale * self.count as f64) == Turns::All
    }

    /// Unit vectors in no particular relation to each other.
    fn sample(&self, sample: usize) -> Vec<Vec3<f64>> {
        let one = |i: usize| {
            let v = vec3(
                scattered(sample, 3 * i),
                scattered(sample, 3 * i + 1),
                1.5 + scattered(sample, 3 * i + 2),
            );
            v * (1.0 / v.norm())
        };
        (0..self.count).map(one).collect()
    }

    /// The fields on the spins.
    fn at(&self, t: f64, m: &[Vec3<f64>]) -> Vec<Vec3<f64>> {
        let mut out = vec![Vec3::zero(); self.count];
        self.put(t, m, &mut out);
        out
    }

    /// The energy `-Σ m_i·(h_i(m) + h_i(0))/2` of a quadratic one.
    pub(super) fn energy(&self, m: &[Vec3<f64>]) -> f64 {
        let (here, zero) = (self.at(0.0, m), self.at(0.0, &vec![Vec3::zero(); m.len()]));
        let terms = m.iter().zip(here.iter().zip(&zero));
        -0.5 * terms.map(|(m, (a, b))| m.dot(*a + *b)).sum::<f64>()
    }

    /// Where the formula breaks down, if it does.
    pub(super) fn breakdown(&self, t: f64, m: &[Vec3<f64>]) -> Option<String> {
        self.formula.breakdown(1, t, m.iter().copied())
    }
}

impl<S: Real> SpinField<S> {
    /// The program and its numbers: inputs are the spins and the time.
    pub fn formula(&self) -> &Formula<S> {
        self.formula.formula()
    }
    /// The same field over other numbers.
    pub(super) fn lift<T: Real>(&self, embed: fn(S) -> T) -> SpinField<T> {
        let formula = self.formula.lift(embed);
        SpinField { formula, count: self.count, quadratic: self.quadratic, balanced: self.balanced }
    }
    /// Several fields of one program side by side, one for each lane. What is said of them is said of the
    /// first: steps do not ask.
    pub fn gather(list: &[&SpinField<S::Lane>]) -> Option<Self> {
        let SpinField { count, quadratic, balanced, .. } = **list.first()?;
        let formulas: Vec<_> = list.iter().map(|field| &field.formula).collect();
        let formula = VectorFormula::gather(&formulas)?;
        Some(SpinField { formula, count, quadratic, balanced })
    }
    /// The times of all lanes.
    pub(super) fn set_times(&mut self, t: S) {
        self.formula.set_times(t);
    }
    /// Whether the energy is conserved, and known.
    pub(super) fn is_conservative(&self) -> bool {
        self.quadratic
    }
    /// Whether it depends on time.
    pub(super) fn is_timed(&self) -> bool {
        self.formula.is_timed(0)
    }
    /// Whether it depends on the spins.
    pub(super) fn reads_spins(&self) -> bool {
        self.formula.reads(0, "m")
    }
    /// Whether the sum of all spins does not feel it.
    pub(super) fn keeps_total(&self) -> bool {
        self.balanced
    }
    /// The field on a single spin.
    pub(super) fn on_one(&self, t: f64, m: Vec3<S>) -> Vec3<S> {
        let mut out = [Vec3::zero()];
        self.put(t, &[m], &mut out);
        out[0]
    }
    /// The fields on all spins.
    #[inline(never)]
    pub(super) fn put(&self, t: f64, m: &[Vec3<S>], out: &mut [Vec3<S>]) {
        self.formula.eval(0, 3 * self.count, t, m.iter().copied(), |fields| {
            for (out, field) in out.iter_mut().zip(fields.chunks_exact(3)) {
                *out = vec3(field[0], field[1], field[2]);
            }
        });
    }
}

impl Material<f64> {
    /// Its numbers by the names that formulas use.
    pub(super) fn push_values(&self, values: &mut Values<'_>) {
        values.push("gamma", Kind::Number, None, &[self.gamma]);
        values.push("alpha", Kind::Number, None, &[self.alpha]);
        values.push("b", Kind::Vector, None, &self.b.to_array());
        values.push("D", Kind::Vector, None, &self.d.to_array());
    }
    /// What turns a spin, by the names of it and of its field.
    pub(super) fn turn(spin: &str, field: &str) -> String {
        format!("gamma/(1 + alpha^2)*({field} + alpha*cross({spin}, {field}))")
    }
}
