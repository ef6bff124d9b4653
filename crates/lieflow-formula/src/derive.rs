//! What follows from formulas: gradients, torques, rates of change.
use crate::graph::{Graph, Id, Op};
use crate::sheet::Sheet;
use crate::value::Value;

/// How a part of the state moves.
#[derive(Clone, Debug, PartialEq)]
pub enum Rate {
    /// `x' = v`, of the same kind as `x`.
    Shift(Value),
    /// `q' = u × q`, for vectors.
    Turn(Value),
    /// `R' = R hat(w)`, with the velocity `w` in the body.
    Body(Value),
    /// `R' = hat(w) R`, with the velocity `w` in space.
    Space(Value),
}

/// The rate of change of a number, with the terms it is the sum of: it vanishes if it is small
/// beside the largest of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The rate.
    pub rate: Value,
    /// One term for each number of the state that it depends on, and one for the time: a list.
    pub terms: Value,
}

/// With more operations than this it is the time to derive that counts.
const LARGE: usize = 10_000;

impl Sheet {
    /// The derivatives of a number by a part of the state or by parameters, arranged like them;
    /// nothing if `of` is no number, or `by` is not made of variables.
    pub fn gradient(&mut self, of: &Value, by: &Value) -> Option<Value> {
        let Value::Number(of) = of else { return None };
        let free = |id: &Id| matches!(self.graph.op(*id), Op::Input(_) | Op::Param(_));
        if !by.ids().iter().all(free) {
            return None;
        }
        Some(self.gradient_nodes(*of, by))
    }

    /// The body torque `T_i = -d/de U(R exp(e e_i))` of a potential: `sum_a r_a × ∂U/∂r_a` over the
    /// rows of `R`. Nothing if `U` is no number or `R` no matrix of variables.
    pub fn torque(&mut self, potential: &Value, r: &Value) -> Option<Value> {
        let (Value::Matrix(slope), Value::Matrix(r)) = (self.gradient(potential, r)?, r) else {
            return None;
        };
        Some(Value::Vector(self.graph.torque(*r, slope)))
    }

    /// `DT` with `T(R exp(ξ)) = T + DT ξ + …` for a body torque. Swept back once for each component
    /// or forward once for each direction, whichever gives fewer operations; of large formulas not
    /// both are tried.
    pub fn torque_derivative(&mut self, torque: &Value, r: &Value) -> Option<Value> {
        let (Value::Vector(t), Value::Matrix(m)) = (torque, r) else { return None };
        let mut back = [[0; 3]; 3];
        for (row, component) in back.iter_mut().zip(t) {
            // The torque of -T_i is row i.
            let minus = Value::Number(self.graph.neg(*component));
            let Value::Vector(slopes) = self.torque(&minus, r)? else { return None };
            *row = slopes;
        }
        if self.graph.cost(t) > LARGE {
            return Some(Value::Matrix(back));
        }
        let mut forth = [[0; 3]; 3];
        for (j, column) in forth.iter_mut().enumerate() {
            let axis = self.graph.unit(j);
            let rates = turned(&mut self.graph, *m, axis, true);
            column.copy_from_slice(&self.graph.along(t, &rates));
        }
        let forth = Graph::transposed(forth);
        Some(Value::Matrix(self.cheaper(back, forth)))
    }

    fn cheaper(&self, a: [[Id; 3]; 3], b: [[Id; 3]; 3]) -> [[Id; 3]; 3] {
        let cost = |m: &[[Id; 3]; 3]| self.graph.cost(m.as_flattened());
        if cost(&b) < cost(&a) { b } else { a }
    }

    /// The derivatives of each number of `of` by each variable of `by`: a list of values like `by`.
    /// Swept back or forward, whichever gives fewer operations.
    pub fn jacobian(&mut self, of: &Value, by: &Value) -> Option<Value> {
        let (rows, columns) = (of.ids(), by.ids());
        let mut back = Vec::new();
        for row in &rows {
            back.push(self.gradient(&Value::Number(*row), by)?);
        }
        let one = self.graph.number(1.0);
        let mut forth = Vec::new();
        for column in &columns {
            forth.push(self.graph.along(&rows, &[(*column, one)]));
        }
        let flat: Vec<Id> = back.iter().flat_map(Value::ids).collect();
        if self.graph.cost(&forth.concat()) >= self.graph.cost(&flat) {
            return Some(Value::List(back.into()));
        }
        let zero = self.graph.number(0.0);
        let row = |k: usize| {
            let mut column = forth.iter();
            by.map(&mut |_| column.next().map_or(zero, |list| list[k]))
        };
        Some(Value::List((0..rows.len()).map(row).collect()))
    }

    /// The rate of change of a number where the state moves as given, the time included. Parts that
    /// are not named stand still. Nothing if the kinds do not fit.
    pub fn rate(&mut self, of: &Value, motion: &[(Value, Rate)]) -> Option<Change> {
        let Value::Number(of) = of else { return None };
        let mut rates = Vec::new();
        for (part, rate) in motion {
            self.rates_of(part, rate, &mut rates)?;
        }
        if let Some(Value::Number(t)) = self.values.get("t") {
            rates.push((*t, self.graph.number(1.0)));
        }
        let by: Vec<Id> = rates.iter().map(|(variable, _)| *variable).collect();
        let slopes =
            self.gradient_nodes(*of, &Value::List(by.into_iter().map(Value::Number).collect()));
        let mut sum = self.graph.number(0.0);
        let mut terms = Vec::new();
        for (slope, (_, rate)) in slopes.ids().into_iter().zip(rates) {
            let term = self.graph.mul(slope, rate);
            if !self.graph.is_zero(term) {
                sum = self.graph.add(sum, term);
                terms.push(Value::Number(term));
            }
        }
        Some(Change { rate: Value::Number(sum), terms: Value::List(terms.into()) })
    }

    /// The rates of the numbers of a part of the state.
    fn rates_of(&mut self, part: &Value, rate: &Rate, out: &mut Vec<(Id, Id)>) -> Option<()> {
        // Lists move one by one.
        let (Rate::Shift(given) | Rate::Turn(given) | Rate::Body(given) | Rate::Space(given)) =
            rate;
        if let (Value::List(parts), Value::List(values)) = (part, given)
            && parts.len() == values.len()
        {
            for (part, value) in parts.iter().zip(values.iter()) {
                let rate = match rate {
                    Rate::Shift(_) => Rate::Shift(value.clone()),
                    Rate::Turn(_) => Rate::Turn(value.clone()),
                    Rate::Body(_) => Rate::Body(value.clone()),
                    Rate::Space(_) => Rate::Space(value.clone()),
                };
                self.rates_of(part, &rate, out)?;
            }
            return Some(());
        }
        match (part, rate) {
            (part, Rate::Shift(value)) if part.kind() == value.kind() => {
                out.extend(part.ids().into_iter().zip(value.ids()));
            }
            (Value::Vector(q), Rate::Turn(Value::Vector(u))) => {
                out.extend(q.iter().copied().zip(self.graph.cross(*u, *q)));
            }
            (Value::Matrix(r), Rate::Body(Value::Vector(w))) => {
                out.extend(turned(&mut self.graph, *r, *w, true));
            }
            (Value::Matrix(r), Rate::Space(Value::Vector(w))) => {
                out.extend(turned(&mut self.graph, *r, *w, false));
            }
            _ => return None,
        }
        Some(())
    }
}

/// The rates of the entries of `R` for `R' = R hat(w)`, whose rows move by `r × w`, or for
/// `R' = hat(w) R`, whose columns move by `w × c`.
fn turned(graph: &mut Graph, r: [[Id; 3]; 3], w: [Id; 3], body: bool) -> Vec<(Id, Id)> {
    let lines = if body { r } else { Graph::transposed(r) };
    let mut rates = Vec::new();
    for line in lines {
        let moved = if body { graph.cross(line, w) } else { graph.cross(w, line) };
        rates.extend(line.into_iter().zip(moved));
    }
    rates
}
