// swift-tools-version: 6.3
import PackageDescription

// A package of its own, so that the daemon's does not build with it:
//
//     swift run --package-path Benchmarks -c release KitBenchmarks
//     swift run --package-path Benchmarks -c release TurnstileBenchmarks
//     swift run --package-path Benchmarks -c release LedgerBenchmarks [FOLDER]
//     swift run --package-path Benchmarks -c release ReportBenchmarks [FOLDER [RECORDS]]
//     swift run --package-path Benchmarks -c release TraceBenchmarks [FOLDER [PASSAGES]]
let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "turnstiled", path: "..")],
    targets: [
        .target(name: "CAllocations"),
        .target(name: "Measure", dependencies: ["CAllocations"]),
        .executableTarget(
            name: "KitBenchmarks",
            dependencies: ["Measure", .product(name: "StateMachines", package: "turnstiled")],
            // Else the copies that are there to lie in different places would become one; and what
            // comes before a loop would shift it by a part of a cache line.
            swiftSettings: [
                .unsafeFlags([
                    "-Xllvm", "-swiftmergefunc-threshold=0", "-Xllvm", "-align-all-functions=6",
                ])
            ]),
        .executableTarget(
            name: "TurnstileBenchmarks",
            dependencies: [
                "Measure", .product(name: "StateMachines", package: "turnstiled"),
                .product(name: "Turnstile", package: "turnstiled"),
            ]),
        .target(name: "CRival", linkerSettings: [.linkedLibrary("sqlite3")]),
        .executableTarget(
            name: "LedgerBenchmarks",
            dependencies: [
                "Measure", "CRival", .product(name: "StateMachines", package: "turnstiled"),
                .product(name: "Turnstile", package: "turnstiled"),
                .product(name: "Ledger", package: "turnstiled"),
            ]),
        .target(name: "CReportRival", linkerSettings: [.linkedLibrary("sqlite3")]),
        .executableTarget(
            name: "ReportBenchmarks",
            dependencies: [
                "Measure", "CReportRival", .product(name: "StateMachines", package: "turnstiled"),
                .product(name: "Turnstile", package: "turnstiled"),
                .product(name: "Audit", package: "turnstiled"),
            ]),
        .executableTarget(
            name: "TraceBenchmarks",
            dependencies: [
                "Measure", .product(name: "StateMachines", package: "turnstiled"),
                .product(name: "Turnstile", package: "turnstiled"),
                .product(name: "Trace", package: "turnstiled"),
            ]),
    ]
)
