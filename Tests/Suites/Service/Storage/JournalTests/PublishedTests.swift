import Foundation
import Journal
import SourceCases
import Testing

@testable import Turnstile

/// The file `published` beside this one holds what gates that stand somewhere have written down.
@Suite struct PublishedTests {
    private static let file = URL(filePath: #filePath).appending(path: "../published").standardized

    /// The lines of the file.
    private static func published() throws -> Set<String> {
        let text = try String(contentsOf: file, encoding: .utf8)
        return Set(text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") })
    }

    /// The same of what there is now.
    private static var current: Set<String> {
        var lines = Alarm.allCases.map { "code \($0.code) \($0.name)" }
        lines += Fault.all.map { "code \($0.code) \($0.name)" }
        lines += Input.allCases.map { "line \($0.name)" }
        lines += Output.allCases.map { "line \($0.name)" }
        lines += EntryKind.all.map { "kind \($0.event) \($0.id)" }
        lines += EntryTests.fieldNames.map { "field \($0)" }
        lines += Direction.allCases.map { "word direction \($0.rawValue)" }
        lines += Mode.allCases.map { "word mode \($0.rawValue)" }
        lines += Enforcement.allCases.map { "word enforcement \($0.rawValue)" }
        lines += PassageKind.allCases.map { "word passage \($0.rawValue)" }
        lines += Request.Kind.allCases.map { "word request \($0.rawValue)" }
        lines += Shape(of: RetainedState.self).forms[0].fields.map {
            "word retained \($0.name.rawValue)"
        }
        lines += Refusal.allCases.map { "word refusal \($0.rawValue)" }
        lines += CoinRefusal.samples.map { "word coin_refusal \($0.name)" }
        lines += Register.samples.map { "word register \($0.name)" }
        return Set(lines)
    }

    @Test func `what was published is as it was`() throws {
        for line in try Self.published().subtracting(Self.current).sorted() {
            Issue.record("'\(line)' was published, and is gone or has changed: put it back")
        }
    }

    @Test func `what is new is noted for ever`() throws {
        for line in try Self.current.subtracting(Self.published()).sorted() {
            Issue.record("'\(line)' is new: add the line to JournalTests/published")
        }
    }

    @Test func `every case of a register or a reason has a form`() {
        for register in Register.samples {
            #expect(Register.forms.map(\.name).contains(register.name))
        }
        for refusal in CoinRefusal.samples {
            #expect(CoinRefusal.forms.map(\.name).contains(refusal.name))
        }
    }

    /// A sample that leads to none of the rest compiles.
    @Test func `the samples have every register and every reason to refuse coins`() throws {
        #expect(
            try Set(Register.samples.map { SourceCases.name(of: $0) })
                == SourceCases.names(of: "Register", in: "Sources/Gate/Turnstile/Register.swift"))
        #expect(
            try Set(CoinRefusal.samples.map { SourceCases.name(of: $0) }).union(["fault"])
                == SourceCases.names(
                    of: "CoinRefusal", in: "Sources/Gate/Turnstile/Catalogue/RecordParts.swift"))
    }

    @Test func `every fault has its place in the list of all`() throws {
        #expect(
            try Set(Fault.all.map { SourceCases.name(of: $0) })
                == SourceCases.names(
                    of: "Fault", in: "Sources/Gate/Turnstile/Catalogue/Faults.swift"))
    }

    @Test func `every register is found by its name`() {
        let all =
            Register.samples + Fault.all.map { .faults($0) } + Alarm.allCases.map { .alarms($0) }
        for register in all {
            #expect(Register(name: register.name) == register, "\(register.name): Register.forms")
        }
    }
}

extension CoinRefusal {
    /// One of every case but that of a fault, which has the fault's name.
    fileprivate static let samples = Array(
        sequence(first: CoinRefusal.ledgerAwaited, next: \.successor))

    /// The sample of the case after this one's. A new case does not compile until it is here.
    private var successor: CoinRefusal? {
        switch self {
        case .fault: nil
        case .ledgerAwaited: .entryLocked
        case .entryLocked: .storeFull
        case .storeFull: .released
        case .released: .serviceAwaited
        case .serviceAwaited: nil
        }
    }
}

extension Register {
    /// One of every case, and of every fate of a coin.
    fileprivate static let samples = Array(sequence(first: Register.starts, next: \.successor))

    /// The sample after this one. A new case does not compile until it is here.
    private var successor: Register? {
        let coin = Coin(.first, pulses: 0, value: 0)
        return switch self {
        case .starts: .faresUsed
        case .faresUsed: .fareInUse
        case .fareInUse: .expired
        case .expired: .forfeited
        case .forfeited: .creditHeld
        case .creditHeld: .creditAtBeginning
        case .creditAtBeginning: .coins(.accepted, coin)
        case .coins(.accepted, _): .coins(.late, coin)
        case .coins(.late, _): .coins(.inhibited, coin)
        case .coins(.inhibited, _): .coins(.rejected, coin)
        case .coins(.rejected, _): .unknownTrains(.first)
        case .unknownTrains: .noisePulses(.first)
        case .noisePulses: .coinsInDoubt
        case .coinsInDoubt: .passagesInDoubt
        case .passagesInDoubt: .passagesMade
        case .passagesMade: .passages(Register.PassageCategory(.entry, .paid))
        case .passages: .releases(.entry)
        case .releases: .alarms(.forcedPassage)
        case .alarms: .faults(.external)
        case .faults: nil
        }
    }
}
