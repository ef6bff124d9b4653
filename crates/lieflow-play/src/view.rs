//! One lane as it is seen: its picture, its errors, and the numbers that are sent.
//!
//! Frames of a lane are one message of numbers:
//!
//! ```text
//! 0, lane, run, base, rows, width, errors, low x y z, high x y z, radius, then rows of  t, errors…, numbers…
//! ```
//!
//! `run` counts beginnings: trails are cleared. `base` counts what errors are measured from.
use crate::errors::Errors;
use crate::lane::{Advanced, Began, Lane, Sample};
use lieflow_models::run::State;
use lieflow_pages::{LiveFrames, LivePicture};
use serde_json::{Value as Json, json};

/// Frames of a lane.
const FRAMES: f64 = 0.0;

/// A lane and what is shown of it.
pub struct View {
    pub lane: Lane,
    number: usize,
    picture: Option<LivePicture>,
    errors: Errors,
    names: Vec<&'static str>,
    run: u32,
    base: u32,
    /// Whether errors are measured from where the next task begins.
    pub rebase: bool,
    /// Whether an order to advance has not been answered.
    pub busy: bool,
    /// Whether a task has not been answered.
    pub setting: bool,
    pub reached: f64,
    pub steps: u64,
    pub step: f64,
    pub ended: Option<String>,
    /// The fastest rotation.
    pub rate: f64,
}

impl View {
    pub fn new(lane: Lane, number: usize) -> Self {
        Self {
            lane,
            number,
            picture: None,
            errors: Errors::default(),
            names: Vec::new(),
            run: 0,
            base: 0,
            rebase: true,
            busy: false,
            setting: false,
            reached: 0.0,
            steps: 0,
            step: 0.0,
            ended: None,
            rate: 0.0,
        }
    }

    /// Takes up a task that has begun. What the page must know of it, in words.
    pub fn begin(&mut self, began: &Began) -> Json {
        self.setting = false;
        self.ended = None;
        self.reached = began.first.state.t;
        if began.anew {
            self.run += 1;
            (self.steps, self.step) = (0, 0.0);
        }
        let others = self.names != began.invariants;
        if began.anew || self.rebase || others {
            self.names.clone_from(&began.invariants);
            let Sample { state, invariants } = &began.first;
            self.errors = Errors::new(&began.invariants, invariants, &began.scales, state);
            self.base += 1;
            self.rebase = false;
        }
        let trial = if began.trial.len() > 1 { Some(began.trial.as_slice()) } else { None };
        match (&mut self.picture, trial) {
            (Some(picture), None) if picture.fits(&began.first.state) => {
                picture.change(began.problem.clone());
            }
            (_, trial) => {
                let states = trial.unwrap_or(std::slice::from_ref(&began.first.state));
                let picture = LivePicture::new(began.system, began.problem.clone(), states);
                self.rate = picture.rate();
                self.picture = Some(picture);
            }
        }
        let card = &began.card;
        json!({
            "type": "lane", "lane": self.number, "run": self.run, "base": self.base,
            "method": {
                "id": card.id, "title": card.title, "family": card.family, "order": card.order,
                "conserves": card.conserves, "adaptive": card.keeps_tolerance(),
            },
            "errors": self.errors.to_json(), "text": began.text, "because": began.because,
        })
    }

    /// Takes up an answer.
    pub fn advance(&mut self, advanced: &Advanced) {
        self.busy = false;
        self.reached = advanced.reached;
        (self.steps, self.step) = (advanced.steps, advanced.step);
        self.ended.clone_from(&advanced.ended);
    }

    /// The messages that show some states: perhaps a layout, and their frames.
    pub fn frames(&mut self, samples: &[Sample]) -> (Option<Json>, Vec<f64>) {
        let states: Vec<State> = samples.iter().map(|sample| sample.state.clone()).collect();
        let drawn = self.picture.as_mut().and_then(|picture| picture.frames(&states));
        let LiveFrames { layout, numbers, width, bounds, radius } = drawn.unwrap_or_default();
        let count = self.errors.len();
        let mut out = vec![FRAMES, self.number as f64, f64::from(self.run), f64::from(self.base)];
        out.extend([samples.len() as f64, width as f64, count as f64]);
        out.extend(bounds.as_flattened());
        out.push(radius);
        for (k, sample) in samples.iter().enumerate() {
            out.push(sample.state.t);
            out.extend(self.errors.of(&sample.invariants, &sample.state));
            out.extend_from_slice(numbers.get(k * width..(k + 1) * width).unwrap_or_default());
        }
        let layout =
            layout.map(|scene| json!({ "type": "scene", "lane": self.number, "scene": scene }));
        (layout, out)
    }
}
