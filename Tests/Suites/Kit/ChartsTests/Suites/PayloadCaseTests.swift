import Charts
import StateMachines
import Testing

/// Cases of SCION's test framework in which events bring something along.
@Suite struct PayloadCaseTests {
    enum Words: ChartSyntax {
        enum State: UInt8, Enumerated { case a, b, c, d, fail }
        enum Event: Kinded, Sendable {
            case go
            case numbers(foo: Int, bar: Int)
            case text(String)
            enum Kind: UInt8, Enumerated { case go, numbers, text }
            var kind: Kind {
                switch self {
                case .go: .go
                case .numbers: .numbers
                case .text: .text
                }
            }
        }
        struct Context: Sendable {
            var foo = 1
            var bar = 2
        }
        typealias Command = String
        static func command(for loss: ChartLoss<Event>) -> String? { "lost" }

        static func isThree(_ situation: Situation<Words>) -> Bool {
            if case .numbers(let foo, let bar)? = situation.event { foo + bar == 3 } else { false }
        }
        static func isMore(_ situation: Situation<Words>) -> Bool {
            if case .text("more")? = situation.event { true } else { false }
        }
    }

    static let names = ["send-data 1", "send-internal 0"]

    @Test func `send-internal 0: a raised event brings along what was worked out`() throws {
        let chart = try Chart<Words>(tolerating: .everything) {
            Words.initial(.a)
            Words.state(.a) {
                Words.when(.go).then(.b).raise {
                    .numbers(foo: $0.context.foo, bar: $0.context.bar)
                }
            }
            Words.state(.b) {
                Words.when(.numbers).condition(Words.isThree).then(.c).raise(.text("more"))
                Words.when(.numbers).then(.fail)
            }
            Words.state(.c) {
                Words.when(.text).condition(Words.isMore).then(.d)
                Words.when(.text).then(.fail)
            }
            Words.state(.d)
            Words.state(.fail)
        }
        var (machine, _) = chart.start(context: Words.Context())
        #expect(machine.handle(.go) == .handled)
        #expect(machine.active == [.d])
    }

    @Test func `send-data 1: so does one from outside`() throws {
        let chart = try Chart<Words>(tolerating: .everything) {
            Words.initial(.a)
            Words.state(.a) {
                Words.when(.numbers).condition(Words.isThree).then(.b)
                Words.when(.numbers).then(.fail)
            }
            Words.state(.b) {
                Words.when(.text).commands {
                    if case .text(let text)? = $0.event { [text] } else { [] }
                }
            }
            Words.state(.fail)
        }
        var (machine, _) = chart.start(context: Words.Context())
        #expect(machine.handle(.numbers(foo: 1, bar: 2)) == .handled)
        #expect(machine.handle(.text("Hello")) == .handled("Hello"))
    }
}
