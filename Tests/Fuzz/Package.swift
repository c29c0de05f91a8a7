// swift-tools-version: 6.3
import PackageDescription

// What `make fuzz` builds: all that reads what others wrote, instrumented for libFuzzer, and the
// targets that feed it. The settings that make the real package strict are left out but for those
// that imports rely on.

let imports: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: imports)
}

let package = Package(
    name: "fuzz",
    targets: [
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd"),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3"),
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium"),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1"),
        library("StateMachines"),
        library("Turnstile", ["StateMachines"]),
        library("Hardware", ["Turnstile", "StateMachines"]),
        library("System", ["Turnstile", "StateMachines", "CSystemd", "CLinux"]),
        library("Settings", ["Hardware", "System", "Turnstile", "StateMachines", "CYAML"]),
        library(
            "Ledger", ["System", "Turnstile", "StateMachines", "CSQLite", "CSodium", "CLinux"]),
        library("Retention", ["System", "Turnstile", "StateMachines"]),
        library("SimulatedHardware", ["Hardware", "System", "Turnstile", "StateMachines"]),
        library("Moves", ["SimulatedHardware", "Settings", "Turnstile"]),
        library("GateClient", ["System", "Turnstile", "StateMachines"]),
        library("Bus", ["System", "Turnstile", "StateMachines"]),
        library("Audit", ["Ledger", "System", "Turnstile", "StateMachines"]),
        library(
            "Scenario", ["Moves", "SimulatedHardware", "Settings", "Turnstile", "StateMachines"]),
        library("Controller", ["Hardware", "System", "Turnstile", "StateMachines"]),
        library("Trace", ["Controller", "System", "Turnstile", "StateMachines"]),
        library("TraceExport", ["Trace", "System", "Turnstile", "StateMachines"]),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "Audit", "Bus", "Controller", "GateClient", "Ledger", "Moves", "Retention",
                "Scenario", "Settings", "System", "Trace", "TraceExport", "Turnstile",
                "StateMachines",
            ],
            path: "Tests/Fuzz/Targets", swiftSettings: imports),
    ]
)
