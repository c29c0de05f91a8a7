import Charts
import StateMachines

// Cases of SCION's test framework, by their folders and numbers, in the kit's words.
extension Words {
    static let scionBasics = cases {
        Case("basic 0", starts: "a") { state(.a) }
        Case("basic 1", starts: "a", [.t: "b"]) {
            initial(.a)
            state(.a) { when(.t).then(.b) }
            state(.b)
        }
        Case("basic 2", starts: "a", [.t: "b", .t2: "c"]) {
            initial(.a)
            state(.a) { when(.t).then(.b) }
            state(.b) { when(.t2).then(.c) }
            state(.c)
        }
        Case("default-initial-state 2", starts: "a", [.t: "b"]) {
            initial(.a)
            state(.a) { when(.t).then(.b) }
            state(.b)
        }
        Case("atom3 1", starts: "a", [.t1: "b", .t2: "a"], says: "+a -a row1 row2 +a") {
            initial(.a)
            state(.a) {
                loud(.a)
                when(.t1).then(.b).commands("row1")
            }
            state(.b) { when(.t2).then(.a).commands("row2") }
        }
        Case(
            "atom3 3", starts: "p a", [.t1: "p b", .t2: "p a", .t1: "p b", .t1: "c"],
            says: "+a -a row1 row2 +a -a row1 +c"
        ) {
            initial(.p)
            state(.p) {
                initial(.a)
                state(.a) {
                    loud(.a)
                    when(.t1).then(.b).commands("row1")
                }
                state(.b) { when(.t2).then(.a).commands("row2") }
                when(.t1).then(.c)
            }
            state(.c) { loud(.c) }
        }
        Case("documentOrder 0", starts: "a", [.t: "b"]) {
            initial(.a)
            state(.a) {
                when(.t).then(.b)
                when(.t).then(.c)
            }
            state(.b)
            state(.c)
        }
        Case("hierarchy 0", starts: "a a1", [.t: "a a2"]) {
            state(.a) {
                initial(.a1)
                state(.a1) { when(.t).then(.a2) }
                state(.a2)
            }
        }
        Case("hierarchy 1", starts: "a a1", [.t: "a a2"]) {
            initial(.a)
            state(.a) {
                initial(.a1)
                state(.a1) { when(.t).then(.a2) }
                state(.a2)
                when(.t).then(.b)
            }
            state(.b)
        }
        Case("hierarchy 2", starts: "a a1", [.t: "b"]) {
            initial(.a)
            state(.a) {
                initial(.a1)
                state(.a1) { when(.t).then(.b) }
                state(.a2)
                when(.t).then(.a2)
            }
            state(.b)
        }
        Case("hierarchy+documentOrder 0", starts: "a a1", [.t: "a a2"]) {
            initial(.a)
            state(.a) {
                initial(.a1)
                state(.a1) {
                    when(.t).then(.a2)
                    when(.t).then(.c)
                }
                state(.a2)
                when(.t).then(.b)
            }
            state(.b)
            state(.c)
        }
        Case("hierarchy+documentOrder 1", starts: "a a1", [.t: "b"]) {
            initial(.a)
            state(.a) {
                initial(.a1)
                state(.a1) {
                    when(.t).then(.b)
                    when(.t).then(.c)
                }
                state(.a2)
                when(.t).then(.a2)
            }
            state(.b)
            state(.c)
        }
        Case("misc deep-initial", starts: "a a2") {
            initial(.a2)
            state(.a) {
                initial(.a1)
                state(.a1) { when(.t1).then(.a2) }
                state(.a2)
            }
        }
        Case("multiple-events-per-transition 1", starts: "a", [.foo: "b", .bar: "c", .bat: "d"]) {
            initial(.a)
            state(.a) { when(.foo, or: .bar, .bat).then(.b) }
            state(.b) { when(.foo, or: .bar, .bat).then(.c) }
            state(.c) { when(.foo, or: .bar, .bat).then(.d) }
            state(.d)
        }
        Case("scxml-prefix-event-name-matching star0", starts: "a", [.foo: "b"]) {
            initial(.a)
            state(.a) {
                whenAny().then(.b)
                when(.foo).then(.fail)
            }
            state(.b)
            state(.fail)
        }
    }

    /// What is raised on the way from `a` to `b`, where a row without an event may come first.
    static let scionRaising = cases {
        Case("actionSend 1", starts: "a", [.t: "c"]) {
            initial(.a)
            state(.a) { when(.t).then(.b).raise(.foo) }
            state(.b) { when(.foo).then(.c) }
            state(.c)
        }
        Case("actionSend 2", starts: "a", [.t: "c"]) {
            initial(.a)
            state(.a) {
                onExit().raise(.foo)
                when(.t).then(.b)
            }
            state(.b) { when(.foo).then(.c) }
            state(.c)
        }
        for (name, isHasty) in [
            ("actionSend 3", false), ("actionSend 4", true), ("actionSend 4b", false),
        ] {
            Case(name, starts: "a", [.t: isHasty ? "d" : "c"], says: isHasty ? "?foo" : "") {
                initial(.a)
                state(.a) { when(.t).then(.b) }
                state(.b) {
                    onEntry().raise(.foo)
                    when(.foo).then(.c)
                    if isHasty { always().then(.d) }
                }
                state(.c)
                state(.d)
            }
        }
        for (name, target, isHasty) in [
            ("actionSend 7", State.b, true), ("actionSend 7b", .b, false),
            ("actionSend 8", .b1, true), ("actionSend 8b", .b1, false),
            ("actionSend 9", .b, true),
        ] {
            Case(
                name, starts: "a", [.t: isHasty ? "b b3" : "b b2"], says: isHasty ? "?foo" : ""
            ) {
                initial(.a)
                state(.a) { when(.t).then(target).raise(.foo) }
                state(.b) {
                    initial(.b1)
                    state(.b1) {
                        when(.foo).then(.b2)
                        if isHasty { always().then(.b3) }
                    }
                    state(.b2)
                    state(.b3)
                }
            }
        }
    }

    /// What the machine remembers, and conditions on it.
    static let scionContext = cases {
        for (name, isFirst) in [("cond-js 0", false), ("cond-js 1", true), ("cond-js 2", false)] {
            Case(name, starts: "a", [.t: "b"]) {
                initial(.a)
                state(.a) {
                    if isFirst { when(.t).condition { _ in false }.then(.fail) }
                    when(.t).condition { _ in true }.then(.b)
                }
                state(.b)
                state(.fail)
            }
        }
        Case(
            "cond-js TestConditionalTransition", starts: "b",
            [.t1: "d1", .t2: "e1", .t3: "f2", .t4: "g3 h", .t5: "g3 i", .t5: "l"]
        ) {
            initial(.a)
            state(.a) { always().then(.b) }
            state(.b) { when(.t1).then(.c) }
            state(.c) {
                always().then(.d1)
                always().then(.d2)
            }
            state(.d1) {
                when(.t2).then(.e1)
                when(.t2).then(.e2)
            }
            state(.d2)
            state(.e1) {
                when(.t3).condition { _ in false }.then(.f1)
                when(.t3).condition { _ in true }.then(.f2)
            }
            state(.e2)
            state(.f1)
            state(.f2) {
                when(.t4).condition { _ in false }.then(.g1)
                when(.t4).condition { _ in false }.then(.g2)
                when(.t4).condition { _ in true }.then(.g3)
            }
            state(.g1)
            state(.g2)
            state(.g3) {
                initial(.h)
                state(.h) { when(.t5).condition { _ in true }.then(.i) }
                state(.i) { when(.t5).condition { _ in false }.then(.j) }
                state(.j)
                when(.t5).condition { _ in true }.then(.l)
            }
            state(.l)
        }
        Case("if-else 0", starts: "a", [.t: "c"]) {
            initial(.a)
            state(.a) {
                onEntry().update { context, _ in
                    context.x = context.x == 0 ? 10 : context.x == 10 ? 20 : 30
                }
                onExit().update { context, _ in context.x *= context.x != 10 ? 3 : 2 }
                when(.t).condition(x(10)).then(.b).update(count)
            }
            state(.b) {
                onEntry().update { context, _ in context.x += context.x == 21 ? 5 : 200 }
                always().condition(x(26)).then(.c)
                always().then(.fail)
            }
            state(.c)
            state(.fail)
        }
        Case("script 0", starts: "a", [.t: "b"]) {
            initial(.c)
            state(.c) { always().then(.a).update { context, _ in context.x = 100 } }
            state(.a) {
                when(.t).condition(x(100)).then(.b)
                when(.t).then(.f)
            }
            state(.b)
            state(.f)
        }
        Case("foreach 1", starts: "a", [.t: "c"]) {
            initial(.a)
            state(.a) {
                onEntry().update { context, _ in
                    for (place, item) in [1, 3, 5, 7, 9].enumerated() {
                        context.x += 2 * item + 100 * place
                    }
                }
                when(.t).condition(x(1_050)).then(.c)
            }
            state(.c)
        }
        Case("assign-current-small-step 0", starts: "a", [.t: "c"]) {
            initial(.a)
            state(.a) {
                onEntry().update { context, _ in context.x = -1 }
                    .update { context, _ in context.x = 99 }
                when(.t).condition(x(99)).then(.b).update(count)
            }
            state(.b) {
                onEntry().update { context, _ in context.x *= 2 }
                always().condition(x(200)).then(.c)
                always().then(.fail)
            }
            state(.c)
            state(.fail)
        }
        for name in ["assign-current-small-step 1", "script 1"] {
            Case(name, starts: "a", [.t: "c"]) {
                initial(.a)
                state(.a) { when(.t).then(.b).update { context, _ in context.x = 0 } }
                state(.b) {
                    always().condition { $0.context.x < 100 }.then(.b).update(count)
                    always().condition(x(100)).then(.c)
                }
                state(.c)
            }
        }
        for name in ["assign-current-small-step 2", "script 2"] {
            Case(name, starts: "a", [.t: "e"]) {
                initial(.a)
                state(.a) { when(.t).then(.b).update { context, _ in context.x = 0 } }
                state(.p) {
                    initial(.b)
                    state(.b) { always().condition { $0.context.x < 100 }.then(.c).update(count) }
                    state(.c) { always().condition { $0.context.x < 100 }.then(.b).update(count) }
                    always().condition(x(100)).then(.d).update { context, _ in context.x *= 2 }
                }
                state(.d) {
                    always().condition(x(200)).then(.e)
                    always().then(.f)
                }
                state(.e)
                state(.f)
            }
        }
        Case(
            "assign-current-small-step 3", starts: "a",
            [.t1: "p b b1 c c1", .t2: "p b b2 c c2", .t3: "d"]
        ) {
            initial(.a)
            state(.a) { when(.t1).then(.p).update { context, _ in context.x = 0 } }
            parallel(.p) {
                state(.b) {
                    initial(.b1)
                    state(.b1) { when(.t2).then(.b2).update(count) }
                    state(.b2)
                }
                state(.c) {
                    initial(.c1)
                    state(.c1) { when(.t2).then(.c2).update { context, _ in context.x -= 1 } }
                    state(.c2)
                }
                when(.t3).condition(x(0)).then(.d)
                when(.t3).then(.f)
            }
            state(.d)
            state(.f)
        }
        Case("assign-current-small-step 4", starts: "a", [.t: "c"]) {
            initial(.a)
            state(.a) {
                onEntry().update { context, _ in context.x = 2 }
                when(.t).then(.b1)
            }
            state(.b) {
                initial(.b1)
                onEntry().update { context, _ in context.x *= 3 }
                state(.b1) { onEntry().update { context, _ in context.x *= 5 } }
                state(.b2) { onEntry().update { context, _ in context.x *= 7 } }
                always().condition(x(30)).then(.c)
                always().then(.f)
            }
            state(.c)
            state(.f)
        }
        Case("targetless-transition 0", starts: "a", [.t: "c"]) {
            initial(.a)
            state(.a) { when(.t).then(.b) }
            state(.b) {
                always().condition(x(100)).then(.c)
                // Without a condition it would be refused.
                always().condition { $0.context.x < 1_000 }.update(count)
            }
            state(.c)
        }
        Case("targetless-transition 1", starts: "a a1", [.foo: "a a1", .bar: "b"]) {
            initial(.a)
            state(.a) {
                onEntry().update { context, _ in context.x = 1 }
                when(.foo).update { context, _ in context.x *= 2 }
                state(.a1) {
                    when(.bar).update { context, _ in
                        context.x = context.x * context.x * context.x
                    }
                }
                always().condition(x(8)).then(.b)
            }
            state(.b)
        }
        Case("targetless-transition 2", starts: "a a1", [.foo: "a a1", .bar: "b"]) {
            initial(.a)
            state(.a) {
                onEntry().update { context, _ in context.x = 1 }
                when(.foo).update { context, _ in context.x *= 2 }
                when(.bar).update { context, _ in context.x = context.x * context.x * context.x }
                state(.a1) { when(.foo).update { context, _ in context.x += 2 } }
                always().condition(x(27)).then(.b)
            }
            state(.b)
        }
        Case(
            "targetless-transition 3", starts: "p a a1 b b1 c", [.foo: "p a a2 b b2 c", .bar: "d"]
        ) {
            initial(.p)
            parallel(.p) {
                onEntry().update { context, _ in context.x = 1 }
                always().condition(x(100)).then(.d)
                when(.bar).update { context, _ in context.x *= 20 }
                state(.a) {
                    initial(.a1)
                    state(.a1) { when(.foo).then(.a2).update { context, _ in context.x *= 2 } }
                    state(.a2)
                }
                state(.b) {
                    initial(.b1)
                    state(.b1) {
                        when(.foo).then(.b2).update { context, _ in
                            context.x = context.x * context.x * context.x
                        }
                    }
                    state(.b2)
                }
                state(.c) { when(.foo).update { context, _ in context.x -= 3 } }
            }
            state(.d)
        }
        Case("internal-transitions 0", starts: "a a1", [.t1: "a a2", .t2: "b", .t3: "c"]) {
            initial(.a)
            whenAny().ignored("only written to the log")
            state(.a) {
                initial(.a1)
                onEntry().update(count)
                onExit().update(count)
                state(.a1)
                state(.a2) { when(.t2).condition(x(1)).then(.b) }
                when(.t1).condition(x(1)).then(.a2).internally()
            }
            state(.b) { when(.t3).condition(x(2)).then(.c) }
            state(.c)
        }
        Case(
            "internal-transitions 1", starts: "p a a1 b b1",
            [.t1: "p a a2 b b1", .t2: "c", .t3: "d"]
        ) {
            initial(.p)
            parallel(.p) {
                onEntry().update(count)
                onExit().update(count)
                state(.a) {
                    initial(.a1)
                    onEntry().update(count)
                    onExit().update(count)
                    state(.a1) {
                        onEntry().update(count)
                        onExit().update(count)
                    }
                    state(.a2) {
                        onEntry().update(count)
                        onExit().update(count)
                        when(.t2).condition(x(5)).then(.c)
                    }
                    when(.t1).condition(x(3)).then(.a2).internally()
                }
                state(.b) {
                    initial(.b1)
                    state(.b1)
                    state(.b2)
                }
            }
            state(.c) { when(.t3).condition(x(8)).then(.d) }
            state(.d)
        }
    }
}
