//! The film shows the run, at even times.
use crate::Ran;
use lieflow_models::run::State;
use lieflow_pages::Film;

fn shoot(ran: &Ran) -> Film {
    Film::shoot(ran.model.as_ref(), &ran.plan, &ran.record, &ran.samples)
}

#[test]
fn frames_of_fixed_steps_are_states_of_the_run() {
    let ran = Ran::problem("fast-top", &[]);
    let film = shoot(&ran);
    let mut same = 0;
    for state in &ran.samples.states {
        if let Some(frame) = film.states.iter().find(|frame| frame.t == state.t) {
            assert_eq!(frame, state);
            same += 1;
        }
    }
    assert!(same > 100, "{same}");
}

#[test]
fn frames_are_even_and_turn_little() {
    for (id, settings) in [
        ("fast-top", &[][..]),
        ("heavy-top-seed", &[][..]),
        ("free-body-seed001", &[][..]),
        ("chain-fig8", &[][..]),
        ("mild-top", &["solve.method=\"rkmk-dp54\"", "solve.tol=1e-8"][..]),
    ] {
        let film = shoot(&Ran::problem(id, settings));
        let times = film.times();
        let gap = times[1] - times[0];
        let even = times
            .windows(2)
            .take(times.len() - 2)
            .all(|w| ((w[1] - w[0]) / gap - 1.0).abs() < 1e-9);
        assert!(even && film.kept_because.is_none(), "{id}: frames are not even");
        assert!(film.turn() <= 20.0, "{id}: {} degrees", film.turn());
        assert!(times.len() >= 500, "{id}: {} frames", times.len());
    }
}

#[test]
fn frames_of_adaptive_steps_are_dense_output() {
    let ran = Ran::problem("chain-fig8", &[]);
    let film = shoot(&ran);
    // The same times, asked of a run by whoever wants a trajectory.
    let mut plan = ran.plan.clone();
    plan.times = film.times();
    let mut kept = Kept(Vec::new());
    ran.model.run(&plan, &mut kept).unwrap();
    assert_eq!(kept.0.len(), film.states.len());
    for (a, b) in kept.0.iter().zip(&film.states) {
        assert_eq!(a, b);
    }
    let last = film.states.last().unwrap();
    assert_eq!(last.t, ran.record.state.t);
}

struct Kept(Vec<State>);

impl lieflow_models::run::Sink for Kept {
    fn sample(&mut self, state: &State, _: &[f64]) -> std::ops::ControlFlow<()> {
        self.0.push(state.clone());
        std::ops::ControlFlow::Continue(())
    }
}
