// swift-tools-version: 6.3
import PackageDescription

// What `make sanitize` builds: the kit, with its lock on pthreads, and what has to do with threads
// among its tests.

let package = Package(
    name: "sanitize",
    targets: [
        .target(
            name: "StateMachines",
            swiftSettings: [
                .strictMemorySafety(), .treatAllWarnings(as: .error),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .define("STATE_MACHINES_ON_PTHREADS"),
            ]),
        .testTarget(
            name: "ThreadTests", dependencies: ["StateMachines"],
            path: "Tests/Suites/StateMachinesTests/Threads"),
    ]
)
