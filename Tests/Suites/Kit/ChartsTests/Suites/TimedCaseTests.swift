import Charts
import StateMachines
import Testing

/// Cases of both suites in which time passes.
@Suite struct TimedCaseTests {
    enum Words: ChartSyntax {
        enum State: UInt8, Enumerated { case a, b, c, d, pass, fail }
        struct Event: TimedEvent {
            enum Kind: UInt8, Enumerated { case t1, t2, timePassed }
            let kind: Kind
            let instant: Instant
            static var timePassed: Kind { .timePassed }
        }
        typealias Command = String
        static func command(for loss: ChartLoss<Event>) -> String? { "lost" }
    }

    static let names = [
        "W3C 187", "W3C 185", "W3C 208", "delayedSend 1", "delayedSend 2", "delayedSend 3",
    ]

    private func machine(
        @ChartBuilder<Words> _ parts: () -> [ChartPart<Words>]
    ) throws -> ChartMachine<Words> {
        try Chart<Words>(tolerating: .everything, parts).start(at: .zero).machine
    }

    private func event(_ kind: Words.Event.Kind, _ milliseconds: Int) -> Words.Event {
        Words.Event(kind: kind, instant: .zero + .milliseconds(milliseconds))
    }

    // What a state waits for ends with the state: in the report, the sending session.
    @Test func `W3C 187 and 208: what is due in a state that is left is not due any more`() throws {
        var machine = try machine {
            Words.initial(.a)
            Words.state(.a) {
                Words.after(.milliseconds(500)).then(.fail)
                Words.when(.t1).then(.b)
            }
            Words.state(.b) { Words.after(.milliseconds(1_000)).then(.pass) }
            Words.final(.pass)
            Words.final(.fail)
        }
        #expect(machine.deadline == .zero + .milliseconds(500))
        #expect(machine.handle(event(.t1, 499)) == .handled)
        #expect(machine.deadline == .zero + .milliseconds(1_499))
        #expect(machine.handle(event(.timePassed, 1_498)) == .ignored("no timeout is due"))
        #expect(machine.handle(event(.timePassed, 1_499)) == .handled)
        #expect(machine.active == [.pass] && machine.deadline == nil)
    }

    @Test func `W3C 185: what is due comes when it is due, and not in the order of writing`() throws
    {
        var machine = try machine {
            Words.initial(.a)
            Words.state(.a) {
                Words.after(.milliseconds(1_000)).commands("second")
                Words.after(.milliseconds(10)).commands("first")
            }
        }
        #expect(machine.handle(event(.timePassed, 2_000)).commands == ["first", "second"])
        #expect(machine.deadline == nil)
    }

    // It is sent on the way to `b`, and waited for there: what `b` waits for itself.
    @Test(arguments: ["delayedSend 1", "delayedSend 2", "delayedSend 3"])
    func `a delayed event comes by itself`(_ name: String) throws {
        var machine = try machine {
            Words.initial(.a)
            Words.state(.a) { Words.when(.t1).then(.b) }
            Words.state(.b) { Words.after(.milliseconds(10)).then(.c) }
            Words.state(.c) { Words.when(.t2).then(.d) }
            Words.state(.d)
        }
        #expect(machine.handle(event(.t1, 5)) == .handled)
        #expect(machine.active == [.b] && machine.deadline == .zero + .milliseconds(15))
        // The event that comes later finds the state that the timeout led to.
        #expect(machine.handle(event(.t2, 105)) == .handled)
        #expect(machine.active == [.d])
    }
}
