// swift-tools-version: 6.3
import PackageDescription

// What `make mutants` builds: what is planted in, with its tests, and nothing else, so that a
// mutant costs one short build. The settings that make the real package strict are left out but for
// those that imports rely on, and which `contains` is meant: a mutant may leave a variable unused.

let imports: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func library(
    _ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil
) -> Target {
    .target(name: name, dependencies: dependencies, path: path, swiftSettings: imports)
}

func tests(
    _ name: String, _ dependencies: [Target.Dependency], besides files: [String] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, path: "Tests/Suites/\(name)", exclude: files,
        swiftSettings: imports)
}

let package = Package(
    name: "mutants",
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
    ],
    targets: [
        .target(name: "CGPIO", linkerSettings: [.linkedLibrary("gpiod")]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd"),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3"),
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium"),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1"),
        library("StateMachines"),
        library("Turnstile", ["StateMachines"]),
        library("Drawing", ["StateMachines"]),
        library("Hardware", ["Turnstile", "StateMachines"]),
        library("System", ["Turnstile", "StateMachines", "CSystemd", "CLinux"]),
        library("Measuring", ["Turnstile", "StateMachines"]),
        library("GateCharts", ["Turnstile", "StateMachines"]),
        library("Settings", ["Hardware", "System", "Turnstile", "StateMachines", "CYAML"]),
        .target(
            name: "Ledger",
            dependencies: [
                "System", "Turnstile", "StateMachines", "CSQLite", "CSodium", "CLinux",
            ],
            swiftSettings: imports),
        library("Retention", ["System", "Turnstile", "StateMachines"]),
        library("GPIOHardware", ["Hardware", "System", "Turnstile", "StateMachines", "CGPIO"]),
        library("SimulatedHardware", ["Hardware", "System", "Turnstile", "StateMachines"]),
        library("Controller", ["Hardware", "System", "Turnstile", "StateMachines"]),
        library("Console", ["System", "Turnstile", "CLinux"]),
        library("Moves", ["SimulatedHardware", "Settings", "Turnstile"]),
        library(
            "Scenario", ["Moves", "SimulatedHardware", "Settings", "Turnstile", "StateMachines"]),
        library(
            "Doctor",
            [
                "GPIOHardware", "Settings", "Ledger", "System", "Hardware", "Turnstile",
                "StateMachines", "CLinux",
            ]),
        library("Trace", ["Controller", "System", "Turnstile", "StateMachines"]),
        library("TraceExport", ["Trace", "System", "Turnstile", "StateMachines"]),
        library("GateClient", ["System", "Turnstile", "StateMachines"]),
        library("Bus", ["System", "Turnstile", "StateMachines"]),
        library("Audit", ["Ledger", "System", "Turnstile", "StateMachines"]),
        library(
            "LiveView", ["Console", "SimulatedHardware", "System", "Turnstile", "StateMachines"]),
        .executableTarget(
            name: "turnstiled",
            dependencies: [
                "Bus", "Controller", "LiveView", "GPIOHardware", "SimulatedHardware", "Moves",
                "Settings", "Ledger", "Retention", "Trace", "System", "Hardware", "Turnstile",
                "StateMachines",
            ], swiftSettings: imports),
        .executableTarget(
            name: "turnstilectl",
            dependencies: [
                "Audit", "Controller", "Trace", "TraceExport", "Doctor", "GateClient", "Console",
                "LiveView", "GPIOHardware", "Settings",
                "Ledger", "Measuring", "GateCharts", "Drawing", "Moves", "Scenario",
                "SimulatedHardware", "System", "Hardware", "Turnstile", "StateMachines",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], swiftSettings: imports),
        library("PrivateBus", path: "Tests/Shared/PrivateBus"),
        library("Documents", path: "Tests/Shared/Documents"),
        library("Pictures", path: "Tests/Shared/Pictures"),
        library("Seeds", ["StateMachines"], path: "Tests/Shared/Seeds"),
        library("SourceCases", path: "Tests/Shared/SourceCases"),
        .target(name: "FaultDisk", dependencies: ["CSQLite"], path: "Tests/Shared/FaultDisk"),
        library(
            "TestSupport", ["Controller", "System", "Turnstile", "StateMachines"],
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
            "TraceTests",
            [
                "turnstilectl", "Trace", "SecondOpinion", "Simulation", "Seeds", "Console",
                "Controller", "System", "TestSupport", "Turnstile", "StateMachines",
            ]),
        tests(
            "TraceExportTests", ["TraceExport", "Trace", "System", "Turnstile", "StateMachines"]),
        tests(
            "TurnstileTests",
            [
                "GateCharts", "SecondOpinion", "SourceCases", "Seeds", "Controller", "System",
                "Turnstile", "StateMachines",
            ],
            besides: [
                "Vocabulary/version-1", "Vocabulary/version-2", "Vocabulary/version-3",
                "Vocabulary/state-8",
            ]),
        tests("DrawingTests", ["Drawing", "Seeds", "StateMachines"]),
        tests(
            "GateChartsTests",
            ["Pictures", "GateCharts", "Drawing", "Turnstile", "StateMachines"],
            besides: ["golden"]),
        tests("MeasuringTests", ["Measuring", "Seeds", "Turnstile", "StateMachines"]),
        tests(
            "ScenarioTests",
            [
                "Pictures", "Console", "LiveView", "Scenario", "Moves", "Controller",
                "Settings", "SimulatedHardware", "System",
                "TestSupport", "Hardware", "Turnstile", "StateMachines",
            ]),
        tests(
            "DoctorTests",
            [
                "Doctor", "GPIOHardware", "Settings", "Ledger", "System", "Hardware", "Turnstile",
                "StateMachines",
            ], besides: ["golden"]),
        tests(
            "LiveViewTests",
            [
                "Console", "LiveView", "Seeds", "SimulatedHardware", "System", "Turnstile",
                "StateMachines",
            ]),
        tests("GateClientTests", ["GateClient", "Bus", "System", "Turnstile", "StateMachines"]),
        tests(
            "CommandTests",
            [
                "turnstilectl", "turnstiled", "Documents", "GateClient", "Console", "Pictures",
                "PrivateBus", "Ledger", "Audit", "Trace", "Controller", "SimulatedHardware",
                "Moves", "Settings",
                "System", "Hardware", "Turnstile", "StateMachines",
            ]),
        tests(
            "BusTests",
            [
                "Bus", "PrivateBus", "System", "Turnstile", "StateMachines",
            ]),
        tests(
            "SettingsTests", ["Documents", "Settings", "Seeds", "System", "Hardware", "Turnstile"]),
        tests(
            "LedgerTests", ["FaultDisk", "Ledger", "System", "Turnstile", "StateMachines"],
            besides: ["Fixtures"]),
        tests(
            "AuditTests",
            [
                "turnstilectl", "Audit", "Console", "Drawing", "Seeds", "Ledger", "System",
                "Turnstile", "StateMachines",
            ], besides: ["golden"]),
        tests("RetentionTests", ["Retention", "System", "Turnstile", "StateMachines"]),
        tests(
            "SystemTests",
            [
                "PrivateBus", "System", "SourceCases", "TestSupport", "Turnstile", "StateMachines",
            ], besides: ["published"]),
        tests(
            "GPIOHardwareTests",
            ["GPIOHardware", "CGPIO", "Hardware", "Turnstile", "StateMachines"]),
        tests(
            "DaemonTests",
            [
                "turnstiled", "turnstilectl", "Controller", "Documents", "GPIOHardware",
                "PrivateBus", "Ledger",
                "Retention", "Settings", "System", "Hardware", "Turnstile", "StateMachines",
            ]),
        tests(
            "ControllerTests",
            [
                "Controller", "SimulatedHardware", "System", "TestSupport", "Hardware",
                "Turnstile", "StateMachines",
            ]),
    ]
)
