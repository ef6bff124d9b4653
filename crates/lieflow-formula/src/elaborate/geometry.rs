//! Functions of vectors and matrices.
use super::Reading;
use crate::error::Error;
use crate::graph::{Graph, Id, Op};
use crate::sheet::Sheet;
use crate::syntax::Node;
use crate::value::Value;

impl Sheet {
    pub(super) fn geometric(
        &mut self,
        at: &mut Reading,
        name: &str,
        x: &[Node],
    ) -> Result<Value, Error> {
        use Value::{Matrix, Number, Vector};
        Ok(match name {
            "dot" => Number(self.inner(at, &x[0], &x[1])?),
            "cross" => {
                let (a, b) = (self.vector(at, &x[0], name)?, self.vector(at, &x[1], name)?);
                Vector(self.graph.cross(a, b))
            }
            "norm" | "square" => {
                let square = self.square(at, &x[0], name)?;
                Number(if name == "norm" { self.graph.put(Op::Sqrt(square)) } else { square })
            }
            "normalise" => {
                let v = self.vector(at, &x[0], name)?;
                let square = self.graph.dot(v, v);
                let length = self.graph.put(Op::Sqrt(square));
                Vector(v.map(|x| self.graph.div(x, length)))
            }
            "angle" => Number(self.angle(at, x)?),
            "trace" => {
                let m = self.matrix(at, &x[0], name)?;
                let sum = self.graph.add(m[0][0], m[1][1]);
                Number(self.graph.add(sum, m[2][2]))
            }
            "transpose" => self.transpose(at, &x[0], name)?,
            "axial" => {
                let m = self.matrix(at, &x[0], name)?;
                Vector(self.axial(m))
            }
            "hat" => {
                let v = self.vector(at, &x[0], name)?;
                Matrix(self.graph.hat(v))
            }
            "det" => {
                let m = self.matrix(at, &x[0], name)?;
                Number(self.graph.det(m))
            }
            "inv" => {
                let m = self.matrix(at, &x[0], name)?;
                Matrix(self.graph.inverse(m))
            }
            "diag" => {
                let v = self.vector(at, &x[0], name)?;
                let zero = self.graph.number(0.0);
                Matrix([0, 1, 2].map(|i| [0, 1, 2].map(|j| if i == j { v[i] } else { zero })))
            }
            _ => {
                let mut list = [[0; 3]; 3];
                for (column, node) in list.iter_mut().zip(x) {
                    *column = self.vector(at, node, name)?;
                }
                Matrix(Graph::transposed(list))
            }
        })
    }

    /// `A'`.
    pub(super) fn transpose(
        &mut self,
        at: &mut Reading,
        node: &Node,
        who: &str,
    ) -> Result<Value, Error> {
        Ok(Value::Matrix(Graph::transposed(self.matrix(at, node, who)?)))
    }

    /// Twice the vector of the skew part.
    fn axial(&mut self, m: [[Id; 3]; 3]) -> [Id; 3] {
        [(2, 1), (0, 2), (1, 0)].map(|(i, j)| self.graph.sub(m[i][j], m[j][i]))
    }

    /// The inner product of two vectors, or of two lists of numbers.
    fn inner(&mut self, at: &mut Reading, left: &Node, right: &Node) -> Result<Id, Error> {
        let a = self.value(at, left)?;
        if let Some(a) = numbers(&a) {
            let value = self.value(at, right)?;
            return match numbers(&value) {
                Some(b) if a.len() == b.len() => Ok(self.inner_of(&a, &b)),
                _ => Err(at.kind(right, "dot", &format!("a list of {} numbers", a.len()), &value)),
            };
        }
        match a {
            Value::Vector(a) => {
                let b = self.vector(at, right, "dot")?;
                Ok(self.graph.dot(a, b))
            }
            other => Err(at.kind(left, "dot", "a vector", &other)),
        }
    }

    pub(super) fn inner_of(&mut self, a: &[Id], b: &[Id]) -> Id {
        let mut sum = self.graph.number(0.0);
        for (x, y) in a.iter().zip(b) {
            let product = self.graph.mul(*x, *y);
            sum = self.graph.add(sum, product);
        }
        sum
    }

    /// The square of the length of a vector or of a list of numbers; of a number its square.
    fn square(&mut self, at: &mut Reading, node: &Node, who: &str) -> Result<Id, Error> {
        let value = self.value(at, node)?;
        match (&value, numbers(&value)) {
            (Value::Vector(v), _) => Ok(self.graph.dot(*v, *v)),
            (Value::Number(x), _) if who == "square" => Ok(self.graph.mul(*x, *x)),
            (Value::Number(_), _) => {
                Err(at.kind(node, who, "a vector (of a number it is abs)", &value))
            }
            (_, Some(list)) => Ok(self.inner_of(&list, &list)),
            _ => Err(at.kind(node, who, "a vector", &value)),
        }
    }

    /// The angle between two vectors, or of a rotation: by sine and cosine, good to all digits.
    fn angle(&mut self, at: &mut Reading, x: &[Node]) -> Result<Id, Error> {
        let (across, cosine) = if let [a, b] = x {
            let (a, b) = (self.vector(at, a, "angle")?, self.vector(at, b, "angle")?);
            (self.graph.cross(a, b), self.graph.dot(a, b))
        } else {
            let m = self.matrix(at, &x[0], "angle of one argument")?;
            let trace = self.graph.add(m[0][0], m[1][1]);
            let (trace, one) = (self.graph.add(trace, m[2][2]), self.graph.number(1.0));
            (self.axial(m), self.graph.sub(trace, one))
        };
        let square = self.graph.dot(across, across);
        let sine = self.graph.put(Op::Sqrt(square));
        Ok(self.graph.put(Op::Atan2(sine, cosine)))
    }
}

/// The numbers of a list of numbers.
pub(super) fn numbers(value: &Value) -> Option<Vec<Id>> {
    let Value::List(list) = value else { return None };
    list.iter()
        .map(|x| match x {
            Value::Number(id) => Some(*id),
            _ => None,
        })
        .collect()
}
