//! `--device`, on machines with and without a GPU.
use crate::common::{file, lieflow};

const TOPS: &str = r#"
system = "rigid-body"
[parameters]
inertia = [5.0, 5.0, 1.0]
potential = { kind = "lagrange-top", strength = 20.0 }
[initial]
omega = [0.0, 0.0, 50.0]
[solve]
method = "METHOD"
step = 0.01
until = 0.1
[ensemble]
count = 20
[[ensemble.vary]]
key = "initial.omega"
uniform = [[-1, -1, 20], [1, 1, 60]]
"#;

fn tops(method: &str) -> String {
    file("tops", &TOPS.replace("METHOD", method))
}

/// Whether this machine has a GPU: then it does what it is asked for.
fn has_gpu() -> bool {
    lieflow_device::find_devices().is_ok()
}

#[test]
fn without_a_gpu_it_says_so_and_auto_computes_all_the_same() {
    let problem = tops("liemid-ea");
    let cpu = lieflow(&["ensemble", &problem, "--json"]).json();
    let auto = lieflow(&["ensemble", &problem, "--device", "auto", "--json"]);
    assert_eq!(auto.json()["statistics"], cpu["statistics"]);
    let cuda = lieflow(&["ensemble", &problem, "--device", "cuda", "--json"]);
    if has_gpu() {
        assert_eq!(cuda.json()["statistics"], cpu["statistics"]);
    } else {
        cuda.refuses(&["--device", "NVIDIA driver", "--device cpu"]);
        assert!(auto.stderr.contains("on the CPU: no NVIDIA driver"), "{auto:?}");
        lieflow(&["bench", "w4", "--device", "cuda"]).refuses(&["--device", "NVIDIA driver"]);
    }
}

#[test]
fn what_does_not_run_there_is_refused_with_what_does() {
    let problem = tops("cf4");
    let cuda = lieflow(&["ensemble", &problem, "--device", "cuda"]);
    cuda.refuses(&["--device", "the method cf4", "liemid-ea", "or --device cpu"]);
    let auto = lieflow(&["ensemble", &problem, "--device", "auto"]);
    assert_eq!(auto.status, 0, "{auto:?}");
    assert!(auto.stderr.contains("on the CPU: found the method cf4"), "{auto:?}");
    lieflow(&["ensemble", &problem, "--device", "gpu"]).refuses(&["gpu", "cpu, cuda or auto"]);
}
