import Charts
import StateMachines

// Cases of SCION's test framework in the kit's words: rows that leave a parallel state, and rows
// that stay in one of its regions. Of two that leave the same states the earlier region's is taken.
extension Words {
    /// A state without states inside it, from which `t` leads elsewhere.
    private static func leaf(_ state: State, to target: State) -> ChartPart<Words> {
        Words.state(state) { when(.t).then(target) }
    }

    /// Where a row may lead: to four states outside the parallel one, or to two inside one.
    @ChartBuilder<Words> private static var outside: [ChartPart<Words>] {
        state(.a1)
        state(.a2)
        state(.a3)
        state(.a4)
    }
    private static var inside: ChartPart<Words> { region(.a, .a1, .a2, on: nil) }

    /// A chart that begins in parallel regions `b`.
    private static func interrupt(
        _ number: String, starts start: String, _ end: String, to others: [ChartPart<Words>]? = nil,
        row target: State? = nil, @ChartBuilder<Words> _ regions: () -> [ChartPart<Words>]
    ) -> Case {
        Case("parallel+interrupt \(number)", starts: start, [.t: end]) {
            initial(.b)
            parallel(.b) {
                if let target { when(.t).then(target) }
                regions()
            }
            others ?? outside
        }
    }

    static let scionInterrupts = cases {
        interrupt("0", starts: "b c d", "a1") {
            leaf(.c, to: .a1)
            leaf(.d, to: .a2)
        }
        interrupt("1", starts: "b c c1 d d1", "b c c2 d d1") {
            region(.c, .c1, .c2)
            state(.d) { leaf(.d1, to: .a1) }
        }
        interrupt("2", starts: "b c c1 d d1", "a1") {
            state(.c) {
                initial(.c1)
                leaf(.c1, to: .a1)
                state(.c2)
            }
            region(.d, .d1, .d2)
        }
        interrupt("3", starts: "b c e f d", "a1") {
            parallel(.c) {
                leaf(.e, to: .a1)
                leaf(.f, to: .a2)
                when(.t).then(.a3)
            }
            leaf(.d, to: .a4)
        }
        interrupt("4", starts: "b p e f d g", "a1") {
            parallel(.p) {
                leaf(.e, to: .a1)
                leaf(.f, to: .a2)
                when(.t).then(.a3)
            }
            region(.d, .g, .h)
        }
        interrupt("5", starts: "b d g p e f", "b d h p e f") {
            region(.d, .g, .h)
            parallel(.p) {
                leaf(.e, to: .a1)
                leaf(.f, to: .a2)
                when(.t).then(.a3)
            }
        }
        interrupt("6", starts: "b c g d e e1 f f1", "b c h d e e2 f f2") {
            region(.c, .g, .h)
            parallel(.d) {
                region(.e, .e1, .e2)
                region(.f, .f1, .f2)
            }
        }
        interrupt("7", starts: "b c d e e1 f f1", "a1") {
            leaf(.c, to: .a1)
            parallel(.d) {
                region(.e, .e1, .e2)
                region(.f, .f1, .f2)
            }
        }
        interrupt("7b", starts: "b c d e e1 f f1", "b c d e e2 f f2") {
            parallel(.d) {
                region(.e, .e1, .e2)
                region(.f, .f1, .f2)
            }
            leaf(.c, to: .a1)
        }
        for (number, ends, rows) in [
            ("8", "a c c1 c2", [State.b: State.c]), ("9", "a c c1 c2", [.b1: .c]),
            ("10", "a c c1 c2", [.a: .c]), ("11", "d", [.b1: .d, .b2: .c]),
            ("12", "a c c1 c2", [.b1: .c, .b2: .d]), ("13", "a c c1 c2", [.b1: .c, .b: .d]),
        ] {
            // Two parallel states, of which one is left for the other or for a state outside.
            Case("parallel+interrupt \(number)", starts: "a b b1 b2", [.t: ends]) {
                initial(.a)
                state(.a) {
                    initial(.b)
                    if let target = rows[.a] { when(.t).then(target) }
                    parallel(.b) {
                        if let target = rows[.b] { when(.t).then(target) }
                        state(.b1) { if let target = rows[.b1] { when(.t).then(target) } }
                        state(.b2) { if let target = rows[.b2] { when(.t).then(target) } }
                    }
                    parallel(.c) {
                        state(.c1)
                        state(.c2)
                    }
                }
                state(.d)
            }
        }
        Case("parallel+interrupt 14", starts: "a b c d e i i1 j h g f f1 k", [.t: "l"]) {
            initial(.a)
            nested {
                when(.t).then(.l)
            } other: {
                when(.t).then(.f2)
            }
            state(.l)
        }
        Case(
            "parallel+interrupt 15", starts: "a b c d e i i1 j h g f f1 k",
            [.t: "a b c d e i i2 j h g f f1 k"]
        ) {
            initial(.a)
            nested {
                when(.t).then(.i2)
            } other: {
                when(.t).then(.l)
            }
            state(.l)
        }
        interrupt("16", starts: "b c d", "a a1", to: [inside]) {
            leaf(.c, to: .a)
            leaf(.d, to: .a2)
        }
        interrupt("17", starts: "b c d", "a a2", to: [inside]) {
            leaf(.c, to: .a2)
            leaf(.d, to: .a)
        }
        for number in ["18", "23"] {
            interrupt(number, starts: "b c d", "a2", row: .a1) {
                state(.c)
                leaf(.d, to: .a2)
            }
        }
        for number in ["19", "22", "24", "27"] {
            interrupt(number, starts: "b c c1 d d1", "b c c2 d d2", row: .a1) {
                region(.c, .c1, .c2)
                region(.d, .d1, .d2)
            }
        }
        for number in ["20", "25"] {
            interrupt(number, starts: "b c c1 d", "b c c2 d", row: .a2) {
                region(.c, .c1, .c2)
                leaf(.d, to: .a1)
            }
        }
        for number in ["21", "21b"] {
            interrupt(number, starts: "b c d d1", "a1", row: .a2) {
                leaf(.c, to: .a1)
                region(.d, .d1, .d2)
            }
        }
        interrupt("21c", starts: "b c d d1", "b c d d2", row: .a2) {
            region(.d, .d1, .d2)
            leaf(.c, to: .a1)
        }
        interrupt("28", starts: "b c d", "a a2", to: [inside], row: .a) {
            state(.c)
            leaf(.d, to: .a2)
        }
        interrupt("29", starts: "b c d", "a a1", to: [inside], row: .a2) {
            state(.c)
            leaf(.d, to: .a)
        }
        interrupt("30", starts: "b c c1 d", "b c c2 d", to: [inside], row: .a2) {
            region(.c, .c1, .c2)
            leaf(.d, to: .a)
        }
        interrupt("31", starts: "b c c1 d d1", "a a1", to: [inside], row: .a2) {
            state(.c) { leaf(.c1, to: .a) }
            region(.d, .d1, .d2)
        }
    }
}
