// swift-tools-version: 6.3
import PackageDescription

// What `make mutants` builds: the core and the shell with their tests, and nothing else, so that a
// mutant costs one short build. The settings that make the real package strict are left out: a
// mutant may leave a variable unused.

let package = Package(
    name: "mutants",
    targets: [
        .target(name: "StateMachines"),
        .target(name: "Turnstile", dependencies: ["StateMachines"]),
        .target(name: "Hardware", dependencies: ["Turnstile", "StateMachines"]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd"),
        .systemLibrary(name: "CLinux"),
        .target(name: "System", dependencies: ["Turnstile", "StateMachines", "CSystemd"]),
        .target(
            name: "SimulatedHardware",
            dependencies: ["Hardware", "Turnstile", "StateMachines", "CLinux"]),
        .target(
            name: "Controller", dependencies: ["Hardware", "System", "Turnstile", "StateMachines"]),
        .target(
            name: "TestSupport", dependencies: ["System", "StateMachines"],
            path: "Tests/TestSupport"),
        .testTarget(name: "TurnstileTests", dependencies: ["Turnstile", "StateMachines"]),
        .testTarget(
            name: "ControllerTests",
            dependencies: [
                "Controller", "SimulatedHardware", "System", "TestSupport", "Hardware",
                "Turnstile", "StateMachines",
            ]),
    ]
)
