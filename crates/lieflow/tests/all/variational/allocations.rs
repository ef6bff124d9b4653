//! No step allocates once the work space is made.
use super::mechanics::*;
use crate::common::counting::of_steps as allocations;
use lieflow::method::variational::{ByHamiltonian, ByLagrangian, Variational, names};

#[test]
fn no_step_allocates() {
    let top = Top::named("mild-top");
    let planet = Newtonian::named(Kepler, "kepler");
    for id in ROTATION_IDS {
        let scheme = names::scheme(id).unwrap().unwrap();
        let mut method = Variational::<_, ByLagrangian>::new(scheme.clone());
        assert_eq!(allocations(&top, &mut method, 0.1), 0, "{id}");
        // Momenta and velocities by dual numbers, with a Legendre transform at every node.
        let mut method = Variational::<_, ByHamiltonian>::new(scheme.clone());
        assert_eq!(allocations(&top, &mut method, 0.1), 0, "{id} by the Hamiltonian");
        let mut method = Variational::<_, ByLagrangian>::new(scheme);
        assert_eq!(allocations(&planet, &mut method, 0.01), 0, "{id} in the plane");
    }
}
