import Charts
import StateMachines

// Cases of the W3C's implementation report for SCXML 1.0, by their numbers, in the kit's words.
extension Words {
    /// What is taken, and in which order.
    static let w3cSelection = cases {
        // Raised events are handled in the order in which they were raised.
        Case("W3C 144") {
            initial(.a)
            state(.a) {
                onEntry().raise(.foo).raise(.bar)
                when(.foo).then(.b)
                whenAny().then(.fail)
            }
            state(.b) {
                when(.bar).then(.pass)
                whenAny().then(.fail)
            }
        }
        // Of the branches of what is done, the first whose condition holds.
        Case("W3C 147", says: "!bat") {
            initial(.a)
            state(.a) {
                onEntry().raise { $0.context.x > 0 ? .foo : $0.context.x == 0 ? .bar : .baz }
                    .update(count).raise(.bat)
                when(.bar).condition(x(1)).then(.pass)
                whenAny().then(.fail)
            }
        }
        // What is done is done in the order of writing.
        Case("W3C 158") {
            initial(.a)
            state(.a) {
                onEntry().raise(.t1).raise(.t2)
                when(.t1).then(.b)
                whenAny().then(.fail)
            }
            state(.b) {
                when(.t2).then(.pass)
                whenAny().then(.fail)
            }
        }
        // A computed event is computed when it is raised.
        Case("W3C 172") {
            initial(.a)
            state(.a) {
                onEntry().update { context, _ in context.next = .bar }.raise { $0.context.next }
                when(.bar).then(.pass)
                whenAny().then(.fail)
            }
        }
        // The event that is handled can be looked at.
        Case("W3C 396") {
            initial(.a)
            state(.a) {
                onEntry().raise(.foo)
                when(.foo).condition { $0.event == .foo }.then(.pass)
                when(.foo).then(.fail)
            }
        }
        // A row may be about several events, or about every one.
        Case("W3C 399") {
            initial(.a)
            state(.a) {
                onEntry().raise(.foo).raise(.bar).raise(.bat)
                when(.foo, or: .bar).then(.b)
            }
            state(.b) { when(.foo, or: .bar).then(.c) }
            state(.c) { whenAny().then(.pass) }
        }
        // Inner states first, in the order of writing; the outer one where none of them holds.
        Case("W3C 403a") {
            initial(.a)
            state(.a) {
                initial(.a1)
                when(.t1).then(.fail)
                when(.t2).then(.pass)
                state(.a1) {
                    onEntry().raise(.t1)
                    when(.t1).then(.a2)
                    whenAny().then(.fail)
                }
                state(.a2) {
                    onEntry().raise(.t2)
                    when(.t1).then(.fail)
                    when(.t2).condition { _ in false }.then(.fail)
                }
            }
        }
        // A row that two active states lead to is taken once.
        Case("W3C 403b") {
            initial(.a)
            state(.a) {
                initial(.p)
                when(.t1).update(count)
                parallel(.p) {
                    onEntry().raise(.t1).raise(.t2)
                    when(.t1).update(count)
                    state(.b) {
                        when(.t2).condition(x(1)).then(.pass)
                        when(.t2).then(.fail)
                    }
                    state(.c)
                }
            }
        }
        // A row of an earlier region that leaves the same states preempts one of a later region;
        // one that leaves none preempts none.
        Case("W3C 403c") {
            initial(.a)
            state(.a) {
                initial(.p)
                onEntry().raise(.t1)
                when(.t2).then(.fail)
                parallel(.p) {
                    state(.b) {
                        when(.t1, or: .t2).ignored("no row without an effect")
                    }
                    state(.c) { when(.t1).then(.b).raise(.t2) }
                    state(.d) {
                        when(.t1).then(.fail)
                        when(.t2).then(.e)
                    }
                    state(.f) { whenAny().update(count) }
                }
            }
            state(.e) {
                always().condition(x(2)).then(.pass)
                always().then(.fail)
            }
        }
        // Rows without an event come before raised events.
        Case("W3C 419", says: "!foo") {
            initial(.a)
            state(.a) {
                onEntry().raise(.foo)
                whenAny().then(.fail)
                always().then(.pass)
            }
        }
        // Raised events come before those from outside; those that no row takes are passed over.
        Case("W3C 421", says: "?t1 ?t2") {
            initial(.a)
            state(.a) {
                initial(.a1)
                onEntry().raise(.t1).raise(.t2).raise(.t3).raise(.t4)
                when(.foo).then(.fail)
                state(.a1) { when(.t3).then(.a2) }
                state(.a2) { when(.t4).then(.pass) }
            }
        }
        // Events from outside that no row takes are passed over as well.
        Case("W3C 423", passesAfter: [.t1, .t2]) {
            initial(.a)
            state(.a) {
                onEntry().raise(.foo)
                when(.foo).then(.b)
                whenAny().then(.fail)
            }
            state(.b) {
                when(.t2).then(.pass)
                when(.foo).then(.fail)
            }
        }
    }

    /// In which order states are left and entered, and what is done meanwhile.
    static let w3cOrder = cases {
        // Several `onEntry` in the order of writing.
        Case("W3C 375") {
            initial(.a)
            state(.a) {
                onEntry().raise(.t1)
                onEntry().raise(.t2)
                when(.t1).then(.b)
                whenAny().then(.fail)
            }
            state(.b) {
                when(.t2).then(.pass)
                whenAny().then(.fail)
            }
        }
        // Several `onExit` in the order of writing.
        Case("W3C 377") {
            initial(.a)
            state(.a) {
                onExit().raise(.t1)
                onExit().raise(.t2)
                always().then(.b)
            }
            state(.b) {
                when(.t1).then(.c)
                whenAny().then(.fail)
            }
            state(.c) {
                when(.t2).then(.pass)
                whenAny().then(.fail)
            }
        }
        // Inner states are left first, later regions before earlier ones; then the row's commands.
        Case("W3C 404", starts: "b", says: "-a2 -a1 -p row +b") {
            initial(.p)
            parallel(.p) {
                onExit("-p")
                always().then(.b).commands("row")
                state(.a1) { onExit("-a1") }
                state(.a2) { onExit("-a2") }
            }
            state(.b) { onEntry("+b") }
        }
        // All that is left, then the rows' commands in document order, then all that is entered.
        Case(
            "W3C 405", starts: "p a a2 b b2",
            says: "+p +a +a1 +b +b1 -b1 -a1 row-a row-b +a2 +b2"
        ) {
            initial(.p)
            parallel(.p) {
                loud(.p)
                state(.a) {
                    loud(.a)
                    initial(.a1)
                    state(.a1) {
                        loud(.a1)
                        always().then(.a2).commands("row-a")
                    }
                    state(.a2) { loud(.a2) }
                }
                state(.b) {
                    loud(.b)
                    initial(.b1)
                    state(.b1) {
                        loud(.b1)
                        always().then(.b2).commands("row-b")
                    }
                    state(.b2) { loud(.b2) }
                }
            }
        }
        // The row's commands, then outer states before inner ones, earlier regions before later.
        Case("W3C 406", starts: "p b c", says: "+a -a row +p +b +c") {
            initial(.a)
            state(.a) {
                loud(.a)
                always().then(.p).commands("row")
            }
            parallel(.p) {
                loud(.p)
                state(.b) { loud(.b) }
                state(.c) { loud(.c) }
            }
        }
        // `onExit` is run when the state is left, once.
        Case("W3C 407") {
            initial(.a)
            state(.a) {
                onExit().update(count)
                always().then(.b)
            }
            state(.b) {
                always().condition(x(1)).then(.pass)
                always().then(.fail)
            }
        }
        // In `onExit` of a state those inside it are left already.
        Case("W3C 409", starts: "a a2", says: "in gone") {
            initial(.a)
            state(.a) {
                initial(.a1)
                state(.a1) {
                    initial(.a11)
                    onExit().commands { [$0.isIn(.a11) ? "there" : "gone"] }
                    state(.a11) {
                        onExit().commands { [$0.isIn(.a11) ? "in" : "out"] }
                        always().then(.a2)
                    }
                }
                state(.a2)
            }
        }
        // In `onEntry` of a state it is active, and those inside it are not yet.
        Case("W3C 411", starts: "a a1", says: "not-yet in") {
            initial(.a)
            state(.a) {
                onEntry().commands { [$0.isIn(.a1) ? "there" : "not-yet"] }
                state(.a1) { onEntry().commands { [$0.isIn(.a1) ? "in" : "out"] } }
            }
        }
        // What an `initial` does comes after the state's entry, and before that of the inner one.
        Case("W3C 412", starts: "b", says: "+a initial +a1") {
            initial(.a)
            state(.a) {
                onEntry("+a")
                initial(.a1).commands("initial")
                state(.a1) {
                    onEntry("+a1")
                    always().then(.b)
                }
            }
            state(.b)
        }
        // A row that leads nowhere neither leaves nor enters.
        Case("W3C 503", says: "+a -a +b row -b") {
            initial(.a)
            state(.a) {
                loud(.a)
                onEntry().raise(.foo).raise(.bar)
                always().then(.b)
            }
            state(.b) {
                loud(.b)
                when(.foo).commands("row").update(count)
                when(.bar).condition(x(1)).then(.pass)
                when(.bar).then(.fail)
            }
        }
        // From a parallel state to one of its regions: all regions are left, and it itself.
        Case(
            "W3C 504", starts: "q p b c",
            says: "+q +p +b +c -c -b -p row +p +b +c"
        ) {
            initial(.a)
            state(.a) {
                onEntry().raise(.foo)
                always().then(.p)
            }
            state(.q) {
                loud(.q)
                initial(.p)
                parallel(.p) {
                    loud(.p)
                    when(.foo).then(.b).commands("row")
                    state(.b) { loud(.b) }
                    state(.c) { loud(.c) }
                }
            }
        }
        // An internal row to an inner state does not leave its own.
        Case("W3C 505", says: "+a +a1 -a1 row +a1 -a1 -a") {
            initial(.a)
            state(.a) {
                loud(.a)
                onEntry().raise(.foo).raise(.bar)
                when(.foo).then(.a1).internally().commands("row").update(count)
                when(.bar).condition(x(1)).then(.pass)
                when(.bar).then(.fail)
                state(.a1) { loud(.a1) }
            }
        }
        // An internal row to its own state is external all the same.
        Case("W3C 506", starts: "a a1", [.foo: "a a1"], says: "+a +a1 -a1 -a row +a +a1") {
            initial(.a)
            state(.a) {
                loud(.a)
                initial(.a1)
                when(.foo).then(.a).internally().commands("row")
                state(.a1) { loud(.a1) }
            }
        }
        // So is one of a parallel state to one of its regions.
        Case(
            "W3C 533", starts: "p b c", [.foo: "p b c"],
            says: "+p +b +c -c -b -p row +p +b +c"
        ) {
            initial(.p)
            parallel(.p) {
                loud(.p)
                when(.foo).then(.b).internally().commands("row")
                state(.b) { loud(.b) }
                state(.c) { loud(.c) }
            }
        }
    }
}
