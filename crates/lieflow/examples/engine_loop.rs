//! The kernel in the loop of a physics engine: fixed frames, torques from outside, no driver.
//!
//! Half a kick, three exact rotations, half a kick: explicit, symplectic, and no drift of the
//! energy however long the game lasts. Run it with `cargo run -p lieflow --example engine_loop`.
use lieflow::kernel::rigid::{FreeMap, Inertia, ThreeRotations};
use lieflow::{Mat3, Quat, Vec3, vec3};

/// What an engine keeps of a body.
pub struct Body {
    inertia: Inertia<f64>,
    attitude: Mat3<f64>,
    /// In the body frame.
    momentum: Vec3<f64>,
}

impl Body {
    /// One frame of length `dt` under this torque, which is in space.
    pub fn frame(&mut self, dt: f64, torque: Vec3<f64>) {
        self.kick(0.5 * dt, torque);
        let turn = ThreeRotations { axes: [0, 1, 2] }.turn(&self.inertia, dt, self.momentum);
        self.attitude = self.attitude.matmul(&turn.rotation);
        self.momentum = turn.momentum;
        self.kick(0.5 * dt, torque);
    }

    fn kick(&mut self, dt: f64, torque: Vec3<f64>) {
        self.momentum += self.attitude.apply_transpose(torque) * dt;
    }

    /// For the renderer: (w, x, y, z).
    pub fn quaternion(&self) -> Quat<f64> {
        Quat::from_matrix(&self.attitude)
    }
}

/// A thrown racket: pushed for a tenth of a second, then an hour of play at 60 frames a second.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let inertia = Inertia::principal(vec3(1.0, 2.0, 3.0));
    let mut body = Body { inertia, attitude: Mat3::identity(), momentum: vec3(0.0, 0.0, 0.01) };
    let dt = 1.0 / 60.0;
    let mut flips = 0;
    for _ in 0..6 {
        body.frame(dt, vec3(0.0, 100.0, 0.0));
    }
    let energy = |body: &Body| body.inertia.kinetic_energy(body.momentum);
    let (before, mut side) = (energy(&body), body.momentum.y > 0.0);
    for _ in 0..60 * 60 * 60 {
        body.frame(dt, Vec3::zero());
        let now = body.momentum.y > 0.0;
        flips += u32::from(now != side);
        side = now;
    }
    let change = (energy(&body) / before - 1.0).abs();
    println!("{flips} flips in an hour; the energy is off by {change:.1e} of itself");
    println!(
        "attitude {:?}, a rotation to {:.1e}",
        body.quaternion(),
        body.attitude.orthogonality_error()
    );
    assert!(change < 1e-2 && flips > 100);
    Ok(())
}
