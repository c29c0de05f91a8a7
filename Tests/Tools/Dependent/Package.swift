// swift-tools-version: 6.3
import PackageDescription

// A package that depends on the kit alone, as anybody's may: `make dependent` builds it, and looks
// at what was built with it.
let package = Package(
    name: "lamp",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    dependencies: [
        .package(name: "turnstiled", path: "../../..")
    ],
    targets: [
        .executableTarget(
            name: "Lamp",
            dependencies: [
                .product(name: "StateMachines", package: "turnstiled"),
                .product(name: "Holding", package: "turnstiled"),
            ])
    ]
)
