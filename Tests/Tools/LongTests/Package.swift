// swift-tools-version: 6.3
import PackageDescription

// What `make long-test` builds, optimised: the suites that go through states and days for minutes,
// and what they are about, and nothing else. The settings that make the real package strict are
// left out but for those that imports rely on.

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
    _ name: String, _ dependencies: [Target.Dependency], only files: [String]? = nil
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, path: "Tests/Suites/\(name)", sources: files,
        swiftSettings: imports)
}

let package = Package(
    name: "long-tests",
    targets: [
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd"),
        .systemLibrary(name: "CLinux"),
        library("StateMachines"),
        library("Turnstile", ["StateMachines"]),
        library("Hardware", ["Turnstile", "StateMachines"]),
        library("System", ["Turnstile", "StateMachines", "CSystemd", "CLinux"]),
        library("SimulatedHardware", ["Hardware", "System", "Turnstile", "StateMachines"]),
        library("Controller", ["Hardware", "System", "Turnstile", "StateMachines"]),

        library("Seeds", ["StateMachines"], path: "Tests/Shared/Seeds"),
        library("SourceCases", path: "Tests/Shared/SourceCases"),
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
        tests(
            "TurnstileTests",
            ["SecondOpinion", "SourceCases", "Seeds", "Turnstile", "StateMachines"],
            only: ["Exploration", "RandomWalkTests.swift", "Story.swift"]),
        tests("SimulationTests", ["Simulation", "Seeds"]),
    ]
)
