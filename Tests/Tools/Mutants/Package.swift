// swift-tools-version: 6.3
import PackageDescription

// What `make mutants` builds: what is planted in, with its tests, and nothing else, so that a
// mutant costs one short build. The settings that make the real package strict are left out but for
// the one that imports rely on: a mutant may leave a variable unused.

let imports: [SwiftSetting] = [.enableUpcomingFeature("InternalImportsByDefault")]

func library(
    _ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil
) -> Target {
    .target(name: name, dependencies: dependencies, path: path, swiftSettings: imports)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, path: "Tests/Suites/\(name)",
        swiftSettings: imports)
}

let package = Package(
    name: "mutants",
    targets: [
        .target(name: "CGPIO", linkerSettings: [.linkedLibrary("gpiod")]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd"),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3"),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1"),
        library("StateMachines"),
        library("Turnstile", ["StateMachines"]),
        library("Hardware", ["Turnstile", "StateMachines"]),
        library("System", ["Turnstile", "StateMachines", "CSystemd", "CLinux"]),
        library("Settings", ["Hardware", "System", "Turnstile", "StateMachines", "CYAML"]),
        library("Ledger", ["System", "Turnstile", "StateMachines", "CSQLite", "CLinux"]),
        library("Retention", ["System", "Turnstile", "StateMachines"]),
        library("GPIOHardware", ["Hardware", "System", "Turnstile", "StateMachines", "CGPIO"]),
        library("SimulatedHardware", ["Hardware", "System", "Turnstile", "StateMachines"]),
        library("Controller", ["Hardware", "System", "Turnstile", "StateMachines"]),
        library("Console", ["System", "Turnstile", "CLinux"]),
        library("LiveView", ["Console", "SimulatedHardware", "Turnstile"]),
        .executableTarget(
            name: "turnstiled",
            dependencies: [
                "Controller", "LiveView", "GPIOHardware", "SimulatedHardware", "Settings",
                "Ledger", "Retention", "System", "Hardware", "Turnstile", "StateMachines",
            ], swiftSettings: imports),
        library("Seeds", ["StateMachines"], path: "Tests/Shared/Seeds"),
        library("SourceCases", path: "Tests/Shared/SourceCases"),
        .target(name: "FaultDisk", dependencies: ["CSQLite"], path: "Tests/Shared/FaultDisk"),
        library(
            "TestSupport", ["System", "Turnstile", "StateMachines"],
            path: "Tests/Shared/TestSupport"),
        library(
            "SecondOpinion", ["Seeds", "Turnstile", "StateMachines"],
            path: "Tests/Shared/SecondOpinion"),
        library(
            "Simulation",
            [
                "SecondOpinion", "Controller", "SimulatedHardware", "System", "TestSupport",
                "Hardware", "Turnstile", "StateMachines",
            ], path: "Tests/Shared/Simulation"),
        tests("SimulationTests", ["Simulation", "Seeds"]),
        tests(
            "TurnstileTests",
            ["SecondOpinion", "SourceCases", "Turnstile", "StateMachines", "Seeds"]),
        tests("SettingsTests", ["Settings", "Seeds", "Hardware", "Turnstile"]),
        .testTarget(
            name: "LedgerTests",
            dependencies: ["FaultDisk", "Ledger", "System", "Turnstile", "StateMachines"],
            path: "Tests/Suites/LedgerTests", exclude: ["Fixtures"], swiftSettings: imports),
        tests("RetentionTests", ["Retention", "System", "Turnstile", "StateMachines"]),
        tests(
            "SystemTests", ["System", "SourceCases", "TestSupport", "Turnstile", "StateMachines"]),
        tests(
            "GPIOHardwareTests",
            ["GPIOHardware", "CGPIO", "Hardware", "Turnstile", "StateMachines"]),
        tests(
            "DaemonTests",
            [
                "turnstiled", "GPIOHardware", "Retention", "Settings", "System", "Hardware",
                "Turnstile", "StateMachines",
            ]),
        tests(
            "ControllerTests",
            [
                "Controller", "SimulatedHardware", "System", "TestSupport", "Hardware",
                "Turnstile", "StateMachines",
            ]),
    ]
)
