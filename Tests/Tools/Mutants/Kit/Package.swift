// swift-tools-version: 6.3
import PackageDescription

// What `make mutants` builds where the defect is in the kit: the kit and its own tests, in seconds.
// All else is made of the kit, so that the other manifest would have everything built anew. The
// folders are the copy's, through links.

let imports: [SwiftSetting] = [.enableUpcomingFeature("InternalImportsByDefault")]

let package = Package(
    name: "kit-mutants",
    targets: [
        .target(name: "StateMachines", swiftSettings: imports),
        .target(
            name: "Seeds", dependencies: ["StateMachines"], path: "Tests/Shared/Seeds",
            swiftSettings: imports),
        .testTarget(
            name: "StateMachinesTests", dependencies: ["StateMachines", "Seeds"],
            path: "Tests/Suites/StateMachinesTests", swiftSettings: imports),
    ]
)
