// swift-tools-version: 6.3
import PackageDescription

// A target may depend on lower floors only, never on a sibling. Its folder is in the room of those
// who live with it: kit, gate, service, tools. docs/architecture.md shows the picture;
// Tests/Suites/Project/ArchitectureTests holds the list of imports.

let strict: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func library(
    _ name: String, in room: String, _ dependencies: [Target.Dependency] = [],
    embedding folder: String? = nil
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/\(room)/\(name)",
        resources: folder.map { [.embedInCode($0)] }, swiftSettings: strict)
}

func tests(
    _ name: String, in folder: String, _ dependencies: [Target.Dependency] = [],
    besides files: [String] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies + ["Checkout"], path: "Tests/\(folder)/\(name)",
        exclude: files, swiftSettings: strict)
}

// What builds the kit's documentation: see `make docs`. Nobody else has to fetch it.
let documentation: [Package.Dependency] =
    Context.environment["TURNSTILED_DOCS"] == nil
    ? [] : [.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0")]

// What reads what others wrote.
let fed: [Target.Dependency] = [
    "Audit", "Bus", "BusInterface", "Controller", "GateClient", "Journal", "Keeping", "Ledger",
    "Moves", "Retention", "Scenario", "Settings", "System", "Trace", "TraceExport", "Turnstile",
    "StateMachines",
]

let package = Package(
    name: "turnstiled",
    // Of Apple's systems those with the kit's `Mutex`; nothing but the kit compiles there.
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        // The kit: machines and tables, charts, what explores and draws them, what holds one for
        // threads, and routes.
        .library(name: "StateMachines", targets: ["StateMachines"]),
        .library(name: "Charts", targets: ["Charts"]),
        .library(name: "Exploration", targets: ["Exploration"]),
        .library(name: "Holding", targets: ["Holding"]),
        .library(name: "Routing", targets: ["Routing"]),
        .library(name: "Turnstile", targets: ["Turnstile"]),
        .executable(name: "turnstiled", targets: ["turnstiled"]),
        .executable(name: "turnstile-simulator", targets: ["turnstile-simulator"]),
        // For the benchmarks.
        .library(name: "Ledger", targets: ["Ledger", "Keeping", "System"]),
        .library(name: "Audit", targets: ["Audit", "Ledger", "Keeping", "System"]),
        .library(name: "Trace", targets: ["Trace", "Controller", "System"]),
        // Not turnstilectl, which `swift build` makes as well: if it were a product, whoever
        // depends on the kit would have to fetch what it depends on.
    ],
    dependencies: documentation + [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
    ],
    targets: [
        // Floor 0: the kit, and the C libraries.
        library("StateMachines", in: "Kit"),
        library("Locks", in: "Kit"),
        .target(
            name: "CGPIO",
            path: "Sources/Service/C/CGPIO",
            cSettings: [
                .treatAllWarnings(as: .error), .enableWarning("all"), .enableWarning("extra"),
            ],
            linkerSettings: [.linkedLibrary("gpiod")]),
        .systemLibrary(
            name: "CSystemd", path: "Sources/Service/C/CSystemd", pkgConfig: "libsystemd",
            providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CLinux", path: "Sources/Service/C/CLinux"),
        .systemLibrary(
            name: "CSQLite", path: "Sources/Service/C/CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(
            name: "CSodium", path: "Sources/Service/C/CSodium", pkgConfig: "libsodium",
            providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(
            name: "CYAML", path: "Sources/Service/C/CYAML", pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"])]),

        // Floor 1: the domain, the operating system, and what is done with machines.
        library("Turnstile", in: "Gate", ["StateMachines"]),
        library("System", in: "Service", ["StateMachines", "Locks", "CSystemd", "CLinux"]),
        library("Charts", in: "Kit", ["StateMachines"]),
        library("Exploration", in: "Kit", ["StateMachines"]),
        library("Holding", in: "Kit", ["StateMachines", "Locks"]),

        // Floor 2: what the domain is wired to, what is kept of it, and drawings as pictures.
        library("Routing", in: "Kit", ["Holding", "StateMachines"]),
        library("Drawing", in: "Kit", ["Exploration"]),
        library("Hardware", in: "Gate", ["Turnstile", "StateMachines"]),
        library("Keeping", in: "Service/Storage", ["Turnstile", "StateMachines"]),
        library("Measuring", in: "Gate", ["Turnstile", "StateMachines"]),
        library("GateCharts", in: "Gate", ["Turnstile", "Exploration", "StateMachines"]),

        // Floor 3: the journal, the gate's interface on the bus, the two line banks, the settings
        // that describe their wiring, the ledger, and what is retained besides.
        library(
            "Journal", in: "Service/Storage",
            ["Keeping", "System", "Turnstile", "StateMachines", "CSystemd"]),
        library("BusInterface", in: "Service/DBus", ["System", "Turnstile", "StateMachines"]),
        library(
            "Settings", in: "Service",
            ["Hardware", "System", "Turnstile", "StateMachines", "CYAML"]),
        library(
            "Ledger", in: "Service/Storage",
            ["Keeping", "System", "Turnstile", "StateMachines", "CSQLite", "CSodium", "CLinux"]),
        library(
            "Retention", in: "Service/Storage",
            ["Keeping", "System", "Turnstile", "StateMachines"]),
        library(
            "GPIOHardware", in: "Service",
            ["Hardware", "System", "Turnstile", "StateMachines", "CGPIO"]),
        library(
            "SimulatedHardware", in: "Tools/Simulator",
            ["Hardware", "System", "Turnstile", "StateMachines"]),
        library("Console", in: "Tools", ["System", "Turnstile", "CLinux"]),

        // Floor 4: the imperative shell, and the views of it: terminal, bus, operator, installer.
        library(
            "Controller", in: "Service",
            ["Hardware", "Journal", "Keeping", "System", "Turnstile", "StateMachines"]),
        library("Moves", in: "Tools/Simulator", ["SimulatedHardware", "Settings", "Turnstile"]),
        library(
            "Doctor", in: "Tools",
            [
                "GPIOHardware", "Settings", "Ledger", "Journal", "System", "Hardware", "Turnstile",
                "StateMachines", "CLinux",
            ]),
        library(
            "LiveView", in: "Tools",
            ["Console", "SimulatedHardware", "System", "Turnstile", "StateMachines"]),
        library(
            "GateClient", in: "Tools", ["BusInterface", "System", "Turnstile", "StateMachines"]),
        library(
            "Bus", in: "Service/DBus",
            ["BusInterface", "System", "Turnstile", "StateMachines"]),
        library(
            "Audit", in: "Tools", ["Ledger", "Keeping", "System", "Turnstile", "StateMachines"]),

        // Floor 5: what is said with several of these.
        library(
            "Scenario", in: "Tools/Simulator",
            ["Moves", "SimulatedHardware", "Settings", "Turnstile", "StateMachines"]),
        library(
            "Trace", in: "Service/Storage",
            ["Controller", "Keeping", "System", "Turnstile", "StateMachines"]),

        // Floor 6: recordings as others draw them.
        library(
            "TraceExport", in: "Tools",
            ["Trace", "Keeping", "System", "Turnstile", "StateMachines"],
            embedding: "Browser"),
        library(
            "Daemon", in: "Service",
            [
                "Bus", "Controller", "Trace", "Settings", "Ledger", "Retention", "BusInterface",
                "Journal", "Keeping", "System", "Hardware", "Turnstile", "StateMachines",
            ]),

        // Floor 7: arguments and wiring.
        .executableTarget(
            name: "turnstiled",
            dependencies: [
                "Daemon", "GPIOHardware", "Settings", "Ledger", "Retention", "Journal", "System",
                "Hardware", "Turnstile",
            ],
            path: "Sources/Service/turnstiled",
            swiftSettings: strict),
        .executableTarget(
            name: "turnstile-simulator",
            dependencies: [
                "Daemon", "Bus", "Controller", "LiveView", "SimulatedHardware", "Moves", "Settings",
                "BusInterface", "Journal", "System", "Hardware", "Turnstile", "StateMachines",
            ],
            path: "Sources/Tools/turnstile-simulator",
            swiftSettings: strict),
        .executableTarget(
            name: "turnstilectl",
            dependencies: [
                "Audit", "Controller", "Trace", "TraceExport", "Doctor", "GateClient", "Console",
                "LiveView", "GPIOHardware", "Settings", "Ledger", "Measuring", "GateCharts",
                "Drawing", "Exploration", "Moves", "Scenario", "SimulatedHardware", "Journal",
                "Keeping", "System", "Hardware", "Turnstile", "StateMachines",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Tools/turnstilectl",
            swiftSettings: strict),

        // Tests, and what they share: random numbers from a seed; a virtual clock, doubles that
        // keep what they are told, and what replays the steps of a shell.
        .target(
            name: "Seeds", dependencies: ["StateMachines"], path: "Tests/Shared/Seeds",
            swiftSettings: strict),
        .target(
            name: "TestSupport",
            dependencies: [
                "Controller", "Journal", "Keeping", "System", "Turnstile", "StateMachines",
            ],
            path: "Tests/Shared/TestSupport", swiftSettings: strict),

        // Where the project's files lie.
        .target(name: "Checkout", path: "Tests/Shared/Checkout", swiftSettings: strict),

        // The cases of enums that cannot list them.
        .target(
            name: "SourceCases", dependencies: ["Checkout"], path: "Tests/Shared/SourceCases",
            swiftSettings: strict),

        // The commands that the documents tell people to type.
        .target(name: "Documents", path: "Tests/Shared/Documents", swiftSettings: strict),
        // The documents' pictures, as SVG.
        .target(
            name: "Pictures", dependencies: ["Checkout"], path: "Tests/Shared/Pictures",
            swiftSettings: strict),
        tests(
            "PicturesTests", in: "Suites/Project",
            ["Pictures", "Settings", "Hardware", "Turnstile"]),
        tests("ArchitectureTests", in: "Suites/Project", ["Documents"]),
        // The kit's, but for its drawings.
        tests(
            "StateMachinesTests", in: "Suites/Kit",
            ["Routing", "Exploration", "Holding", "Locks", "StateMachines", "Seeds"]),
        tests(
            "ChartsTests", in: "Suites/Kit", ["Charts", "Exploration", "StateMachines", "Seeds"]),
        tests(
            "ScenarioTests", in: "Suites/Tools",
            [
                "Pictures", "Console", "LiveView", "Scenario", "Moves", "Controller", "Settings",
                "SimulatedHardware", "Journal", "System", "TestSupport", "Hardware", "Turnstile",
                "StateMachines",
            ]),
        tests(
            "MeasuringTests", in: "Suites/Gate",
            ["Measuring", "Seeds", "Turnstile", "StateMachines"]),
        tests(
            "DrawingTests", in: "Suites/Kit", ["Drawing", "Exploration", "Seeds", "StateMachines"]),
        tests(
            "GateChartsTests", in: "Suites/Gate",
            [
                "Pictures", "GateCharts", "Drawing", "Exploration", "Turnstile", "StateMachines",
            ],
            besides: ["golden"]),
        tests("ConsoleTests", in: "Suites/Tools", ["Console"]),
        tests(
            "LiveViewTests", in: "Suites/Tools",
            [
                "Console", "LiveView", "Seeds", "SimulatedHardware", "System", "Turnstile",
                "StateMachines",
            ]),
        tests(
            "GateClientTests", in: "Suites/Tools",
            ["GateClient", "Bus", "BusInterface", "System", "Turnstile", "StateMachines"]),
        tests(
            "CommandTests", in: "Suites/Tools",
            [
                "turnstilectl", "turnstiled", "turnstile-simulator", "Documents", "GateClient",
                "Console", "Pictures", "PrivateBus", "Ledger", "Audit", "Trace", "Controller",
                "SimulatedHardware", "Moves", "Settings", "BusInterface", "Journal", "Keeping",
                "System", "Hardware", "Turnstile", "StateMachines",
            ]),
        tests(
            "BusTests", in: "Suites/Service",
            ["Bus", "PrivateBus", "BusInterface", "System", "Turnstile", "StateMachines"]),
        tests(
            "SimulatedHardwareTests", in: "Suites/Tools",
            [
                "BankContract", "Seeds", "SimulatedHardware", "System", "Hardware", "Turnstile",
                "StateMachines",
            ]),
        tests(
            "ControllerTests", in: "Suites/Service",
            [
                "Controller", "SimulatedHardware", "Journal", "Keeping", "System", "TestSupport",
                "Hardware", "Turnstile", "Exploration", "StateMachines",
            ]),
        tests(
            "DaemonTests", in: "Suites/Service",
            [
                "turnstiled", "turnstile-simulator", "turnstilectl", "Daemon", "Controller",
                "Documents", "GPIOHardware", "PrivateBus", "Ledger", "Retention", "Settings",
                "Journal", "Keeping", "System", "Hardware", "Turnstile", "StateMachines",
            ]),

        // The gate once more, in the plainest way: the second opinion on the first.
        .target(
            name: "SecondOpinion", dependencies: ["Seeds", "Turnstile", "StateMachines"],
            path: "Tests/Shared/SecondOpinion", swiftSettings: strict),

        // The whole service on a simulated gate, from a seed; `soak` runs it for hours.
        .target(
            name: "Simulation",
            dependencies: [
                "SecondOpinion", "Controller", "SimulatedHardware", "Journal", "Keeping", "System",
                "TestSupport", "Hardware", "Turnstile", "StateMachines",
            ],
            path: "Tests/Shared/Simulation", swiftSettings: strict),
        tests(
            "TraceTests", in: "Suites/Service/Storage",
            [
                "turnstilectl", "Trace", "SecondOpinion", "Simulation", "Seeds", "Console",
                "Controller", "Keeping", "System", "TestSupport", "Turnstile", "StateMachines",
            ]),
        .executableTarget(
            name: "soak", dependencies: ["Simulation", "SecondOpinion", "Turnstile"],
            path: "Tests/Tools/soak", swiftSettings: strict),
        tests("SimulationTests", in: "Suites/Service", ["Simulation", "Seeds"]),
        // Every state of small gates, and random walks through others.
        tests(
            "StateSpaceTests", in: "Suites/Gate",
            [
                "SecondOpinion", "Seeds", "SourceCases", "Stories", "Turnstile", "Exploration",
                "StateMachines",
            ]),
        // What happens at a gate, in the words of those who stand before it.
        .target(
            name: "Stories", dependencies: ["Turnstile", "StateMachines"],
            path: "Tests/Shared/Stories", swiftSettings: strict),
        // A day at the gate, told on this machine and, by `.ci/embedded`, on another.
        .target(
            name: "PortableStory", dependencies: ["Turnstile", "StateMachines"],
            path: "Tests/Shared/PortableStory", swiftSettings: strict),
        .executableTarget(
            name: "portable-story", dependencies: ["PortableStory"],
            path: "Tests/Tools/portable-story", swiftSettings: strict),
        tests(
            "TurnstileTests", in: "Suites/Gate",
            [
                "GateCharts", "SecondOpinion", "Seeds", "Stories", "Controller", "Journal",
                "Keeping", "Turnstile", "Exploration", "StateMachines",
            ],
            besides: [
                "Vocabulary/version-1", "Vocabulary/version-2", "Vocabulary/version-3",
                "Vocabulary/state-13",
            ]),

        // What both line banks promise: a library, so that the virtual board can run it as well.
        .target(
            name: "BankContract", dependencies: ["Hardware", "Turnstile", "StateMachines"],
            path: "Tests/Shared/BankContract", swiftSettings: strict),
        .executableTarget(
            name: "bank-contract",
            dependencies: [
                "BankContract", "GPIOHardware", "Hardware", "Turnstile", "StateMachines",
            ],
            path: "Tests/Board/bank-contract", swiftSettings: strict),
        tests(
            "GPIOHardwareTests", in: "Suites/Service",
            ["GPIOHardware", "CGPIO", "Hardware", "Turnstile", "StateMachines"]),
        // Sees what is made durable, between the program and the system's calls.
        .target(
            name: "SyncWitness", path: "Tests/Shared/SyncWitness",
            cSettings: [
                .treatAllWarnings(as: .error), .enableWarning("all"), .enableWarning("extra"),
            ]),
        .target(
            name: "Durability", dependencies: ["SyncWitness"], path: "Tests/Shared/Durability",
            swiftSettings: strict),
        // A disk that fails when it is told to, between SQLite and the system's files.
        .target(
            name: "FaultDisk", dependencies: ["CSQLite"], path: "Tests/Shared/FaultDisk",
            cSettings: [
                .treatAllWarnings(as: .error), .enableWarning("all"), .enableWarning("extra"),
            ]),
        tests(
            "LedgerTests", in: "Suites/Service/Storage",
            [
                "Durability", "FaultDisk", "Ledger", "Keeping", "System", "Turnstile",
                "StateMachines", "CLinux",
            ],
            besides: ["Fixtures"]),
        tests(
            "DoctorTests", in: "Suites/Tools",
            [
                "Doctor", "GPIOHardware", "Settings", "Ledger", "System", "Hardware", "Turnstile",
                "StateMachines",
            ], besides: ["golden"]),
        tests(
            "AuditTests", in: "Suites/Tools",
            [
                "turnstilectl", "Audit", "Console", "Drawing", "Seeds", "Ledger", "Keeping",
                "System", "Turnstile", "StateMachines",
            ], besides: ["golden"]),
        tests(
            "TraceExportTests", in: "Suites/Tools",
            [
                "TraceExport", "Trace", "Controller", "SimulatedHardware", "TestSupport", "System",
                "Hardware", "Turnstile", "StateMachines",
            ]),
        tests(
            "RetentionTests", in: "Suites/Service/Storage",
            [
                "Durability", "Retention", "Stories", "Keeping", "System", "Turnstile",
                "StateMachines",
            ]),
        tests(
            "SettingsTests", in: "Suites/Service",
            ["Documents", "Settings", "Seeds", "System", "Hardware", "Turnstile"]),
        // A message bus of a test's own.
        .target(name: "PrivateBus", path: "Tests/Shared/PrivateBus", swiftSettings: strict),
        // What tests of the system share: a pipe, a socket that receives, a folder, programs.
        .target(
            name: "SystemFixtures", dependencies: ["Checkout", "System"],
            path: "Tests/Shared/SystemFixtures", swiftSettings: strict),
        tests(
            "JournalTests", in: "Suites/Service/Storage",
            [
                "SystemFixtures", "SourceCases", "Journal", "Keeping", "System", "Turnstile",
                "StateMachines",
            ], besides: ["published"]),
        tests("KeepingTests", in: "Suites/Service/Storage", ["Keeping", "StateMachines"]),
        tests(
            "SystemTests", in: "Suites/Service",
            ["PrivateBus", "SystemFixtures", "System", "TestSupport", "StateMachines"]),

        // What `make fuzz` feeds with anything, by libFuzzer; and the same targets, fed with what
        // that is made of.
        .executableTarget(
            name: "fuzz", dependencies: fed, path: "Tests/Fuzz/Targets", swiftSettings: strict),
        .testTarget(
            name: "FuzzTests", dependencies: fed + ["Checkout"], path: "Tests/Fuzz",
            exclude: ["Seeds", "inputs"],
            swiftSettings: strict),

        // The service on a virtual board: Debian in QEMU with a simulated GPIO chip.
        .target(
            name: "VirtualBoard", dependencies: ["CrashImages", "Checkout"],
            path: "Tests/Board/VirtualBoard", swiftSettings: strict),
        tests(
            "BoardTests", in: "Board",
            [
                "Documents", "VirtualBoard", "CrashImages", "Seeds", "Ledger", "Retention",
                "Keeping", "System", "Turnstile", "StateMachines",
            ]),

        // What a loss of power may leave of a disk, by the log of its writes.
        .target(name: "CrashImages", path: "Tests/Shared/CrashImages", swiftSettings: strict),
        tests("CrashImagesTests", in: "Suites/Project", ["CrashImages", "Seeds"]),
    ]
)

// TURNSTILED_PARTS="SettingsTests LedgerTests" makes these targets the package, and what they are
// built of: whoever builds only part of it need not describe that again. Some exist only where they
// are named: `fuzz`, whose `main` is libFuzzer's, and the suites that nobody runs but optimised.
let apart: Set = ["fuzz", "SimulationTests", "StateSpaceTests"]
let named = (Context.environment["TURNSTILED_PARTS"] ?? "").split(separator: " ").map(String.init)
let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
var parts: Set<String> = []
var pending = named.isEmpty ? targets.keys.filter { !apart.contains($0) } : named
while let name = pending.popLast() {
    guard let target = targets[name] else {
        fatalError("TURNSTILED_PARTS: there is no target \(name) among \(targets.keys.sorted())")
    }
    guard parts.insert(name).inserted else { continue }
    for dependency in target.dependencies {
        switch dependency {
        case .targetItem(let name, _), .byNameItem(let name, _): pending.append(name)
        default: break
        }
    }
}
package.targets.removeAll { !parts.contains($0.name) }
package.products.removeAll { product in
    let made = (product as? Product.Library)?.targets ?? (product as? Product.Executable)?.targets
    return !parts.isSuperset(of: made ?? [])
}
