import Charts
import StateMachines

/// The words of the cases of both suites.
enum Words: ChartSyntax {
    enum State: UInt8, Enumerated {
        case a, b, c, d, e, f, g, h, i, j, k, l
        case a1, a2, a3, a4, a11, a12, a21, a22, b1, b2, b3, b11, b12, b21, b22
        case c1, c2, c11, c12, c21, c22, d1, d2, e1, e2, f1, f2, g1, g2, g3, h1, i1, i2, j1, k1
        case p, q, p1, p2, p3, p4, pass, fail
    }
    enum Event: UInt8, Enumerated {
        case t, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, foo, bar, baz, bat
    }

    struct Context: Sendable {
        var x = 0
        var next = Event.foo
    }

    /// `+a`: a is entered; `-a`: a is left; `?foo`: foo was raised and not taken; `!foo`: foo was
    /// raised and not looked at any more.
    typealias Command = String
    static func command(for loss: ChartLoss<Event>) -> String? {
        switch loss {
        case .unhandled(let event): "?\(event)"
        case .dropped(let event): "!\(event)"
        case .endless: "endless"
        }
    }

    /// Says when the state round it is entered and left.
    @ChartBuilder<Words> static func loud(_ state: State) -> [ChartPart<Words>] {
        onEntry("+\(state)")
        onExit("-\(state)")
    }

    /// The two ends of most cases.
    @ChartBuilder<Words> static var ends: [ChartPart<Words>] {
        final(.pass)
        final(.fail)
    }

    /// Adds one to x.
    static let count: @Sendable (inout Context, Event?) -> Void = { context, _ in context.x += 1 }

    /// Whether x is this.
    static func x(_ value: Int) -> @Sendable (Situation<Words>) -> Bool {
        { $0.context.x == value }
    }
}
