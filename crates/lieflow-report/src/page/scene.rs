//! What moves: a few primitives that all systems are drawn with.
use serde::{Serialize, Serializer};

/// One thing in the picture. Lists over time have one entry per frame.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Object {
    /// The wire frame of a sphere about the origin.
    Sphere {
        /// Its radius.
        radius: f64,
    },
    /// A box that turns and moves, with its body axes.
    Body {
        /// Half lengths of its edges along the body axes.
        half: [f64; 3],
        /// Attitudes as quaternions (w, x, y, z).
        quaternions: Rounded<Vec<[f64; 4]>>,
        /// Positions of the centre; empty if it stays at the origin.
        positions: Rounded<Vec<[f64; 3]>>,
    },
    /// Rods from joint to joint, with a mass at each joint but the first.
    Chain {
        /// The joints, frame by frame.
        joints: Rounded<Vec<Vec<[f64; 3]>>>,
    },
    /// Arrows of fixed length at fixed places.
    Arrows {
        /// Where they are centred.
        places: Rounded<Vec<[f64; 3]>>,
        /// Where they point, frame by frame.
        directions: Rounded<Vec<Vec<[f64; 3]>>>,
        /// Their length.
        length: f64,
    },
    /// Points that draw their path.
    Trail {
        /// Name in the legend.
        name: String,
        /// Position, frame by frame.
        positions: Rounded<Vec<[f64; 3]>>,
    },
}

/// A moving picture.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scene {
    /// Time of each frame.
    pub times: Rounded<Vec<f64>>,
    /// Half the size of what is shown.
    pub extent: f64,
    /// Which way is up.
    pub up: [f64; 3],
    /// What is shown.
    pub objects: Vec<Object>,
}

/// Numbers for the eye: written with six significant digits, so that pages stay small.
#[derive(Clone, Debug, PartialEq)]
pub struct Rounded<T>(pub T);

trait Compact {
    fn compact(&self, out: &mut Vec<serde_json::Value>);
}
impl Compact for f64 {
    fn compact(&self, out: &mut Vec<serde_json::Value>) {
        let text = format!("{self:.5e}");
        let short: f64 = text.parse().unwrap_or(*self);
        let number = if short == short.trunc() && short.abs() < 1e9 {
            serde_json::Number::from(short as i64)
        } else {
            match serde_json::Number::from_f64(short) {
                Some(n) => n,
                None => {
                    out.push(serde_json::Value::Null);
                    return;
                }
            }
        };
        out.push(serde_json::Value::Number(number));
    }
}
impl<T: Compact> Compact for Vec<T> {
    fn compact(&self, out: &mut Vec<serde_json::Value>) {
        let mut inner = Vec::with_capacity(self.len());
        self.iter().for_each(|x| x.compact(&mut inner));
        out.push(serde_json::Value::Array(inner));
    }
}
impl<T: Compact, const N: usize> Compact for [T; N] {
    fn compact(&self, out: &mut Vec<serde_json::Value>) {
        let mut inner = Vec::with_capacity(N);
        self.iter().for_each(|x| x.compact(&mut inner));
        out.push(serde_json::Value::Array(inner));
    }
}
impl<T: Compact> Serialize for Rounded<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = Vec::with_capacity(1);
        self.0.compact(&mut out);
        out.pop().unwrap_or(serde_json::Value::Null).serialize(serializer)
    }
}
