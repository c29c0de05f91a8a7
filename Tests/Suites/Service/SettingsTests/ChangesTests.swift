import Seeds
import Testing
import Turnstile

@testable import Settings

/// What two settings do not have in common is told key by key, as the file writes it.
@Suite struct ChangesTests {
    private func settings(_ sections: String) throws -> Settings {
        try Settings.parse(sections + "\n" + GoodFilesTests.shortest, file: "gate.yaml")
    }

    @Test func eachChangeHasItsKeyAndBothValues() throws {
        let old = try settings(
            """
            fare: {price: 150}
            passage: {credit_expiry: 60s, max_stored: 2}
            coin: {unit: 50}
            schedule: [{days: [mon, tue], from: 06:00, to: 09:30, exit: locked}]
            """)
        let new = try settings(
            """
            fare: {price: 200}
            passage: {overpay: forfeit, credit_expiry: 0s, max_stored: 2}
            coin: {values: {2: 100, 1: 50}}
            """)
        let schedule = "[{days: [mon, tue], from: 06:00, to: 09:30, exit: locked}]"
        #expect(
            new.changes(from: old) == [
                SettingsChange(key: "fare.price", old: "150", new: "200"),
                SettingsChange(key: "coin.values", old: nil, new: "{1: 50, 2: 100}"),
                SettingsChange(key: "passage.overpay", old: "retain", new: "forfeit"),
                SettingsChange(key: "passage.credit_expiry", old: "1min", new: "0ms"),
                SettingsChange(key: "coin.unit", old: "50", new: nil),
                SettingsChange(key: "schedule", old: schedule, new: nil),
            ])
    }

    @Test func whatIsStatedAsItIsByDefaultHasNotChanged() throws {
        let stated = try settings("passage: {pass_wait: 5000ms}\ngate: {name: turnstile}")
        #expect(try stated.changes(from: settings("")) == [])
    }

    /// What an acceptor takes over from the first one changes with it, where the acceptor is there.
    @Test func whatFollowsFromAChangeIsToldWhereItIsInUse() throws {
        func keys(_ wired: String) throws -> [String] {
            let roles = "\(wired)\n    fire:"
            func settings(_ unit: Int) throws -> Settings {
                try Settings.parse(
                    "fare: {price: 100}\ncoin: {unit: \(unit)}\n"
                        + GoodFilesTests.shortest.replacing("\n    fire:", with: roles)
                        + "\n    coin_inhibit: {line: 10}", file: "gate.yaml")
            }
            return try settings(20).changes(from: settings(10)).map(\.key)
        }
        #expect(try keys("\n    coin_pulse: {line: 7}") == ["coin.unit"])
        #expect(
            try keys("\n    coin_pulse: {line: 7}\n    coin_pulse_2: {line: 8}")
                == ["coin.unit", "coin.second.unit"])
    }

    @Test func whatNeedsARestartIsWiringLedgerAndName() {
        var random = SeededGenerator.announced()
        var outcomes: Set<Bool> = []
        for _ in 0..<500 {
            let (old, new) = (random.settings(), random.settings())
            // Two gates at random have hardly ever the same wiring.
            var mixed = random.oneIn(2) ? old : new
            mixed.policy = new.policy
            mixed.registerSnapshot = new.registerSnapshot
            if random.oneIn(4) { mixed.ledger = new.ledger }
            if random.oneIn(4) { mixed.ledgerLimits = new.ledgerLimits }
            if random.oneIn(4) { mixed.trace = new.trace }
            let needsRestart =
                mixed.wiring != old.wiring || mixed.gate != old.gate || mixed.ledger != old.ledger
                || mixed.ledgerLimits != old.ledgerLimits || mixed.trace != old.trace
            outcomes.insert(needsRestart)
            let told = mixed.changes(from: old).contains(where: \.needsRestart)
            #expect(told == needsRestart, "\(random)")
        }
        #expect(outcomes == [true, false])
    }

    @Test func everyKeyIsToldOfAndNoOther() {
        var keys: Set<String> = []
        func visit(_ entries: [SchemaEntry], in place: String) {
            for entry in entries {
                let place = place.isEmpty ? entry.name : "\(place).\(entry.name)"
                if case .section(let entries) = entry.form {
                    visit(entries, in: place)
                } else {
                    keys.insert(place)
                }
            }
        }
        visit(Schema.root.entries, in: "")

        var random = SeededGenerator.announced()
        var silent = keys
        var old = random.settings()
        // Some keys are seldom there; many times as many settings as it takes to meet them all.
        for _ in 0..<5000 where !silent.isEmpty {
            let new = random.settings()
            let told = Set(new.changes(from: old).map(\.key))
            #expect(told.subtracting(keys) == [] && new.changes(from: new) == [], "\(random)")
            silent.subtract(told)
            old = new
        }
        #expect(silent == [], "\(random)")
    }

    @Test func whatIsToldReadsAsItWas() throws {
        var random = SeededGenerator.announced()
        for _ in 0..<100 {
            let settings = random.settings()
            let text = Branch(Schema.root.values(of: Draft(settings), at: "")).text
            var read = try Settings.parse(text, file: "gate.yaml")
            read.warnings = []
            #expect(read == settings, "\(random)\n\(text)")
        }
    }
}

/// Values in the sections that they belong in.
private struct Branch {
    private var value: String?
    private var names: [String] = []
    private var branches: [String: Branch] = [:]

    private init() {}

    init(_ values: [WrittenValue]) {
        for value in values { put(value.text, at: value.place.split(separator: ".")[...]) }
    }

    private mutating func put(_ text: String, at place: ArraySlice<Substring>) {
        guard let name = place.first.map(String.init) else { return value = text }
        if branches[name] == nil { names.append(name) }
        branches[name, default: Branch()].put(text, at: place.dropFirst())
    }

    /// The file, in braces.
    var text: String {
        value ?? "{\(names.map { "\($0): \(branches[$0]!.text)" }.joined(separator: ", "))}"
    }
}
