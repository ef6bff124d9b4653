//! Points on spheres with masses: pendulums and the like.
//!
//! ```text
//! T = ½ Σ M_ij v_i·v_j      v_i = q_i'      v_i' = -|v_i|² q_i + α_i × q_i,  α_i ⊥ q_i
//! M_ii α_i + Σ_{j≠i} M_ij ((q_i·q_j) α_j - (q_i·α_j) q_j)
//!     = q_i × (-∂U/∂q_i + F_i) + Σ_{j≠i} M_ij |v_j|² q_i × q_j
//! ```
//!
//! Lagrange's equations times `q_i ×`, in which the forces of the constraints drop out. The matrix is
//! symmetric and positive definite if `M` is. The group is SE(3) on each pair `(v, q)`, by its
//! coadjoint action with the generator `(q × v, α)`: it keeps `|q| = 1` and `q·v = 0`.
use super::super::factor::{Role, Space};
use super::super::law::Mass;
use super::super::layout::Block;
use super::elimination::solve;
use super::{Derivation, Refusal, V3, vector};
use lieflow_formula::graph::Id;
use lieflow_formula::{Kind, Rate, Source, Value};

/// Most points whose masses are coupled: the work grows with the cube.
const MOST: usize = 20;

impl Derivation<'_> {
    pub(super) fn spheres(
        &mut self,
        mass: &Mass,
        potential: Option<&Source>,
    ) -> Result<(), Refusal> {
        let (of, with) = self.sphere_and_velocity()?;
        let mass = self.masses(of, mass)?;
        let u = match potential {
            Some(source) => self.number(source)?,
            None => Value::Number(self.graph().number(0.0)),
        };
        let forces = self.forces(of)?;
        let q: Vec<V3> = self.items(of).iter().map(vector).collect();
        let v: Vec<V3> = self.items(with).iter().map(vector).collect();
        let n = q.len();
        let energy = self.sphere_energy(&mass, &q, &v, &u);
        self.conserve_energy(energy);
        let mut right = Vec::new();
        for (i, q_value) in self.items(of).iter().enumerate() {
            let slope = self.slope(&u, q_value);
            let force = self.difference(&forces[i], &slope);
            let mut sum = self.cross(q[i], vector(&force));
            for j in (0..n).filter(|j| *j != i) {
                let square = self.graph().dot(v[j], v[j]);
                let size = self.graph().mul(mass[i][j], square);
                let across = self.cross(q[i], q[j]);
                let term = across.map(|x| self.sheet.graph().mul(size, x));
                sum = self.plus(sum, term);
            }
            right.extend(sum);
        }
        let matrix = self.sphere_matrix(&mass, &q);
        let (alpha, pivots) = solve(self.graph(), &matrix, &right);
        self.pivots = pivots;
        for i in 0..n {
            let a = [alpha[3 * i], alpha[3 * i + 1], alpha[3 * i + 2]];
            let u = self.cross(q[i], v[i]);
            let (across, push) = (self.cross(u, v[i]), self.cross(a, q[i]));
            let rate = self.plus(across, push);
            let block = Block::Dual { momentum: self.at(with, i), advected: vec![self.at(of, i)] };
            self.block(block, u.into_iter().chain(a));
            self.motion.push((Value::Vector(q[i]), Rate::Turn(Value::Vector(u))));
            self.motion.push((Value::Vector(v[i]), Rate::Shift(Value::Vector(rate))));
            for j in 0..n {
                let turning = self.cross(q[i], v[j]);
                let turning = turning.map(|x| self.sheet.graph().mul(mass[i][j], x));
                self.turning.push(turning);
            }
        }
        Ok(())
    }

    /// The one part on spheres, and its velocity.
    fn sphere_and_velocity(&self) -> Result<(usize, usize), Refusal> {
        let mut found = None;
        for (of, factor) in self.factors.iter().enumerate() {
            match (factor.role, factor.space) {
                (Role::Free, Space::Sphere) if found.is_none() => found = Some(of),
                (Role::Velocity(_), _) => {}
                (_, space) => {
                    let key = format!("state.{}", factor.name);
                    let expected = "one part in S2 beside `mass`, with `count` if it is a list";
                    return Err(Refusal::new(key, &space.name(), expected));
                }
            }
        }
        let of =
            found.ok_or_else(|| Refusal::new("state", "no part in S2", "one beside `mass`"))?;
        Ok((of, self.partner(Role::Velocity(of), "velocity")?))
    }

    /// The mass matrix.
    fn masses(&mut self, of: usize, mass: &Mass) -> Result<Vec<Vec<Id>>, Refusal> {
        let n = self.factors[of].items();
        let zero = self.graph().number(0.0);
        let mut matrix = vec![vec![zero; n]; n];
        let wrong = |found: String| {
            let expected = format!("a number, {n} of them, or a matrix of {n} rows");
            Err(Refusal::new("motion.mass", &found, &expected))
        };
        match mass {
            Mass::Each(source) => {
                for (i, value) in self.each(of, source, &Kind::Number)?.iter().enumerate() {
                    matrix[i][i] = number(value);
                }
            }
            Mass::List(list) if list.len() == n => {
                for (i, source) in list.iter().enumerate() {
                    matrix[i][i] = number(&self.number(source)?);
                }
            }
            Mass::Matrix(rows) if rows.len() == n && rows.iter().all(|row| row.len() == n) => {
                if n > MOST {
                    return wrong(format!("a matrix of {n} rows, more than {MOST}"));
                }
                for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
                    matrix[i][j] = number(&self.number(&rows[i][j])?);
                }
                let (i, j) = (0..n)
                    .flat_map(|i| (0..i).map(move |j| (i, j)))
                    .find(|(i, j)| matrix[*i][*j] != matrix[*j][*i])
                    .unwrap_or((0, 0));
                if i != j {
                    let found = format!("other entries at ({}, {}) than across", i + 1, j + 1);
                    return Err(Refusal::new("motion.mass", &found, "a symmetric matrix"));
                }
            }
            Mass::List(list) => return wrong(format!("{} numbers", list.len())),
            Mass::Matrix(rows) => return wrong(format!("a matrix of {} rows", rows.len())),
        }
        Ok(matrix)
    }

    /// `½ Σ M_ij v_i·v_j + U`.
    fn sphere_energy(&mut self, mass: &[Vec<Id>], q: &[V3], v: &[V3], u: &Value) -> Value {
        let graph = self.graph();
        let mut sum = graph.number(0.0);
        for i in 0..q.len() {
            for j in 0..q.len() {
                let product = graph.dot(v[i], v[j]);
                let term = graph.mul(mass[i][j], product);
                sum = graph.add(sum, term);
            }
        }
        let half = graph.number(0.5);
        let kinetic = Value::Number(graph.mul(half, sum));
        kinetic.add(u, graph).unwrap_or(kinetic)
    }

    /// The matrix of the equations for all `α`.
    fn sphere_matrix(&mut self, mass: &[Vec<Id>], q: &[V3]) -> Vec<Vec<Id>> {
        let n = q.len();
        let graph = self.graph();
        let zero = graph.number(0.0);
        let mut matrix = vec![vec![zero; 3 * n]; 3 * n];
        for i in 0..n {
            for j in 0..n {
                let product = graph.dot(q[i], q[j]);
                for (a, b) in (0..3).flat_map(|a| (0..3).map(move |b| (a, b))) {
                    let entry = match (i == j, a == b) {
                        (true, true) => mass[i][i],
                        (true, false) => continue,
                        (false, same) => {
                            let outer = graph.mul(q[j][a], q[i][b]);
                            let diagonal = if same { product } else { zero };
                            let sum = graph.sub(diagonal, outer);
                            graph.mul(mass[i][j], sum)
                        }
                    };
                    matrix[3 * i + a][3 * j + b] = entry;
                }
            }
        }
        matrix
    }
}

fn number(value: &Value) -> Id {
    match value {
        Value::Number(id) => *id,
        _ => 0,
    }
}
