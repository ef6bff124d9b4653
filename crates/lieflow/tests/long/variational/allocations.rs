//! No step allocates once the work space is made.
use super::mechanics::*;
use lieflow::method::variational::{FromHamiltonian, FromLagrangian, Variational, names};
use lieflow_testing::counting::after_the_first;

#[test]
fn no_step_allocates() {
    let top = Top::named("mild-top");
    let planet = Newtonian::named(Kepler, "kepler");
    for id in &rotation_ids() {
        let scheme = names::scheme(id).unwrap().unwrap();
        let mut method = Variational::<_, FromLagrangian>::new(scheme.clone());
        assert_eq!(after_the_first(&top, &mut method, 0.1, 20), 0, "{id}");
        // Momenta and velocities by dual numbers, with a Legendre transform at every node.
        let mut method = Variational::<_, FromHamiltonian>::new(scheme.clone());
        assert_eq!(after_the_first(&top, &mut method, 0.1, 20), 0, "{id} by the Hamiltonian");
        let mut method = Variational::<_, FromLagrangian>::new(scheme);
        assert_eq!(after_the_first(&planet, &mut method, 0.01, 20), 0, "{id} in the plane");
    }
}
