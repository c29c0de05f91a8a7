// swift-tools-version: 6.3
import PackageDescription

// A package of its own, so that the daemon's does not build with it:
//
//     swift run --package-path Benchmarks -c release KitBenchmarks
let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "turnstiled", path: "..")],
    targets: [
        .target(name: "CAllocations"),
        .executableTarget(
            name: "KitBenchmarks",
            dependencies: [
                "CAllocations", .product(name: "StateMachines", package: "turnstiled"),
            ]),
    ]
)
