//! Tells the tests whether this machine has AVX-512: tests of its registers take ten seconds to compile, and where they
//! cannot run nobody needs them.
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(has_avx512)");
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx512f") {
        println!("cargo::rustc-cfg=has_avx512");
    }
}
