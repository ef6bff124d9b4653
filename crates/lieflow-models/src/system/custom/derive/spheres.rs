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
use lieflow_formula::graph::{Id, Op};
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
        let energy = self.sphere_energy(&mass, &v, &u);
        self.conserve_energy(energy);
        let mut right = Vec::new();
        for (i, q_value) in self.items(of).iter().enumerate() {
            let slope = self.slope(&u, q_value);
            let force = self.difference(&forces[i], &slope);
            let mut sum = self.cross(q[i], vector(&force));
            for (j, m) in mass.row(i).into_iter().filter(|(j, _)| *j != i) {
                let square = self.graph().dot(v[j], v[j]);
                let size = self.graph().mul(m, square);
                let across = self.cross(q[i], q[j]);
                let term = across.map(|x| self.sheet.graph().mul(size, x));
                sum = self.plus(sum, term);
            }
            right.push(sum);
        }
        let alpha = self.accelerations(&mass, &q, right);
        for (i, a) in alpha.into_iter().enumerate() {
            let u = self.cross(q[i], v[i]);
            let (across, push) = (self.cross(u, v[i]), self.cross(a, q[i]));
            let rate = self.plus(across, push);
            let block = Block::Dual { momentum: self.at(with, i), advected: vec![self.at(of, i)] };
            self.block(block, u.into_iter().chain(a));
            self.motion.push((Value::Vector(q[i]), Rate::Turn(Value::Vector(u))));
            self.motion.push((Value::Vector(v[i]), Rate::Shift(Value::Vector(rate))));
            for (j, m) in mass.row(i) {
                let turning = self.cross(q[i], v[j]);
                let turning = turning.map(|x| self.sheet.graph().mul(m, x));
                self.turning.push(turning);
            }
        }
        Ok(())
    }

    /// All `α`.
    fn accelerations(&mut self, mass: &Masses, q: &[V3], right: Vec<V3>) -> Vec<V3> {
        let matrix = match mass {
            Masses::Apart(list) => {
                self.pivots = list.clone();
                let both = right.into_iter().zip(list);
                return both.map(|(v, m)| v.map(|x| self.sheet.graph().div(x, *m))).collect();
            }
            Masses::Coupled(matrix) => self.sphere_matrix(matrix, q),
        };
        let (alpha, pivots) = solve(self.graph(), &matrix, right.as_flattened());
        self.pivots = pivots;
        alpha.chunks(3).map(|a| [a[0], a[1], a[2]]).collect()
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

    /// The masses.
    fn masses(&mut self, of: usize, mass: &Mass) -> Result<Masses, Refusal> {
        let n = self.factors[of].items();
        let wrong = |found: String| {
            let expected = format!("a number, {n} of them, or a matrix of {n} rows");
            Err(Refusal::new("motion.mass", &found, &expected))
        };
        let masses = match mass {
            Mass::Each(source) => {
                let list = self.each(of, source, &Kind::Number)?;
                Masses::Apart(list.iter().map(number).collect())
            }
            Mass::List(list) if list.len() == n => {
                let numbers = list.iter().map(|source| Ok(number(&self.number(source)?)));
                Masses::Apart(numbers.collect::<Result<_, Refusal>>()?)
            }
            Mass::Matrix(rows) if rows.len() == n && rows.iter().all(|row| row.len() == n) => {
                if n > MOST {
                    return wrong(format!("a matrix of {n} rows, more than {MOST}"));
                }
                let mut matrix = Vec::new();
                for row in rows {
                    let row = row.iter().map(|source| Ok(number(&self.number(source)?)));
                    matrix.push(row.collect::<Result<Vec<Id>, Refusal>>()?);
                }
                check_symmetric(&matrix)?;
                Masses::Coupled(matrix)
            }
            Mass::List(list) => return wrong(format!("{} numbers", list.len())),
            Mass::Matrix(rows) => return wrong(format!("a matrix of {} rows", rows.len())),
        };
        let all: Vec<Id> = (0..n).flat_map(|i| masses.row(i)).map(|(_, id)| id).collect();
        let graph = self.graph();
        if graph.cone(&all).iter().any(|id| matches!(graph.op(*id), Op::Input(_))) {
            let expected = "numbers, or formulas of parameters";
            return Err(Refusal::new("motion.mass", "the state or the time in it", expected));
        }
        Ok(masses)
    }

    /// `½ Σ M_ij v_i·v_j + U`.
    fn sphere_energy(&mut self, mass: &Masses, v: &[V3], u: &Value) -> Value {
        let graph = self.graph();
        let mut sum = graph.number(0.0);
        for i in 0..v.len() {
            for (j, m) in mass.row(i) {
                let product = graph.dot(v[i], v[j]);
                let term = graph.mul(m, product);
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

/// The mass matrix.
enum Masses {
    /// A diagonal.
    Apart(Vec<Id>),
    /// All of it.
    Coupled(Vec<Vec<Id>>),
}

impl Masses {
    /// What may differ from zero in a row, with its column.
    fn row(&self, i: usize) -> Vec<(usize, Id)> {
        match self {
            Self::Apart(list) => vec![(i, list[i])],
            Self::Coupled(matrix) => matrix[i].iter().copied().enumerate().collect(),
        }
    }
}

fn check_symmetric(matrix: &[Vec<Id>]) -> Result<(), Refusal> {
    for (i, row) in matrix.iter().enumerate() {
        for j in 0..i {
            if row[j] != matrix[j][i] {
                let found = format!("other entries at ({}, {}) than across", i + 1, j + 1);
                return Err(Refusal::new("motion.mass", &found, "a symmetric matrix"));
            }
        }
    }
    Ok(())
}

fn number(value: &Value) -> Id {
    match value {
        Value::Number(id) => *id,
        _ => 0,
    }
}
