//! The two spaces of a rigid body: SO(3) ⋉ so(3)*, and SO(3) × R³, which moves attitude and momentum
//! apart from each other.
use super::bodies::{Body, body};
use super::support::{self, errors, run};
use lieflow::action::BodyState;
use lieflow::kernel::rigid::Inertia;
use lieflow::method::{Options, Step, generator};
use lieflow::problem::Problem;
use lieflow::{Lanes, Mat3, Vec3, vec3};
use lieflow_models::problem_file::{Document, Setting, SpecError};
use lieflow_models::run::{Model, NullSink, Plan, RunError};
use lieflow_models::system::rigid_body::{Field, LiftedBody, RigidBody};
use lieflow_testing::SplitMix64;
use serde_json::Value as Json;

/// Three different moments, and a centre of mass off the principal axes, so that nothing but energy
/// and the momentum about the vertical is kept.
const TOP: &str = r#"system = "rigid-body"
[parameters]
inertia = [1.2, 2.0, 2.7]
potential = { kind = "linear", strength = 1.9, axis = [0.3, -0.5, 0.7], direction = [0.0, 0.0, 1.0] }
[initial]
rotation = { vector = [0.3, -0.2, 0.5] }
omega = [0.9, -0.7, 1.1]
[solve]
method = "rkmk4"
step = 0.05
until = 2.0
"#;

fn document(text: &str, settings: &[(&str, &str)]) -> Document {
    let settings: Vec<_> =
        settings.iter().map(|(key, value)| Setting::value("--set", key, value).unwrap()).collect();
    Document::parse(text, "test", &settings).unwrap()
}

fn model(text: &str, settings: &[(&str, &str)]) -> Box<dyn Model> {
    document(text, settings).build().unwrap_or_else(|e| panic!("{e}"))
}

const LIFT: (&str, &str) = ("parameters.space", "lift");
const FREE: (&str, &str) = ("parameters.potential", "{ kind = \"free\" }");

#[test]
fn orders_of_attitude_and_momentum() {
    let top = model(TOP, &[LIFT]);
    // The reference is made in the other space, by another method.
    let other = model(TOP, &[]);
    let want = run(other.as_ref(), "rkmk-dop853", 1.0 / 256.0, 4.0).unwrap();
    let coarse = run(other.as_ref(), "rkmk-dop853", 1.0 / 128.0, 4.0).unwrap();
    let (r, p) = errors(&want, &coarse);
    assert!(r < 5e-14 && p < 5e-14, "the reference has converged: {r:e} {p:e}");
    for (id, order, coarsest) in [
        ("rkmk4", 4.0, 1.0 / 32.0),
        ("rkmk4-casas-owren", 4.0, 1.0 / 32.0),
        ("cf4", 4.0, 1.0 / 32.0),
        ("rkmk-dp54", 5.0, 1.0 / 16.0),
    ] {
        let steps = [1.0, 0.5, 0.25].map(|x| x * coarsest);
        let [a, b, c] = steps.map(|h| errors(&run(top.as_ref(), id, h, 4.0).unwrap(), &want));
        for (part, a, b, c) in [("attitude", a.0, b.0, c.0), ("momentum", a.1, b.1, c.1)] {
            let (first, second) = ((a / b).log2(), (b / c).log2());
            eprintln!("{id}, {part}: {a:.3e} {b:.3e} {c:.3e}, orders {first:.3} {second:.3}");
            assert!(c > 1e-12, "{id}, {part}: {c:e} is rounding");
            assert!((second - order).abs() < 0.1, "{id}, {part}: {first} {second}");
        }
    }
}

#[test]
fn every_general_method_runs_there_and_converges() {
    let (top, other) = (model(TOP, &[LIFT]), model(TOP, &[]));
    let want = run(other.as_ref(), "rkmk-dop853", 1.0 / 64.0, 0.5).unwrap();
    let cards = top.methods();
    assert_eq!(cards.len(), generator::entries_lifted::<LiftedBody<f64>>().len());
    for card in cards {
        let error = |h| {
            let (r, p) = errors(&run(top.as_ref(), card.id, h, 0.5).unwrap(), &want);
            r.max(p)
        };
        let (a, b) = (error(1.0 / 32.0), error(1.0 / 64.0));
        let order = (a / b).log2();
        let stated = f64::from(card.order);
        assert!(b < 3e-13 || (order - stated).abs() < 0.25, "{}: {a:e} {b:e}", card.id);
    }
}

#[test]
fn the_attitude_stays_a_rotation() {
    let top = model(TOP, &[LIFT]);
    for id in ["rkmk4", "rkmk4-casas-owren", "cf4", "cg4", "rkmk-gl4"] {
        let y = run(top.as_ref(), id, 0.05, 500.0).unwrap();
        let error = y.rotation.orthogonality_error();
        // Ten thousand steps.
        assert!(error < 2e-13, "{id}: {error:e}");
    }
}

/// What the semidirect product is for.
#[test]
fn a_free_body_keeps_its_spatial_momentum_in_one_space_only() {
    let (whole, lifted) = (model(TOP, &[FREE]), model(TOP, &[FREE, LIFT]));
    let change = |model: &dyn Model, id: &str, h: f64| {
        let start = support::body_state(&model.start(0.0)).spatial_momentum();
        (run(model, id, h, 20.0).unwrap().spatial_momentum() - start).norm()
    };
    for id in ["rkmk4", "rkmk4-casas-owren", "cf4", "cg4"] {
        let kept = change(whole.as_ref(), id, 0.1);
        assert!(kept < 3e-14, "{id}: {kept:e}");
        let [a, b, c] = [0.1, 0.05, 0.025].map(|h| change(lifted.as_ref(), id, h));
        let order = (b / c).log2();
        eprintln!("{id}: {kept:.1e} kept, {a:.3e} {b:.3e} {c:.3e} lost, order {order:.3}");
        assert!(c > 1e-9 && (order - 4.0).abs() < 0.15, "{id}: {a:e} {b:e} {c:e}, {order}");
    }
}

#[test]
fn the_default_is_the_semidirect_product() {
    let (unsaid, said) = (model(TOP, &[]), model(TOP, &[("parameters.space", "se3")]));
    assert!(unsaid.as_any().is::<RigidBody<f64>>() && said.as_any().is::<RigidBody<f64>>());
    assert!(model(TOP, &[LIFT]).as_any().is::<LiftedBody<f64>>());
    for card in unsaid.methods() {
        let plan = Plan::fixed(card.id, 0.05, 0.0, 0.2);
        match (unsaid.run(&plan, &mut NullSink), said.run(&plan, &mut NullSink)) {
            (Ok(a), Ok(b)) => assert_eq!(a.state, b.state, "{}", card.id),
            // The free method among the rigid-body ones.
            (a, b) => assert!(a.is_err() && b.is_err(), "{}", card.id),
        }
    }
}

#[test]
fn a_wrong_space_and_a_method_of_the_other_space_are_refused() {
    let error = document(TOP, &[("parameters.space", "lit")]).build().err().unwrap();
    assert!(matches!(&error, SpecError::UnknownName { .. }), "{error:?}");
    let text = error.to_string();
    for part in ["parameters.space", "lit", "se3", "lift", "did you mean 'lift'?"] {
        assert!(text.contains(part), "{text}");
    }
    let top = model(TOP, &[LIFT]);
    for id in ["exs", "liemid-ea", "slgi-theta0.5", "slgi-theta0.37"] {
        let error = top.check(&Plan::fixed(id, 0.1, 0.0, 1.0)).unwrap_err();
        assert!(matches!(&error, RunError::NeedsParameter { .. }) && error.is_input(), "{error:?}");
        let text = error.to_string();
        for part in [id, "parameters.space = \"se3\"", "rkmk4", "lieflow list methods"] {
            assert!(text.contains(part), "{text}");
        }
    }
    let error = top.check(&Plan::fixed("rkmk44", 0.1, 0.0, 1.0)).unwrap_err();
    assert!(error.to_string().contains("did you mean 'rkmk4'?"), "{error}");
}

/// The initial velocity of a trajectory of the workload w4: three numbers of splitmix64.
fn omega(index: u64) -> Vec3<f64> {
    let mut draw = SplitMix64(2024 + index);
    let [a, b, c] = [(); 3].map(|()| draw.uniform());
    vec3(2.0 * a - 1.0, 2.0 * b - 1.0, 20.0 + 40.0 * c)
}

/// The top of the workload w4 with the method of Casas and Owren at h = 0.001, whose error another
/// implementation found to be 2.089e-7.
#[test]
fn the_error_of_another_implementation() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../lieflow-bench/data/reference.json");
    let data: Json = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut worst = [0.0f64; 2];
    let samples = data["w4"]["samples"].as_array().unwrap();
    assert!(samples.len() > 3);
    for sample in samples {
        let list: Vec<f64> =
            sample["rotation"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
        let want = Mat3::from_rows(
            vec3(list[0], list[1], list[2]),
            vec3(list[3], list[4], list[5]),
            vec3(list[6], list[7], list[8]),
        );
        let mut p = body(
            [5.0, 5.0, 1.0],
            Field::LagrangeTop { strength: 20.0 },
            [0.3, 0.0, 0.0],
            [0.0, 0.0, 0.0],
        );
        p.start.momentum = p.inertia.momentum(omega(sample["index"].as_u64().unwrap()));
        for (k, model) in
            [&LiftedBody(p.clone()) as &dyn Model, &p as &dyn Model].into_iter().enumerate()
        {
            let y = run(model, "rkmk4-casas-owren", 0.001, 1.0).unwrap();
            let (error, _) = errors(&y, &BodyState::new(want, y.momentum));
            worst[k] = worst[k].max(error);
        }
    }
    eprintln!("lift {:.4e}, se3 {:.4e}", worst[0], worst[1]);
    assert!((worst[0] / 2.089e-7 - 1.0).abs() < 5e-4, "{:e}", worst[0]);
}

/// Two bodies side by side have the bits of single runs.
#[test]
fn lanes() {
    type Pack = Lanes<2>;
    let fields = [20.0, 13.0];
    let each = fields.map(|strength| {
        let field = Field::LagrangeTop { strength };
        body(
            [5.0, 4.0 + 0.05 * strength, 1.0],
            field,
            [0.3, 0.1, -0.2],
            [0.4, -0.7, 2.0 * strength],
        )
    });
    let vector = |f: fn(&Body<f64>) -> Vec3<f64>| {
        let [a, b] = [0, 1].map(|i| f(&each[i]));
        vec3(Lanes([a.x, b.x]), Lanes([a.y, b.y]), Lanes([a.z, b.z]))
    };
    let rotation = Mat3::from_rows(
        vector(|p| p.start.rotation.rows[0]),
        vector(|p| p.start.rotation.rows[1]),
        vector(|p| p.start.rotation.rows[2]),
    );
    let pack: LiftedBody<Pack> = LiftedBody(RigidBody {
        inertia: Inertia::principal(vector(|p| p.inertia.moments())),
        potential: Field::LagrangeTop { strength: Lanes(fields) },
        start: BodyState::new(rotation, vector(|p| p.start.momentum)),
    });
    fn few<P: Problem<Point: Copy>>(p: &P, entry: &lieflow::method::Entry<P>) -> P::Point {
        let mut method = (entry.make)(p, &Options::default()).unwrap();
        let (mut y, mut out) = (p.start(), p.start());
        for h in [0.001, 0.02, -0.005, 0.05] {
            method.step(Step::new(p, 0.0, h, &y), &mut out).unwrap();
            method.accept();
            y = out;
        }
        y
    }
    let (wide, single) = (generator::entries::<LiftedBody<Pack>>(), generator::entries());
    for (a, b) in wide.iter().zip(&single) {
        let together = few(&pack, a);
        for (i, p) in each.iter().enumerate() {
            let alone = few(&LiftedBody(p.clone()), b);
            let id = a.card.id;
            assert_eq!(together.momentum.lane(i), alone.momentum, "{id}, lane {i}");
            for k in 0..3 {
                assert_eq!(together.rotation.rows[k].lane(i), alone.rotation.rows[k], "{id}");
            }
        }
    }
}
