//! The picture of a motion while it is computed: frames come a few at a time.
//!
//! The layout (what there is to see, and what of it stands still) is sent when it changes; frames are
//! the numbers of what moves, one row for each state. A few states of a trial run stand for the whole
//! motion where a picture needs to know it: how far it reaches, how long arrows are.
use crate::Film;
use crate::parts::{norm, scaled, sum};
use crate::scene::scene;
use lieflow_models::run::State;
use lieflow_report::page::{Object, Scene};
use serde_json::{Value as Json, json};

/// So many states stand for the whole motion.
const EXAMPLES: usize = 24;

/// The picture of one motion.
#[derive(Debug)]
pub struct LivePicture {
    system: &'static str,
    problem: Json,
    examples: Vec<State>,
    /// The scene without what moves, as it was sent. Compared as text: curves have NaN in them.
    layout: Option<Json>,
    /// A box around all that was seen, and the radius of a ball about its middle.
    bounds: Option<([[f64; 3]; 2], f64)>,
    rate: f64,
}

/// What is new in the picture.
#[derive(Clone, Debug, Default)]
pub struct LiveFrames {
    /// The layout, if it is another one than before.
    pub layout: Option<Json>,
    /// The numbers of what moves, one row after the other.
    pub numbers: Vec<f64>,
    /// The length of a row.
    pub width: usize,
    /// A box around all that was seen.
    pub bounds: [[f64; 3]; 2],
    /// The radius of a ball about its middle that has all of it.
    pub radius: f64,
}

impl LivePicture {
    /// For a system and its problem, with states of a trial run.
    pub fn new(system: &'static str, problem: Json, trial: &[State]) -> Self {
        let stride = trial.len().div_ceil(EXAMPLES).max(1);
        let examples = trial.iter().step_by(stride).cloned().collect();
        let rate = Film::of(trial.to_vec()).rate;
        Self { system, problem, examples, layout: None, bounds: None, rate }
    }

    /// The fastest rotation of the trial, in radians per unit of time.
    pub fn rate(&self) -> f64 {
        self.rate
    }

    /// Whether a state has the parts that this is a picture of.
    pub fn fits(&self, state: &State) -> bool {
        let sizes = |state: &State| -> Vec<(&'static str, usize)> {
            state.parts.iter().map(|(name, value)| (*name, value.numbers().len())).collect()
        };
        self.examples.first().is_none_or(|example| sizes(example) == sizes(state))
    }

    /// The same picture of a problem with other numbers.
    pub fn change(&mut self, problem: Json) {
        self.problem = problem;
    }

    /// The frames of some states; nothing if the system has no picture.
    pub fn frames(&mut self, states: &[State]) -> Option<LiveFrames> {
        let mut drawn = self.draw(states)?;
        let first = self.examples.len();
        let count = states.len();
        let mut rows = vec![Vec::new(); count];
        let mut moving = Vec::new();
        for (k, object) in drawn.objects.iter_mut().enumerate() {
            for (key, list) in moving_lists(object) {
                let width = list.len() / (first + count).max(1);
                if width > 0 {
                    moving.push((k, key, width));
                    let new = list.get(first * width..).unwrap_or_default();
                    rows.iter_mut().zip(new.chunks_exact(width)).for_each(|(row, new)| {
                        row.extend_from_slice(new);
                    });
                }
                list.clear();
            }
        }
        let (bounds, radius) = self.grow(drawn.bounds, drawn.radius);
        let width = moving.iter().map(|(_, _, width)| width).sum();
        drawn.times.clear();
        // These change from frame to frame, and are no part of the layout.
        let (rate, turn, near) = (drawn.rate, drawn.turn, drawn.near);
        (drawn.rate, drawn.turn, drawn.radius, drawn.bounds) = (0.0, 0.0, 0.0, [[0.0; 3]; 2]);
        let mut layout = None;
        let plain = serde_json::to_value(&drawn).unwrap_or_default();
        if self.layout.as_ref() != Some(&plain) {
            let mut json = plain.clone();
            (json["moving"], json["bounds"]) = (json!(moving), json!(bounds));
            (json["rate"], json["turn"]) = (json!(rate), json!(turn));
            (json["radius"], json["near"]) = (json!(radius), json!(near));
            layout = Some(json);
            // What made the picture another one is remembered, so that it does not flicker.
            if self.layout.is_some() && self.examples.len() < 2 * EXAMPLES {
                self.examples.extend(states.last().cloned());
            }
            self.layout = Some(plain);
        }
        Some(LiveFrames { layout, numbers: rows.concat(), width, bounds, radius })
    }

    fn draw(&self, states: &[State]) -> Option<Scene> {
        let all = self.examples.iter().chain(states).cloned().collect();
        scene(self.system, &self.problem, &Film::of(all))
    }

    /// Box and ball with another one in them. They only grow, so that the camera is at rest.
    fn grow(&mut self, new: [[f64; 3]; 2], radius: f64) -> ([[f64; 3]; 2], f64) {
        let (old, before) = *self.bounds.get_or_insert((new, radius));
        let mut bounds = old;
        for k in 0..3 {
            bounds[0][k] = old[0][k].min(new[0][k]);
            bounds[1][k] = old[1][k].max(new[1][k]);
        }
        let middle = |[low, high]: [[f64; 3]; 2]| scaled(sum(low, high), 0.5);
        let away = |from| norm(sum(middle(from), scaled(middle(bounds), -1.0)));
        let radius = f64::max(before + away(old), radius + away(new));
        self.bounds = Some((bounds, radius));
        (bounds, radius)
    }
}

/// The lists of an object that have numbers for each frame, by their names in the page.
fn moving_lists(object: &mut Object) -> Vec<(&'static str, &mut Vec<f64>)> {
    match object {
        Object::Body { quaternions, positions, .. } => {
            vec![("quaternions", quaternions), ("positions", positions)]
        }
        Object::Chain { anchors, directions, .. } => {
            vec![("anchors", anchors), ("directions", directions)]
        }
        Object::Arrows { directions, .. } => vec![("directions", directions)],
        Object::Vector { tips, .. } => vec![("tips", tips)],
        Object::Trail { positions, .. } => vec![("positions", positions)],
        Object::Sphere { .. }
        | Object::Tip { .. }
        | Object::Curve { .. }
        | Object::Marker { .. } => {
            vec![]
        }
    }
}
