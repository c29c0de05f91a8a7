import Checkout
import Controller
import Foundation
import SecondOpinion
import StateMachines
import Testing
import Turnstile

@testable import Trace

/// What `make fuzz` makes its traces of are traces of today.
///
/// `UPDATE_GENERATED=1 swift test --filter SeedTests` writes those anew that no longer are.
@Suite struct SeedTests {
    /// A file of `Tests/Fuzz/Seeds/trace`.
    struct Seed: CustomTestStringConvertible {
        var name: String
        /// What happened: which walk, and how long it is.
        var walk: UInt64, episodes: Int

        var testDescription: String { name }
    }

    private static let walks = [
        Seed(name: "morning", walk: 1, episodes: 9), Seed(name: "noon", walk: 2, episodes: 6),
        Seed(name: "evening", walk: 9, episodes: 8),
    ]

    private static let folder = Checkout.root.appending(path: "Tests/Fuzz/Seeds/trace")

    @Test(arguments: walks) func `a seed is read to its end, and replays`(seed: Seed) throws {
        let recording = try Self.recording(seed.name) {
            let lives = Walk(seed: seed.walk, episodes: seed.episodes).lives
            let life = try #require(lives.max { $0.events.count < $1.events.count })
            return FormatTests.bytes(of: Track(life, stateEvery: life.events.count / 2 + 1))
        }
        let result = Replay.run(recording)
        #expect(result.difference == nil)
        #expect(result.unknown == [])
        #expect(result.events >= 10)
    }

    @Test func `one of them has every word`() throws {
        let items = Self.words
        let recording = try Self.recording("words") {
            let disk = DiskInMemory()
            var writer = TraceWriter(in: disk, TraceLimits(), .ofTests(), clock: .ofTests)
            let gate = Turnstile(Beginning(policy: Policy(price: 100, coinUnit: 50)))
            writer.write([.state(gate, .blank, at: .zero)] + items)
            writer.finish()
            return disk.ordered.flatMap { $0 }
        }
        #expect(try recording.items() == items.compactMap { TraceItem($0) })
    }

    /// One of everything that a trace tells.
    private static var words: [TraceStep] {
        Event.Kind.forms.map { .event(Event($0, at: .zero + .seconds(1)), .handled) }
            + [.postponed(by: .seconds(2))]
            + ShellEvent.forms.map { .shell($0, at: .zero + .seconds(3)) }
            + ShellCommand.forms.map { .shellCommand($0) }
            + Command.forms.map { .command($0) } + Record.forms.map { .record($0) }
    }

    /// The seed of this name, which `make` makes where what there is cannot be read, or would go
    /// otherwise by now.
    private static func recording(
        _ name: String, _ make: () throws -> [UInt8]
    ) throws -> Recording {
        let file = folder.appending(path: name)
        if ProcessInfo.processInfo.environment["UPDATE_GENERATED"] != nil {
            let known = (try? Data(contentsOf: file)).map { Recording(files: [Array($0)]) }
            let items = try? known?.items()
            let isOther = known.map { Replay.run($0).difference != nil } ?? true
            let isStale =
                items.map { isOther || $0.isEmpty || $0.contains { $0.isUnknown } } ?? true
            if isStale { try Data(try make()).write(to: file) }
        }
        let bytes = Array(try Data(contentsOf: file))
        // An input of libFuzzer is no longer.
        #expect(bytes.count < 16_384)
        let recording = Recording(files: [bytes])
        #expect(recording.endings.isEmpty)
        return recording
    }
}

extension TraceItem {
    fileprivate var isUnknown: Bool {
        if case .unknown = self { true } else { false }
    }
}
