// swift-tools-version: 6.3
import PackageDescription

// What `make sanitize` builds: what has threads, or memory that the compiler does not see to, with
// its tests, and nothing else. The settings that make the real package strict are left out but for
// those that imports rely on.

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
    name: "sanitize",
    targets: [
        .target(name: "CGPIO", linkerSettings: [.linkedLibrary("gpiod")]),
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
        library("GPIOHardware", ["Hardware", "System", "Turnstile", "StateMachines", "CGPIO"]),
        library("SimulatedHardware", ["Hardware", "System", "Turnstile", "StateMachines"]),
        library("Console", ["System", "Turnstile", "CLinux"]),
        library("Controller", ["Hardware", "System", "Turnstile", "StateMachines"]),
        library("GateClient", ["System", "Turnstile", "StateMachines"]),
        library("Bus", ["System", "Turnstile", "StateMachines"]),
        library("Trace", ["Controller", "System", "Turnstile", "StateMachines"]),

        library("Seeds", ["StateMachines"], path: "Tests/Shared/Seeds"),
        library(
            "TestSupport", ["Controller", "System", "Turnstile", "StateMachines"],
            path: "Tests/Shared/TestSupport"),
        library("SourceCases", path: "Tests/Shared/SourceCases"),
        library("Documents", path: "Tests/Shared/Documents"),
        library("PrivateBus", path: "Tests/Shared/PrivateBus"),
        library(
            "SecondOpinion", ["Seeds", "Turnstile", "StateMachines"],
            path: "Tests/Shared/SecondOpinion"),
        library(
            "Simulation",
            [
                "SecondOpinion", "Controller", "SimulatedHardware", "System", "TestSupport",
                "Hardware", "Turnstile", "StateMachines",
            ], path: "Tests/Shared/Simulation"),
        .target(name: "FaultDisk", dependencies: ["CSQLite"], path: "Tests/Shared/FaultDisk"),

        tests("StateMachinesTests", ["StateMachines", "Seeds"]),
        tests(
            "SystemTests",
            [
                "PrivateBus", "System", "SourceCases", "TestSupport", "Turnstile", "StateMachines",
            ], besides: ["published"]),
        tests(
            "SettingsTests", ["Documents", "Settings", "Seeds", "System", "Hardware", "Turnstile"]),
        tests(
            "LedgerTests", ["FaultDisk", "Ledger", "System", "Turnstile", "StateMachines"],
            besides: ["Fixtures"]),
        tests("RetentionTests", ["Retention", "System", "Turnstile", "StateMachines"]),
        tests(
            "GPIOHardwareTests",
            ["GPIOHardware", "CGPIO", "Hardware", "Turnstile", "StateMachines"]),
        tests("ConsoleTests", ["Console"]),
        tests(
            "ControllerTests",
            [
                "Controller", "SimulatedHardware", "System", "TestSupport", "Hardware",
                "Turnstile", "StateMachines",
            ]),
        tests("GateClientTests", ["GateClient", "Bus", "System", "Turnstile", "StateMachines"]),
        tests("BusTests", ["Bus", "PrivateBus", "System", "Turnstile", "StateMachines"]),
        // Without the traces of all kinds, which the whole of turnstilectl reads.
        tests(
            "TraceTests",
            [
                "Trace", "SecondOpinion", "Simulation", "Seeds", "Controller", "System",
                "TestSupport", "Turnstile", "StateMachines",
            ], besides: ["Corpus"]),
    ]
)
