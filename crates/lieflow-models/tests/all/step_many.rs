//! Steps that nobody observes are made many at a time: with the same bits, the same counts and the
//! same errors as one by one.
use lieflow_models::problem_file::Document;
use lieflow_models::run::{Model, Plan, Record, RunFailure, Sink, State};
use std::ops::ControlFlow;

/// Keeps what it is given; sees every step or not.
struct Kept {
    each: bool,
    steps: u64,
    samples: Vec<(f64, Vec<u64>)>,
}

impl Sink for Kept {
    fn follows_steps(&self) -> bool {
        self.each
    }
    fn step(&mut self, _: f64, _: &[f64]) -> ControlFlow<()> {
        self.steps += 1;
        ControlFlow::Continue(())
    }
    fn sample(&mut self, state: &State, _: &[f64]) -> ControlFlow<()> {
        self.samples.push((state.t, bits(state)));
        ControlFlow::Continue(())
    }
}

fn bits(state: &State) -> Vec<u64> {
    state.numbers(true).iter().map(|x| x.to_bits()).collect()
}

fn open(text: &str, method: &str) -> (Box<dyn Model>, Plan) {
    let text = text.replace("METHOD", method);
    let document = Document::parse(&text, "test", &[]).unwrap_or_else(|e| panic!("{e}"));
    let (model, mut plan) = (document.build().unwrap(), document.plan().unwrap());
    plan.watch = false;
    (model, plan)
}

type Outcome = (Result<Record, RunFailure>, Kept);

fn both(model: &dyn Model, plan: &Plan) -> (Outcome, Outcome) {
    let go = |each| {
        let mut kept = Kept { each, steps: 0, samples: Vec::new() };
        (model.run(plan, &mut kept), kept)
    };
    (go(true), go(false))
}

const TOP: &str = "system = \"rigid-body\"\n[parameters]\ninertia = INERTIA\nFIELD\n\
    [initial]\nrotation = { vector = [0.3, 0.1, -0.2] }\nomega = [0.4, -0.7, 3.0]\n\
    [solve]\nmethod = \"METHOD\"\nstep = 0.01\nuntil = 0.735\n[output]\nevery = 1000000\n";

fn top(inertia: &str, field: &str) -> String {
    TOP.replace("INERTIA", inertia).replace("FIELD", field)
}

fn systems() -> Vec<String> {
    let heavy = |formulation: &str| {
        format!(
            "system = \"heavy-top\"\n[parameters]\ninertia = [1.0, 1.2, 0.7]\naxis = [0, 0, 1]\n\
             direction = [0, 0, 1]\nstrength = 3.0\nformulation = \"{formulation}\"\n[initial]\n\
             rotation = {{ vector = [0.4, 0.2, 0.1] }}\nmomentum = [1.0, 0.5, 2.0]\n[solve]\n\
             method = \"METHOD\"\nstep = 0.02\nuntil = 0.5\n[output]\nevery = 1000000\n"
        )
    };
    vec![
        top("[5.0, 5.0, 1.0]", "potential = { kind = \"lagrange-top\", strength = 20.0 }"),
        top("[2.0, 3.0, 1.0]", "potential = { kind = \"soft-wall\" }"),
        top("[2.0, 3.0, 1.0]", ""),
        top("[[2.0, 0.2, 0.1], [0.2, 3.0, 0.3], [0.1, 0.3, 1.0]]", ""),
        heavy("t-so3"),
        heavy("se3-dual"),
        "system = \"reduced-body\"\n[parameters]\ninertia = [1.0, 2.0, 3.0]\n[initial]\n\
         momentum = [1.0, 0.5, 2.0]\n[solve]\nmethod = \"METHOD\"\nstep = 0.02\nuntil = 0.5\n\
         [output]\nevery = 1000000\n"
            .into(),
        "system = \"pendulum-chain\"\n[parameters]\ncount = 3\nmasses = 1.0\nlengths = 1.0\n\
         [initial]\nq = [0.6, 0.0, 0.8]\nomega = [0.0, 1.0, 0.0]\n[solve]\nmethod = \"METHOD\"\n\
         step = 0.02\nuntil = 0.3\n[output]\nevery = 1000000\n"
            .into(),
    ]
}

#[test]
fn many_at_a_time_have_the_bits_of_single_steps() {
    let mut marched = 0;
    for text in systems() {
        let (model, _) = open(&text, "rkmk4");
        for card in model.methods() {
            let (model, plan) = open(&text, card.id);
            let ((one, single), (many, kept)) = both(model.as_ref(), &plan);
            let (one, many) = match (one, many) {
                (Ok(one), Ok(many)) => (one, many),
                (Err(one), Err(many)) => {
                    assert_eq!(one.error, many.error, "{}", card.id);
                    continue;
                }
                other => panic!("{}: {other:?}", card.id),
            };
            let what = format!("{} on {text}", card.id);
            assert_eq!(bits(&one.state), bits(&many.state), "{what}");
            assert_eq!((one.steps, one.cost), (many.steps, many.cost), "{what}");
            assert_eq!(one.state.t, plan.until);
            assert_eq!(single.steps, one.steps);
            marched += u64::from(kept.steps == 0 || kept.steps == 1);
        }
    }
    assert!(marched > 100, "only {marched} methods made their steps many at a time");
}

/// Also where the driver takes roundings out of the state between them.
#[test]
fn beyond_a_thousand_steps() {
    let mut systems = systems();
    systems.truncate(4);
    for text in systems {
        let text = text.replace("until = 0.735", "until = 23.0");
        for method in ["rkmk4", "liemid-ea", "exs", "exs@rkn6a", "cf4"] {
            let (model, plan) = open(&text, method);
            let ((one, _), (many, _)) = both(model.as_ref(), &plan);
            let (one, many) = (one.unwrap(), many.unwrap());
            assert!(one.steps > 2000, "{}", one.steps);
            assert_eq!(bits(&one.state), bits(&many.state), "{method} on {text}");
            assert_eq!(one.cost, many.cost, "{method} on {text}");
        }
    }
}

#[test]
fn every_so_many_and_chosen_times_see_the_same_states() {
    for (output, samples) in [
        ("every = 7", 12),
        ("every = 1", 75),
        ("times = [0.0, 0.1, 0.2222, 0.2223, 0.735]", 5),
        ("times = [0.005, 0.01, 0.0101, 0.7349]", 4),
    ] {
        let text =
            top("[5.0, 5.0, 1.0]", "potential = { kind = \"lagrange-top\", strength = 20.0 }")
                .replace("every = 1000000", output);
        for method in ["liemid-ea", "exs", "exs@rkn6a", "rkmk4", "rkmk-dp54", "cf4", "liemid-e1"] {
            let (model, plan) = open(&text, method);
            let ((one, a), (many, b)) = both(model.as_ref(), &plan);
            assert_eq!(one.unwrap().cost, many.unwrap().cost, "{method} {output}");
            assert_eq!(a.samples, b.samples, "{method} {output}");
            assert_eq!(a.samples.len(), samples, "{method} {output}");
        }
    }
}

#[test]
fn backwards_in_time_too() {
    let text = top("[5.0, 5.0, 1.0]", "").replace("until = 0.735", "from = 0.735\nuntil = 0.0");
    for method in ["liemid-ea", "rkmk4"] {
        let (model, plan) = open(&text, method);
        let ((one, _), (many, _)) = both(model.as_ref(), &plan);
        assert_eq!(bits(&one.unwrap().state), bits(&many.unwrap().state), "{method}");
    }
}

/// The body falls until it is too fast for its method: the same error after the same steps.
#[test]
fn a_step_that_fails_is_found() {
    let text = top(
        "[2.0, 2.0, 1.0]",
        "potential = { kind = \"linear\", strength = 65.0, \
         axis = [1.0, 0.0, 0.0], direction = [0.0, 0.0, 1.0] }",
    )
    .replace("omega = [0.4, -0.7, 3.0]", "omega = [0.0, 0.0, 0.0]")
    .replace("[0.3, 0.1, -0.2]", "[0.0, -1.5, 0.0]")
    .replace("step = 0.01", "step = 0.15")
    .replace("until = 0.735", "until = 30.0");
    for method in ["rattle", "vlv"] {
        let (model, plan) = open(&text, method);
        let ((one, _), (many, _)) = both(model.as_ref(), &plan);
        match (one, many) {
            (Err(one), Err(many)) => {
                assert_eq!(one.error, many.error);
                let (one, many) = (one.record.unwrap(), many.record.unwrap());
                assert!(one.steps > 1, "{method} failed at once");
                assert_eq!((one.steps, one.state.t), (many.steps, many.state.t));
                assert_eq!(bits(&one.state), bits(&many.state));
            }
            (Ok(one), Ok(many)) => {
                assert_ne!(method, "rattle", "expected to fail");
                assert_eq!(bits(&one.state), bits(&many.state));
            }
            other => panic!("{method}: {other:?}"),
        }
    }
}
