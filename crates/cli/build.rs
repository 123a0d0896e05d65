//! How the program is linked.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = |name: &str| std::env::var(name).unwrap_or_default();
    if target("CARGO_CFG_TARGET_OS") == "linux" && target("CARGO_CFG_TARGET_ENV") == "gnu" {
        // A hook runs at every message, and a seventh of such a run went into relocating the image: 34,000 places,
        // nearly all of them in tables that most runs never look at. Stack, heap and libraries stay at random addresses.
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
}
