//! What moves: a few primitives that all systems are drawn with.
//!
//! Lists over time are flat: so many numbers for each frame, one frame after the other. A viewer
//! turns bodies and directions on the group between two frames.
use crate::packed;
use serde::Serialize;

/// The form of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// A box along the principal axes.
    Box,
    /// A disc on a stem that stands on the fixed point.
    Top,
    /// A frame with four rotors.
    Craft,
}

/// One thing in the picture.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Object {
    /// The wire frame of a sphere about the origin.
    Sphere {
        /// Its radius.
        radius: f64,
    },
    /// A rigid body that turns and moves.
    Body {
        /// Its name.
        name: String,
        /// Its form.
        shape: Shape,
        /// Half lengths of its edges along the principal axes.
        half: [f64; 3],
        /// The principal axes in the body, as a quaternion.
        principal: [f64; 4],
        /// The direction of its own axis in the body, of a top.
        axis: [f64; 3],
        /// Attitudes as quaternions (w, x, y, z).
        #[serde(serialize_with = "packed::single")]
        quaternions: Vec<f64>,
        /// Positions; empty if it stays at the origin.
        #[serde(serialize_with = "packed::single")]
        positions: Vec<f64>,
    },
    /// Rods one after the other, with a mass at the end of each.
    Chain {
        /// Its name.
        name: String,
        /// Where it hangs; empty if at the origin.
        #[serde(serialize_with = "packed::single")]
        anchors: Vec<f64>,
        /// The direction of each rod.
        #[serde(serialize_with = "packed::single")]
        directions: Vec<f64>,
        /// The lengths of the rods.
        lengths: Vec<f64>,
        /// Whether there are masses to show.
        masses: bool,
    },
    /// Arrows of fixed length at fixed places.
    Arrows {
        /// Where they are centred.
        #[serde(serialize_with = "packed::single")]
        places: Vec<f64>,
        /// Where they point.
        #[serde(serialize_with = "packed::single")]
        directions: Vec<f64>,
        /// Their length.
        length: f64,
    },
    /// An arrow from the origin.
    Vector {
        /// Its name.
        name: String,
        /// Its tip.
        #[serde(serialize_with = "packed::single")]
        tips: Vec<f64>,
    },
    /// A point that draws its path.
    Trail {
        /// Its name.
        name: String,
        /// Where it is.
        #[serde(serialize_with = "packed::single")]
        positions: Vec<f64>,
        /// Whether it stays on a sphere about the origin.
        on_sphere: bool,
        /// Whether it is where something should be, not where it is.
        target: bool,
        /// Whether an arrow leads there from the origin.
        stem: bool,
    },
    /// The path of a point of a body.
    Tip {
        /// Its name.
        name: String,
        /// Which of the bodies, counted from zero.
        body: usize,
        /// The point in the body.
        point: [f64; 3],
    },
    /// A curve that stands still.
    Curve {
        /// Its name.
        name: String,
        /// Its points; a NaN begins a new piece.
        #[serde(serialize_with = "packed::single")]
        points: Vec<f64>,
    },
    /// A thing that stands still.
    Marker {
        /// Its name.
        name: String,
        /// Where.
        place: [f64; 3],
    },
}

/// A moving picture.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scene {
    /// Time of each frame.
    #[serde(serialize_with = "packed::double")]
    pub times: Vec<f64>,
    /// Two corners of a box that holds the whole motion.
    pub bounds: [[f64; 3]; 2],
    /// The radius of a ball about the middle of that box that holds the whole motion.
    pub radius: f64,
    /// If the first path can be followed by the camera: the radius of what is then in view.
    pub near: Option<f64>,
    /// Which way is up.
    pub up: [f64; 3],
    /// Where the reader looks from at first: turned about the vertical, and raised, in radians.
    pub view: [f64; 2],
    /// Whether there is a floor under the motion.
    pub ground: bool,
    /// The fastest rotation, in radians per unit of time.
    pub rate: f64,
    /// The largest turn from one frame to the next, in degrees.
    pub turn: f64,
    /// What there is to say about the picture.
    pub note: String,
    /// What is shown.
    pub objects: Vec<Object>,
}
