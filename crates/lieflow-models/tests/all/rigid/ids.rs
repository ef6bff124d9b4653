//! What the manual says about ids is true: by name and by hand the same bits.
use lieflow::action::BodyState;
use lieflow::kernel::rigid::{Exact, Halves, Inertia, LieMidpoint, MoserVeselov};
use lieflow::method::composition::{Composed, SU4};
use lieflow::method::rigid_body::{KickFreeKick, RKN6, Splitting};
use lieflow::method::{Method, Options};
use lieflow::stepping::{Fixed, integrate};
use lieflow::{Mat3, vec3};
use lieflow_models::run::ModelSystem;
use lieflow_models::system::rigid_body::{Field, RigidBody};

type Body = RigidBody<f64>;

#[test]
fn ids_of_the_command_line_in_rust() {
    let body = Body {
        inertia: Inertia::principal(vec3(1.0, 2.0, 3.0)),
        potential: Field::LagrangeTop { strength: 2.0 },
        start: BodyState::new(Mat3::identity(), vec3(0.3, 2.0, 1.0)),
    };
    let end = |method: &mut dyn Method<Body>| {
        integrate(&body, method, &mut Fixed::new(), (0.0, 1.0), 0.1, &mut ()).unwrap().state
    };
    let entries = Body::entries();
    let named = |id: &str| {
        let entry = entries.iter().find(|entry| entry.card.id == id).unwrap();
        end((entry.make)(&body, &Options::default()).unwrap().as_mut())
    };
    assert_eq!(named("exs"), end(&mut KickFreeKick::new(Exact)));
    assert_eq!(named("rattle"), end(&mut KickFreeKick::new(MoserVeselov)));
    assert_eq!(named("liemid-ea"), end(&mut KickFreeKick::new(Halves(LieMidpoint))));
    assert_eq!(named("exs@rkn6"), end(&mut Splitting::new(Exact, &RKN6)));
    let rattle = Box::new(KickFreeKick::new(MoserVeselov)) as Box<dyn Method<Body>>;
    assert_eq!(named("rattle@su4"), end(&mut Composed::new(rattle, &SU4)));
}
