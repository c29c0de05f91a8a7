import BusInterface
import StateMachines
import System
import Testing
import Turnstile

@testable import GateClient

/// The gate in numbers, as Prometheus reads them.
@Suite struct MetricsTests {
    /// The properties of a gate that takes coins, with these things of its own.
    private static func state(
        _ report: StatusReport = serving, gate: String = "north",
        registers: [(String, Int64)] = [], collected: [(String, Int64)] = []
    ) throws -> GateState {
        func counts(_ counts: [(String, Int64)]) -> BusValue {
            .dictionary(of: "x", counts.map { ($0.0, .int64($0.1)) })
        }
        let told = report.fields
        return try GateState(
            Shape(of: StatusReport.self).forms[0].fields.map { field in
                (
                    GateProperty(field).name,
                    told[field.name].map { BusValue($0, as: field.type) } ?? .dictionary([])
                )
            } + [
                ("Levels", .dictionary(of: "b", [("fire", .boolean(false))])),
                ("Registers", counts(registers)), ("Collected", counts(collected)),
                ("Edges", .dictionary(of: "t", [("fire", .uint64(2)), ("alarm", .uint64(1))])),
                ("Gate", .string(gate)), ("Version", .string("1.2.3")),
                ("SettingsPath", .string("/gate.yaml")), ("SettingsDigest", .string("5f2b")),
                ("Now", .uint64(7)),
            ])
    }

    private static let serving: StatusReport = {
        var turnstile = Turnstile(policy: Policy(price: 100, coinUnit: 50), equipment: .oneWay)
        _ = turnstile.handle(Event(.started([]), at: .zero))
        return turnstile.report()
    }()

    /// A line of the format with a number: its name, its labels and the number.
    private static var sample: Regex<(Substring, Substring, Substring?, Substring)> {
        #/
        ([a-zA-Z_:][a-zA-Z0-9_:]*)
        (\{
            [a-zA-Z_][a-zA-Z0-9_]* = " (?: [^"\\\n] | \\[\\"n] )* "
            (?: , [a-zA-Z_][a-zA-Z0-9_]* = " (?: [^"\\\n] | \\[\\"n] )* " )*
        \})?
        \x20 (-?[0-9]+)
        /#
    }

    /// What is wrong with a text of the format; nil for nothing.
    private static func flaw(in text: String) throws -> String? {
        guard text.hasSuffix("\n") else { return "the last line has no end" }
        var (family, type, names, seen) = ("", "", Set<String>(), Set<Substring>())
        for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
            let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
            if line.hasPrefix("# HELP ") {
                guard words.count == 4, !words[3].isEmpty else { return "no help: \(line)" }
                family = String(words[2])
                type = ""
                if !names.insert(family).inserted { return "twice: \(line)" }
            } else if line.hasPrefix("# TYPE ") {
                type = words.count == 4 ? String(words[3]) : ""
                let isTotal = family.hasSuffix("_total")
                guard words.count == 4, words[2] == family,
                    isTotal ? type == "counter" : type == "gauge"
                else { return "no type: \(line)" }
            } else {
                guard let found = try sample.wholeMatch(in: line), found.1 == family, type != ""
                else { return "no sample of \(family): \(line)" }
                if !seen.insert(line[..<found.3.startIndex]).inserted { return "twice: \(line)" }
            }
        }
        return nil
    }

    @Test func `a gate in service is told in the format of Prometheus`() throws {
        let text = GateMetrics(
            try Self.state(
                registers: [
                    ("starts", 3), ("value_in", 450), ("refunded", 50), ("credit_held", 100),
                    ("passages_entry_paid", 2), ("passages_exit_free", 1), ("releases_entry", 3),
                    ("accepted_coin_pulse_50", 3), ("accepted_coin_pulse_100", 2),
                    ("late_coin_pulse_50", 1), ("rejected_coin_pulse_50", 1),
                    ("unknown_trains_coin_pulse", 4), ("noise_pulses_coin_pulse_2", 0),
                    ("fault_F7", 2), ("alarm_A3", 5), ("what_comes_later", 1),
                ],
                collected: [
                    ("value_in", 150), ("refunded", 50), ("accepted_coin_pulse_50", 1),
                    ("late_coin_pulse_50", 1), ("rejected_coin_pulse_50", 1),
                ])
        ).text
        #expect(try Self.flaw(in: text) == nil, "\(text)")
        for line in [
            #"turnstile_info{gate="north",version="1.2.3",settings="5f2b"} 1"#, "turnstile_up 1",
            "turnstile_in_service 1", #"turnstile_state{state="locked"} 1"#,
            #"turnstile_state{state="emergency"} 0"#, "turnstile_starts_total 3",
            #"turnstile_passages_total{direction="entry",kind="paid"} 2"#,
            #"turnstile_passages_total{direction="exit",kind="free"} 1"#,
            #"turnstile_releases_total{direction="entry"} 3"#,
            #"turnstile_coins_total{acceptor="coin_pulse",result="accepted"} 5"#,
            #"turnstile_coins_total{acceptor="coin_pulse",result="inhibited"} 0"#,
            #"turnstile_coins_total{acceptor="coin_pulse",result="unknown"} 4"#,
            #"turnstile_noise_pulses_total{acceptor="coin_pulse"} 0"#,
            "turnstile_money_in_total 450", "turnstile_money_refunded_total 50",
            "turnstile_money_held 100", "turnstile_vault_expected 100", "turnstile_vault_coins 2",
            #"turnstile_faults_total{code="F7"} 2"#, #"turnstile_alarms_total{code="A3"} 5"#,
            #"turnstile_edges_total{line="alarm"} 1"#, "turnstile_authorisations_limit 3",
        ] {
            #expect("\n\(text)".contains("\n\(line)\n"), "\(line)\n\(text)")
        }
        #expect(!text.contains("coin_pulse_2") && !text.contains("later"))
    }

    @Test func `faults and alarms are told while they are up, with their lines`() throws {
        var turnstile = Turnstile(policy: Policy(price: 100, coinUnit: 50), equipment: .oneWay)
        _ = turnstile.handle(Event(.started([]), at: .zero))
        for kind in [
            Event.Kind.lineFailed(.input(.rotorA), .unreadable),
            .changed(.externalFault, isActive: true),
        ] {
            _ = turnstile.handle(Event(kind, at: .zero + .seconds(1)))
        }
        let text = GateMetrics(try Self.state(turnstile.report())).text
        #expect(try Self.flaw(in: text) == nil, "\(text)")
        for line in [
            #"turnstile_fault{code="F1"} 1"#, #"turnstile_fault{code="F15",line="rotor_a"} 1"#,
            "turnstile_in_service 0", #"turnstile_state{state="out_of_service"} 1"#,
        ] {
            #expect("\n\(text)".contains("\n\(line)\n"), "\(line)\n\(text)")
        }
        #expect(!text.contains("turnstile_alarm{"))
    }

    @Test func `a name ends neither its label nor its line`() throws {
        let text = GateMetrics(try Self.state(gate: "a\"b\\c\nd\u{301}")).text
        #expect(try Self.flaw(in: text) == nil, "\(text)")
        #expect(text.contains(#"{gate="a\"b\\c\nd\#u{301}","#))
    }

    @Test func `of a gate that does not answer nothing is told but that`() throws {
        let text = GateMetrics.absent.text
        #expect(try Self.flaw(in: text) == nil)
        #expect(text.split(separator: "\n").last == "turnstile_up 0")
        #expect(text.split(separator: "\n").count == 3)
    }
}
