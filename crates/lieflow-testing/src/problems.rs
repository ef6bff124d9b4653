//! Problem files that tests of several crates read.

/// A top above a well that its axis passes near once a period of 5.75, as a comet passes the sun.
pub const ECCENTRIC_TOP: &str = r#"
system = "rigid-body"
[parameters]
inertia = [1.0, 1.0, 0.6]
potential = { kind = "soft-wall", attraction = 0.5, repulsion = 0.0, offset = 1.02 }
[initial]
rotation = { vector = [1.2, 0.0, 0.0] }
momentum = [0.05, 0.2, 0.1]
[solve]
method = "exs@kl6"
tol = 1e-7
until = 60.0
"#;

/// A top that falls over soon, which an event notices.
pub const FALLING_TOP: &str = r#"
system = "rigid-body"
[parameters]
inertia = [5.0, 5.0, 1.0]
potential = { formula = "k*R33", k = 20.0 }
[initial]
rotation = { vector = [0.3, 0.0, 0.0] }
omega = [0.0, 0.0, 2.0]
[solve]
method = "rkmk4"
step = 0.01
until = 40.0
[[events]]
name = "falls over"
formula = "R33"
direction = "falling"
then = "stop"
"#;
