import Charts
import StateMachines

// Cases of SCION's test framework, by their folders and numbers, in the kit's words: history.
extension Words {
    /// Two levels of two states, left from the last of them.
    @ChartBuilder<Words>
    private static func levels(
        _ depth: ChartHistory, _ names: (State, State, State, State, State, State)
    ) -> [ChartPart<Words>] {
        initial(history: names.0 == .b1 ? .b : .c, depth)
        history(depth, initially: names.0)
        state(names.0) {
            initial(names.1)
            state(names.1) { when(.t2).then(names.2) }
            state(names.2) { when(.t3).then(names.3) }
        }
        state(names.3) {
            initial(names.4)
            state(names.4) { when(.t4, or: .t7).then(names.5) }
            state(names.5) { if names.0 == .b1 { when(.t5, or: .t8).then(.a) } }
        }
    }

    static let scionHistory = cases {
        Case("history 0", starts: "a", [.t1: "b b2", .t2: "b b3", .t3: "a", .t1: "b b3"]) {
            initial(.a)
            state(.a) { when(.t1).then(history: .b) }
            state(.b) {
                initial(.b1)
                history(initially: .b2)
                state(.b1)
                state(.b2) { when(.t2).then(.b3) }
                state(.b3) { when(.t3).then(.a) }
            }
        }
        for (name, depth, last) in [
            ("history 1", ChartHistory.deep, "b b1 b12"), ("history 2", .shallow, "b b1 b11"),
        ] {
            Case(
                name, starts: "a",
                [.t1: "b b1 b22", .t2: "b b1 b12", .t3: "a", .t1: last]
            ) {
                initial(.a)
                state(.a) { when(.t1).then(history: .b, depth) }
                state(.b) {
                    initial(.b1)
                    history(depth, initially: .b22)
                    state(.b1) {
                        initial(.b11)
                        state(.b11)
                        state(.b22) { when(.t2).then(.b12) }
                        state(.b12) { when(.t3).then(.a) }
                    }
                }
            }
        }
        Case(
            "history 3", starts: "a",
            [.t1: "p b b1 c c1", .t2: "p b b2 c c2", .t3: "a", .t4: "p b b2 c c2"]
        ) {
            initial(.a)
            state(.a) {
                when(.t1).then(.p)
                when(.t4).then(history: .p, .deep)
            }
            parallel(.p) {
                history(.deep, initially: .b)
                state(.b) {
                    initial(.b1)
                    state(.b1) { when(.t2).then(.b2) }
                    state(.b2)
                }
                state(.c) {
                    initial(.c1)
                    state(.c1) { when(.t2).then(.c2) }
                    state(.c2)
                }
                when(.t3).then(.a)
            }
        }
        for name in ["history 4", "history 4b"] {
            // Back to the parallel state, or to the histories of both regions.
            Case(
                name, starts: "a",
                [
                    .t1: "p b b1 b11 c c1 c11", .t2: "p b b1 b12 c c1 c12",
                    .t3: "p b b2 b21 c c2 c21", .t4: "p b b2 b22 c c2 c22", .t5: "a",
                    .t6: "p b b2 b22 c c2 c21", .t7: "p b b2 b22 c c2 c22", .t8: "a",
                    .t9: "p b b2 b22 c c2 c22",
                ]
            ) {
                initial(.a)
                state(.a) {
                    when(.t1).then(.p)
                    if name == "history 4" {
                        when(.t6).then(.p)
                    } else {
                        when(.t6).then(history: .b, .deep).then(history: .c)
                    }
                    when(.t9).then(history: .p, .deep)
                }
                parallel(.p) {
                    history(.deep, initially: .b)
                    state(.b) { levels(.deep, (.b1, .b11, .b12, .b2, .b21, .b22)) }
                    state(.c) { levels(.shallow, (.c1, .c11, .c12, .c2, .c21, .c22)) }
                }
            }
        }
        Case(
            "history 5", starts: "a b c d e i i1 j h g f f1 k",
            [
                .t1: "a b c d e i i2 j h g f f2 k", .t2: "l",
                .t3: "a b c d e i i2 j h g f f2 k",
            ]
        ) {
            initial(.a)
            nested {
                when(.t1).then(.i2)
            } last: {
                when(.t2).then(.l)
            } other: {
                when(.t1).then(.f2)
            }
            state(.l) { when(.t3).then(history: .a, .deep) }
        }
        Case("history 6", starts: "a", [.t1: "b b2", .t2: "b b3", .t3: "a", .t1: "b b3", .t4: "c"])
        {
            initial(.a)
            state(.a) {
                onEntry().update { context, _ in context.x = max(context.x, 2) }
                when(.t1).then(history: .b)
            }
            state(.b) {
                initial(.b1)
                onEntry().update { context, _ in context.x *= 3 }
                history(initially: .b2)
                state(.b1)
                state(.b2) {
                    onEntry().update { context, _ in context.x *= 5 }
                    when(.t2).then(.b3)
                }
                state(.b3) {
                    onEntry().update { context, _ in context.x *= 7 }
                    when(.t3).then(.a)
                }
                when(.t4).condition(x(4_410)).then(.c)
                when(.t4).condition(x(1_470)).then(.d)
                when(.t4).then(.e)
            }
            state(.c)
            state(.d)
            state(.e)
        }
    }

    /// Parallel states, five deep.
    static func nested(
        @ChartBuilder<Words> first: () -> [ChartPart<Words>],
        @ChartBuilder<Words> last: () -> [ChartPart<Words>] = { [] },
        @ChartBuilder<Words> other: () -> [ChartPart<Words>]
    ) -> ChartPart<Words> {
        parallel(.a) {
            parallel(.b) {
                parallel(.c) {
                    parallel(.d) {
                        parallel(.e) {
                            state(.i) {
                                initial(.i1)
                                state(.i1) { first() }
                                state(.i2) { last() }
                            }
                            state(.j)
                        }
                        state(.h)
                    }
                    state(.g)
                }
                state(.f) {
                    initial(.f1)
                    state(.f1) { other() }
                    state(.f2)
                }
            }
            state(.k)
        }
    }
}
