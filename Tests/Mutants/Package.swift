// swift-tools-version: 6.3
import PackageDescription

// What `make mutants` builds: core, shell, ledger and settings with their tests, and nothing else,
// so that a mutant costs one short build. The settings that make the real package strict are left
// out but for the one that imports rely on: a mutant may leave a variable unused.

let imports: [SwiftSetting] = [.enableUpcomingFeature("InternalImportsByDefault")]

func library(
    _ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil
) -> Target {
    .target(name: name, dependencies: dependencies, path: path, swiftSettings: imports)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: imports)
}

let package = Package(
    name: "mutants",
    targets: [
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd"),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3"),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1"),
        library("StateMachines"),
        library("Turnstile", ["StateMachines"]),
        library("Hardware", ["Turnstile", "StateMachines"]),
        library("System", ["Turnstile", "StateMachines", "CSystemd", "CLinux"]),
        library("Settings", ["Hardware", "Turnstile", "StateMachines", "CYAML"]),
        library("Ledger", ["System", "Turnstile", "StateMachines", "CSQLite", "CLinux"]),
        library("SimulatedHardware", ["Hardware", "System", "Turnstile", "StateMachines"]),
        library("Controller", ["Hardware", "System", "Turnstile", "StateMachines"]),
        library("Seeds", path: "Tests/Seeds"),
        library(
            "TestSupport", ["System", "Turnstile", "StateMachines"], path: "Tests/TestSupport"),
        library(
            "SecondOpinion", ["Seeds", "Turnstile", "StateMachines"], path: "Tests/SecondOpinion"),
        library(
            "Simulation",
            [
                "SecondOpinion", "Controller", "SimulatedHardware", "System", "TestSupport",
                "Hardware", "Turnstile", "StateMachines",
            ], path: "Tests/Simulation"),
        tests("SimulationTests", ["Simulation", "Seeds"]),
        tests("TurnstileTests", ["SecondOpinion", "Turnstile", "StateMachines", "Seeds"]),
        tests("SettingsTests", ["Settings", "Seeds", "Hardware", "Turnstile"]),
        tests("LedgerTests", ["Ledger", "System", "Turnstile", "StateMachines"]),
        tests(
            "ControllerTests",
            [
                "Controller", "SimulatedHardware", "System", "TestSupport", "Hardware",
                "Turnstile", "StateMachines",
            ]),
    ]
)
