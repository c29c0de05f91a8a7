import Charts
import StateMachines

// Cases of the W3C's implementation report for SCXML 1.0, by their numbers, in the kit's words.
extension Words {
    /// Two regions of a parallel state, in which neither entered state is the initial one.
    @ChartBuilder<Words>
    private static func regions(
        _ event: Event, leadTo target: State
    ) -> [ChartPart<Words>] {
        state(.a) {
            initial(.a1)
            state(.a1)
            state(.a2) { onEntry().raise(event) }
        }
        state(.b) {
            initial(.b1)
            state(.b1)
            state(.b2) { when(event).then(target) }
        }
    }

    /// What is entered first, and final states.
    static let w3cStructure = cases {
        // The chart's initial state is the first; here it is said.
        Case("W3C 355") {
            initial(.a)
            state(.a) { always().then(.pass) }
            state(.b) { always().then(.fail) }
        }
        // An `initial` may lead far in, to several regions; without one, states of one state.
        Case("W3C 364") {
            initial(.c)
            state(.c) {
                initial(.a2, .b2)
                state(.d)
                parallel(.p) { regions(.foo, leadTo: .g) }
            }
            state(.g) {
                always().then(.fail)
                state(.g1) {
                    initial(.e1)
                    state(.e1) { always().then(.pass) }
                    state(.e2)
                }
            }
        }
        // So may that of the chart.
        Case("W3C 576") {
            initial(.a2, .b2)
            state(.d) { always().then(.fail) }
            state(.c) {
                initial(.d1)
                state(.d1)
                parallel(.p) { regions(.foo, leadTo: .pass) }
            }
        }
        // All regions are entered before any row is looked at.
        Case("W3C 413") {
            initial(.c)
            state(.d) { always().then(.fail) }
            state(.c) {
                initial(.a2, .b2)
                parallel(.p) {
                    state(.a) {
                        initial(.a1)
                        state(.a1) { always().then(.fail) }
                        state(.a2) { always().condition { $0.isIn(.b2) }.then(.pass) }
                    }
                    state(.b) {
                        initial(.b1)
                        state(.b1) { always().then(.fail) }
                        state(.b2) { always().condition { $0.isIn(.a2) }.then(.pass) }
                    }
                }
            }
        }
        // A state is done after the entry commands of its final state.
        Case("W3C 372") {
            initial(.a)
            state(.a) {
                when(done: .a).condition(x(1)).then(.pass)
                whenAny().then(.fail)
                final(.a1) { onEntry().update(count) }
            }
        }
        // A composite state is done when its final state is entered.
        Case("W3C 416") {
            initial(.a)
            state(.a) {
                state(.a1) {
                    initial(.a11)
                    when(done: .a1).then(.pass)
                    state(.a11) { always().then(.a12) }
                    final(.a12)
                }
            }
        }
        // A parallel state is done when all its regions are.
        Case("W3C 417") {
            initial(.p)
            parallel(.p) {
                when(done: .p).then(.pass)
                state(.a) {
                    initial(.a1)
                    state(.a1) { always().then(.a2) }
                    final(.a2)
                }
                state(.b) {
                    initial(.b1)
                    state(.b1) { always().then(.b2) }
                    final(.b2)
                }
            }
        }
        // Each region first, then the parallel state, though it is left by then.
        Case("W3C 570") {
            initial(.p)
            parallel(.p) {
                onEntry().raise(.t1).raise(.t2)
                when(done: .a).update(count)
                when(done: .b).then(.c)
                state(.a) {
                    initial(.a1)
                    state(.a1) { when(.t1).then(.a2) }
                    final(.a2)
                }
                state(.b) {
                    initial(.b1)
                    state(.b1) { when(.t2).then(.b2) }
                    final(.b2)
                }
            }
            state(.c) {
                when(done: .p).condition(x(1)).then(.pass)
                whenAny().then(.fail)
            }
        }
    }

    /// Two states of two each, with both kinds of history.
    @ChartBuilder<Words>
    private static func remembering(
        shallow: State, deep: State, in one: (State, State, State), _ other: (State, State, State)
    ) -> [ChartPart<Words>] {
        initial(one.0)
        history(.shallow, initially: shallow)
        history(.deep, initially: deep)
        state(one.0) {
            initial(one.1)
            state(one.1) { onEntry("+\(one.1)") }
            state(one.2) { onEntry("+\(one.2)") }
        }
        state(other.0) {
            initial(other.1)
            state(other.1) { onEntry("+\(other.1)") }
            state(other.2) { onEntry("+\(other.2)") }
        }
    }

    /// What states remember.
    static let w3cHistory = cases {
        // Before a state was active its history leads to the default.
        Case("W3C 387", starts: "d", [.t1: "b b2 b22"], says: "+a11 +b22") {
            initial(.c)
            state(.c) { always().then(history: .a, .shallow) }
            state(.a) {
                remembering(
                    shallow: .a1, deep: .a22, in: (.a1, .a11, .a12), (.a2, .a21, .a22))
                always().condition { $0.isIn(.a11) }.then(.d)
            }
            state(.d) { when(.t1).then(history: .b, .deep) }
            state(.b) {
                remembering(
                    shallow: .b1, deep: .b22, in: (.b1, .b11, .b12), (.b2, .b21, .b22))
            }
        }
        // Afterwards a deep one leads to the inmost states, a shallow one to the outermost.
        Case(
            "W3C 388", starts: "a a1 a12", [.t1: "a a1 a12", .t2: "a a1 a11"],
            says: "+a12 +a12 +a11"
        ) {
            initial(.a12)
            state(.a) {
                remembering(
                    shallow: .a2, deep: .a22, in: (.a1, .a11, .a12), (.a2, .a21, .a22))
                when(.t1).then(.c)
                when(.t2).then(.d)
            }
            state(.c) { always().then(history: .a, .deep) }
            state(.d) { always().then(history: .a, .shallow) }
        }
        // What the default does is done after the entry of the state, where nothing is remembered.
        Case(
            "W3C 579", starts: "a a1", [.t1: "a a2", .t2: "a a2"],
            says: "+a initial default +a1 +a2 -a +a initial +a2"
        ) {
            initial(.a)
            state(.a) {
                onEntry("+a")
                onExit("-a")
                initial(history: .a).commands("initial")
                history(initially: .a1).commands("default")
                when(.t2).then(.a)
                state(.a1) {
                    onEntry("+a1")
                    when(.t1).then(.a2)
                }
                state(.a2) { onEntry("+a2") }
            }
        }
        // A history is never active: there is no state of that name to ask for.
        Case("W3C 580") {
            initial(.p)
            parallel(.p) {
                state(.a)
                state(.b) {
                    initial(history: .b)
                    history(initially: .b1)
                    onExit().update(count)
                    always().condition(x(0)).then(history: .b)
                    always().condition(x(1)).then(.pass)
                    state(.b1) { always().then(.b2) }
                    state(.b2)
                }
            }
        }
    }
}
