import Foundation
import Testing

/// What the kit's types rule out does not compile, for the reason stated.
///
/// Each line of the sample that ends in `// error: TEXT` has to be an error that says TEXT, and no
/// other line may be one.
@Suite struct MustNotCompileTests {
    static let sample = """
        import Routing
        import StateMachines

        enum State: UInt8, Enumerated { case locked, unlocked }
        enum Event: UInt8, Enumerated { case coin, pass }
        enum Command { case lock, unlock }
        enum A: Predicate { case x, y }
        enum B: Predicate { case x, y }

        enum Plain: TableSyntax {
            typealias State = Main.State
            typealias Event = Main.Event
            typealias Command = Main.Command

            static func good() throws {
                _ = try Table<Self>(initial: .locked) {
                    define(.locked) {
                        when(.coin) { matching(A.x).then(.unlocked) }
                        then(.locked) { when(.pass) { matching(A.x) } }
                    }
                }
            }
            static func twoEvents() {
                _ = define(.locked) {
                    when(.coin) {
                        when(.pass).then(.locked) // error: 'Row<Plain, Eventless>'
                    }
                }
            }
            static func eventsInEvents() {
                _ = define(.locked) {
                    when(.coin) {
                        when(.pass) { matching(A.x).then(.locked) } // error: Eventless
                    }
                }
            }
            static func eventsInMatchingInEvents() {
                _ = define(.locked) {
                    when(.coin) {
                        matching(A.x) { when(.pass).then(.locked) } // error:
                    }
                }
            }
            static func targetsInTargets() {
                _ = define(.locked) {
                    then(.unlocked) {
                        then(.locked) { when(.coin) } // error: 'Block<Plain, Targetless>'
                    }
                }
            }
            static func targetsInMatchingInTargets() {
                _ = define(.locked) {
                    then(.unlocked) {
                        matching(A.x) { when(.coin).then(.locked) } // error:
                    }
                }
            }
            static func targetAfterMatchingInTargets() {
                _ = define(.locked) {
                    then(.unlocked) {
                        matching(A.x).then(.locked) // error: 'Row<Plain, Targetless>'
                    }
                }
            }
            static func choice(_ isStrict: Bool) {
                _ = define(.locked) {
                    if isStrict { // error: control flow
                        when(.pass).then(.unlocked)
                    }
                }
            }
            static func targetAlone() {
                _ = define(.locked) {
                    then(.locked).commands(.lock) // error: missing argument
                }
            }
            static func blockAfterCommands() {
                _ = define(.locked) {
                    when(.coin).then(.unlocked).commands(.lock) { } // error:
                }
            }
            static func unknownCommand() throws {
                _ = try Table<Self>(initial: .locked) {
                    let resettable = superState { when(.pass).then(.locked) }
                    define(.locked, adopts: resettable, onExit: [dodo]) // error: cannot find
                }
            }
            static func laterRows(of table: Table<Self>) {
                table.define(.locked) { when(.coin).then() } // error: no member 'define'
            }
            static func twoEventsAcrossABlock() {
                _ = define(.locked) {
                    when(.coin) {
                        matching(A.x).when(.pass).then(.locked) // error: 'Row<Plain, Eventless>'
                    }
                }
            }
            static func twoTargets() {
                _ = define(.locked) {
                    then(.unlocked) {
                        when(.coin).then(.locked) // error: 'Row<Plain, Targetless>'
                    }
                }
            }
            static func targetsWithoutPredicates() {
                _ = define(.locked) {
                    when(.coin) {
                        then(.unlocked).commands(.lock) // error: missing argument
                    }
                }
            }
            static func blockAfterRow() {
                _ = define(.locked) {
                    when(.coin).then(.unlocked) { } // error:
                }
            }
            static func blockAfterMatching() {
                _ = define(.locked) {
                    matching(A.x).when(.coin) { } // error: does not accept a closure
                }
            }
            static func wrongOrder() {
                _ = define(.locked) {
                    when(.coin).matching(A.x).then(.unlocked) // error: has no member 'matching'
                }
            }
            static func noTarget() {
                _ = define(.locked) {
                    when(.coin).commands(.lock) // error: 'Row<Plain, Complete>'
                }
            }
            static func orAcrossTypes() {
                _ = matching(A.x, or: B.x) // error: conflicting arguments
            }
            static func blockWithoutState() throws {
                _ = try Table<Self>(initial: .locked) {
                    commands(.lock) { } // error:
                }
            }
            static func foreignCommand() {
                _ = when(.coin).then(.unlocked).commands("open") // error: of type 'String'
            }
            static func secondBuild(of table: Table<Self>) {
                table.initial = .unlocked // error: 'initial' is a 'let' constant
            }
        }

        enum WithPredicates: TableSyntax {
            typealias State = Main.State
            typealias Event = Main.Event
            typealias Command = Main.Command
            typealias Predicates = Both<A, B>

            static func missing(_ table: Table<Self>, _ state: inout State) {
                _ = table.handle(.coin, A.x, in: &state) // error: of type 'A'
            }
            static func allMissing(_ table: Table<Self>, _ state: inout State) {
                _ = table.handle(.coin, in: &state) // error: requires the types
            }
            static func superfluous(_ table: Table<Self>, _ state: inout State) {
                let facts = Both(A.x, Both(B.x, B.y))
                _ = table.handle(.coin, facts, in: &state) // error: cannot convert
            }
        }

        enum Toggle: StateMachine {
            case on, off
            mutating func handle(_ event: Event) -> Outcome<Command> { .handled }
        }
        func asking(_ toggle: Toggle) {
            toggle.handle(.coin) // error: cannot use mutating member
        }
        func regions() {
            struct Other: StateMachine {
                mutating func handle(_ event: Int) -> Outcome<Command> { .handled }
            }
            _ = Regions(Toggle.on, Other()) // error: requires the types
        }
        extension Toggle: TimedMachine { // error: does not conform to protocol 'TimedMachine'
            var deadline: Int? { nil }
        }
        extension Toggle: EntryExitMachine { // error: does not conform to protocol
            var entryCommands: [Command] { [] }
            var exitCommands: Commands<Command> { [] }
        }
        extension Toggle: SelectiveMachine { // error: does not conform to protocol
            var listens: [Event] { [] }
        }
        struct Waiting: TimedMachine {
            let deadline: Instant? = nil
            mutating func handle(_ event: Event) -> Outcome<Command> { .handled }
        }
        enum Deaf: StateMachine {
            case off, on(Waiting)
            mutating func handle(_ event: Event) -> Outcome<Command> {
                guard case .on(let inner) = self else { return .unhandled }
                return forward(event, to: inner, in: Self.on) // error: has to be a TimedMachine
            }
        }
        func waits() {
            _ = Regions(Waiting(), Waiting()).deadline
            _ = Regions(Waiting(), Deaf.off).deadline // error: requires that 'Deaf' conform to
        }
        struct Known<Now>: ~Copyable {}
        extension Known where Now == Int {
            consuming func coin() -> Known<Bool> { Known<Bool>() }
        }
        func typestates() {
            let open = Known<Int>().coin()
            _ = open.coin() // error: requires the types
        }
        func chains(_ routes: inout Routes<State, Event, Never>) {
            routes.addChain(.locked) // error: missing argument
            _ = RouteChain<State, Event, Never>(.locked) // error: missing argument
            routes.add(on: [.coin], from: [.locked], to: .unlocked) // error: can throw
        }
        """

    /// What is found behind the types alone, so that no type may be wrong here.
    static let consumed = """
        struct Known<Now>: ~Copyable {
            consuming func step() -> Known<Bool> { Known<Bool>() }
        }
        func twice() {
            let gate = Known<Int>() // error: consumed more than once
            _ = gate.step()
            _ = gate.step()
        }
        """

    @Test(arguments: [(sample, ["-typecheck"]), (consumed, ["-emit-sil", "-o", "/dev/null"])])
    func `what the types rule out does not compile`(sample: String, stage: [String]) throws {
        let errors = try Self.errors(in: sample, by: stage)
        var unexpected = errors
        for (place, line) in sample.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            let parts = line.components(separatedBy: "// error:")
            guard parts.count == 2 else { continue }
            let text = parts[1].trimmingCharacters(in: .whitespaces)
            let messages = unexpected.removeValue(forKey: place + 1) ?? []
            #expect(
                messages.contains { text.isEmpty || $0.contains(text) },
                "line \(place + 1), \(line): \(messages)")
        }
        #expect(unexpected.isEmpty)
    }

    /// The compiler's errors about a source that imports the kit, by line.
    static func errors(in source: String, by stage: [String]) throws -> [Int: [String]] {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("must-not-compile-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("Sample.swift")
        try source.write(to: file, atomically: true, encoding: .utf8)

        let products = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent()
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        compiler.arguments =
            ["swiftc"] + stage + [
                "-swift-version", "6", "-parse-as-library", "-module-name", "Main", "-I",
                products.appendingPathComponent("Modules").path, "-diagnostic-style", "llvm",
                file.path,
            ]
        let pipe = Pipe()
        compiler.standardError = pipe
        try compiler.run()
        let output = String(
            decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        compiler.waitUntilExit()

        var errors: [Int: [String]] = [:]
        for line in output.split(separator: "\n") {
            guard let mark = line.range(of: ": error: ") else { continue }
            let place = line[..<mark.lowerBound].split(separator: ":")
            let number = place.count >= 2 ? Int(place[place.count - 2]) ?? 0 : 0
            errors[number, default: []].append(String(line[mark.upperBound...]))
        }
        return errors
    }
}
