//! Vectors, inertias, rotations and unit vectors out of a table.
//!
//! A value that is nearly but not quite what it should be (a rotation matrix typed with five
//! digits, say) is an error that offers `project = true`: nothing is corrected silently.
use super::reader::{as_list, as_number, wrong};
use super::shown::Number;
use super::tree::{Kind, Node, Place};
use super::{Reader, SpecError};
use lieflow::kernel::so3;
use lieflow::{Mat3, Quat, Vec3, vec3};

/// How far a rotation may be from orthogonal and a unit vector from unit length.
pub(crate) const TOLERANCE: f64 = 1e-12;

/// How to have a unit vector scaled.
const PROJECT_BESIDE: &str =
    "write it as { vector = […], project = true } to have it scaled to length one";

impl Reader<'_> {
    /// A vector of three finite numbers.
    pub fn vector(&self, key: &'static str) -> Result<Vec3<f64>, SpecError> {
        as_vector(self.required(key, "a vector of three numbers")?)
    }
    /// A vector, if it is there.
    pub fn optional_vector(&self, key: &'static str) -> Result<Option<Vec3<f64>>, SpecError> {
        self.optional(key).map(as_vector).transpose()
    }
    /// So many vectors: a list of just this length, or one vector for all.
    pub fn vectors(&self, key: &'static str, count: usize) -> Result<Vec<Vec3<f64>>, SpecError> {
        let expected = || format!("a list of {count} vectors, or one vector for all");
        each(self.required_as(key, expected)?, count, expected, as_vector)
    }
    /// As many vectors as the list holds.
    pub fn any_vectors(&self, key: &'static str) -> Result<Vec<Vec3<f64>>, SpecError> {
        let node = self.required(key, "a list of vectors")?;
        as_list(node, "a list of vectors")?.iter().map(as_vector).collect()
    }

    /// A vector of length one.
    pub fn unit_vector(&self, key: &'static str) -> Result<Vec3<f64>, SpecError> {
        as_unit(self.required(key, "a vector of length one")?)
    }
    /// So many vectors of length one: a list of just this length, or one for all.
    pub fn unit_vectors(
        &self,
        key: &'static str,
        count: usize,
    ) -> Result<Vec<Vec3<f64>>, SpecError> {
        let expected = || format!("a list of {count} unit vectors, or one for all");
        each(self.required_as(key, expected)?, count, expected, as_unit)
    }
    /// As many vectors of length one as the list holds.
    pub fn any_unit_vectors(&self, key: &'static str) -> Result<Vec<Vec3<f64>>, SpecError> {
        let node = self.required(key, "a list of unit vectors")?;
        as_list(node, "a list of unit vectors")?.iter().map(as_unit).collect()
    }

    /// A matrix by rows.
    pub fn matrix3(&self, key: &'static str) -> Result<Mat3<f64>, SpecError> {
        as_matrix(self.required(key, "a matrix of three rows")?)
    }

    /// An inertia: three principal values or a symmetric positive definite matrix. One that no
    /// body can have (the triangle inequality fails) is a warning, because it is a legal quadratic
    /// form and published problems use such.
    pub fn inertia(&self, key: &'static str) -> Result<Mat3<f64>, SpecError> {
        let expected = "three principal values above zero, or a symmetric positive definite matrix";
        let node = self.required(key, expected)?;
        let items = as_list(node, expected)?;
        let matrix = if items.iter().all(|i| matches!(i.kind, Kind::List(_))) {
            as_matrix(node)?
        } else {
            Mat3::diagonal(as_vector(node)?)
        };
        let scale = matrix.norm_squared().sqrt();
        let skew = (matrix - matrix.transpose()).norm_squared().sqrt();
        if skew > 1e-14 * scale || !positive_definite(&matrix) {
            return Err(wrong_matrix(node, &matrix, expected));
        }
        // Principal values satisfy the triangle inequality just when (tr/2) I - J is positive
        // semidefinite: it is the second moment of the mass.
        let half = 0.5 * matrix.trace();
        let slack = Mat3::diagonal(Vec3 { x: half, y: half, z: half }) - matrix;
        if smallest_minor(&slack) < -1e-12 {
            let text = format!(
                "no rigid body has the inertia {}: the largest principal value exceeds the sum of the others",
                show(&matrix)
            );
            self.warn(key, text);
        }
        Ok(matrix)
    }

    /// A rotation: `{ vector }` (rotation vector), `{ matrix }`, `{ quaternion = [w, x, y, z] }` or
    /// `{ euler = "zxz", degrees = […] }`, with `project = true` to take the nearest rotation.
    pub fn rotation(&self, key: &'static str) -> Result<Mat3<f64>, SpecError> {
        self.sub(key)?.as_rotation()
    }
    /// This table as a rotation.
    pub fn as_rotation(&self) -> Result<Mat3<f64>, SpecError> {
        let table = self;
        let project = table.boolean_or("project", false)?;
        let rotation = match table.just_one_of(&["vector", "matrix", "quaternion", "euler"])? {
            "euler" => super::euler::rotation(table)?,
            "vector" => {
                let turned = so3::exp(table.vector("vector")?);
                // After more turns than a number can count, nothing is left of the angle.
                let sound = turned.orthogonality_error() <= TOLERANCE;
                sound.then_some(turned).ok_or_else(|| {
                    table.refuse("vector", "a rotation vector of a length that has an angle")
                })?
            }
            "matrix" => {
                let matrix = table.matrix3("matrix")?;
                orthogonal(&table.place_of("matrix"), &matrix, project)?
            }
            _ => {
                let expected = "four numbers [w, x, y, z]";
                let node = table.required("quaternion", expected)?;
                let q = as_numbers::<4>(node, expected)?;
                // Scaled first, so that the square of a huge or tiny length is harmless.
                let largest = q.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
                if largest == 0.0 {
                    return Err(wrong(node, "a quaternion that is not zero"));
                }
                let [w, x, y, z] = q.map(|x| x / largest);
                let quat = Quat::new(w, x, y, z);
                let length = quat.norm_squared().sqrt() * largest;
                if !project && (length - 1.0).abs() > TOLERANCE {
                    return Err(SpecError::NotUnit {
                        place: node.place.clone(),
                        length,
                        tolerance: TOLERANCE,
                        remedy: "add `project = true` to have it scaled to length one",
                    });
                }
                quat.to_matrix()
            }
        };
        table.finish()?;
        Ok(rotation)
    }
    /// A rotation, or none if it is not there.
    pub fn optional_rotation(&self, key: &'static str) -> Result<Option<Mat3<f64>>, SpecError> {
        if self.has(key) { self.rotation(key).map(Some) } else { Ok(None) }
    }
}

/// So many things, or one for all. A list of lists is taken as a list of things.
fn each<T: Clone>(
    node: &Node,
    count: usize,
    expected: impl FnOnce() -> String,
    read: fn(&Node) -> Result<T, SpecError>,
) -> Result<Vec<T>, SpecError> {
    if let Kind::List(items) = &node.kind
        && items.iter().all(|i| matches!(i.kind, Kind::List(_) | Kind::Table(_)))
    {
        if items.len() != count {
            return Err(wrong(node, &expected()));
        }
        return items.iter().map(read).collect();
    }
    Ok(vec![read(node)?; count])
}

fn as_numbers<const N: usize>(node: &Node, expected: &str) -> Result<[f64; N], SpecError> {
    let items = as_list(node, expected)?;
    if items.len() != N {
        return Err(wrong(node, expected));
    }
    let mut numbers = [0.0; N];
    for (number, item) in numbers.iter_mut().zip(items) {
        *number = as_number(item)?;
    }
    Ok(numbers)
}

/// A vector of three finite numbers.
pub(crate) fn as_vector(node: &Node) -> Result<Vec3<f64>, SpecError> {
    Ok(as_numbers::<3>(node, "a vector of three numbers")?.into())
}

fn as_matrix(node: &Node) -> Result<Mat3<f64>, SpecError> {
    let expected = "a matrix of three rows with three numbers each";
    let rows = as_list(node, expected)?;
    let [a, b, c] = rows else { return Err(wrong(node, expected)) };
    Ok(Mat3::from_rows(as_vector(a)?, as_vector(b)?, as_vector(c)?))
}

/// Whether a vector is taken as one of length one.
pub(crate) fn is_unit(v: Vec3<f64>) -> bool {
    (v.norm() - 1.0).abs() <= TOLERANCE
}

/// A unit vector: three numbers, or a table with `vector` and `project`.
pub(crate) fn as_unit(node: &Node) -> Result<Vec3<f64>, SpecError> {
    let mut project = false;
    let mut vector_node = node;
    if let Kind::Table(table) = &node.kind {
        for (key, place, value) in &table.entries {
            match (key.as_str(), &value.kind) {
                ("vector", _) => vector_node = value,
                ("project", Kind::Boolean(b)) => project = *b,
                ("project", _) => return Err(wrong(value, "true or false")),
                _ => {
                    return Err(SpecError::UnknownKey {
                        place: place.clone(),
                        suggestion: None,
                        known: vec!["vector".into(), "project".into()],
                    });
                }
            }
        }
    }
    let v = as_vector(vector_node)?;
    if !project && !is_unit(v) {
        return Err(SpecError::NotUnit {
            place: vector_node.place.clone(),
            length: v.norm(),
            tolerance: TOLERANCE,
            remedy: PROJECT_BESIDE,
        });
    }
    if !project {
        return Ok(v);
    }
    // Scaled first, so that the square of a huge or tiny length is harmless.
    let largest = v.x.abs().max(v.y.abs()).max(v.z.abs());
    if largest == 0.0 {
        return Err(wrong(vector_node, "a vector that is not zero"));
    }
    // Divided, because the inverse of the smallest numbers is infinite.
    let v = vec3(v.x / largest, v.y / largest, v.z / largest);
    Ok(v.times(1.0 / v.norm()))
}

/// A rotation from a matrix that is one, or the nearest one on request.
pub(crate) fn orthogonal(
    place: &Place,
    matrix: &Mat3<f64>,
    project: bool,
) -> Result<Mat3<f64>, SpecError> {
    let (error, determinant) = (matrix.orthogonality_error(), matrix.determinant());
    let refuse =
        SpecError::NotRotation { place: place.clone(), error, determinant, tolerance: TOLERANCE };
    let upright = determinant > 0.0;
    if error <= TOLERANCE && upright {
        return Ok(*matrix);
    }
    if !project || !upright {
        return Err(refuse);
    }
    // Newton's iteration for the polar factor, X <- (X + X^{-T})/2: quadratic, from any matrix of
    // positive determinant.
    let mut x = *matrix;
    for _ in 0..100 {
        x = (x + x.inverse().transpose()) * 0.5;
        if x.orthogonality_error() <= 1e-15 {
            break;
        }
    }
    if x.orthogonality_error() <= TOLERANCE { Ok(x) } else { Err(refuse) }
}

/// Positive definite, by the leading minors of the scaled matrix.
fn positive_definite(m: &Mat3<f64>) -> bool {
    let minors = leading_minors(m);
    minors.iter().all(|d| d.is_finite() && *d > 0.0)
}

/// The leading minors of `m` divided by the size of its diagonal.
fn leading_minors(m: &Mat3<f64>) -> [f64; 3] {
    let [a, b, c] = m.rows;
    let scale = a.x.abs().max(b.y.abs()).max(c.z.abs());
    let s = m.times(1.0 / scale);
    let [a, b, _] = s.rows;
    [a.x, a.x * b.y - a.y * b.x, s.determinant()]
}

/// The smallest principal minor: negative when a symmetric matrix is not positive semidefinite.
fn smallest_minor(m: &Mat3<f64>) -> f64 {
    let [a, b, c] = m.rows;
    let scale = a.x.abs().max(b.y.abs()).max(c.z.abs());
    let s = m.times(1.0 / scale);
    let [a, b, c] = s.rows;
    let ones = a.x.min(b.y).min(c.z);
    let twos = (a.x * b.y - a.y * b.x).min(a.x * c.z - a.z * c.x).min(b.y * c.z - b.z * c.y);
    ones.min(twos).min(s.determinant())
}

fn show(m: &Mat3<f64>) -> String {
    let [a, b, c] = m.rows;
    if a.y == 0.0 && a.z == 0.0 && b.z == 0.0 {
        return format!("[{}, {}, {}]", Number(a.x), Number(b.y), Number(c.z));
    }
    let row = |v: Vec3<f64>| format!("[{}, {}, {}]", Number(v.x), Number(v.y), Number(v.z));
    format!("[{}, {}, {}]", row(a), row(b), row(c))
}

fn wrong_matrix(node: &Node, m: &Mat3<f64>, expected: &str) -> SpecError {
    SpecError::Wrong { place: node.place.clone(), found: show(m), expected: expected.into() }
}
