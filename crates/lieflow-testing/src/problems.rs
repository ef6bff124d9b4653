//! Problem files that tests of several crates read.

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
