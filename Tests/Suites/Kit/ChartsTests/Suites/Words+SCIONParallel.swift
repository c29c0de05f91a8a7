import Charts
import StateMachines

// Cases of SCION's test framework, by their folders and numbers, in the kit's words: regions.
extension Words {
    /// A region of two states, with a row from the first to the second or one of the region's own.
    static func region(
        _ state: State, _ first: State, _ second: State, on event: Event? = .t,
        leadingTo target: State? = nil
    ) -> ChartPart<Words> {
        Words.state(state) {
            initial(first)
            if let target { when(.t).then(target) }
            Words.state(first) {
                if let event, target == nil { when(event).then(second) }
            }
            Words.state(second)
        }
    }

    static let scionParallel = cases {
        Case("parallel 0", starts: "p a b") {
            parallel(.p) {
                state(.a)
                state(.b)
            }
        }
        Case("parallel 1", starts: "p a a1 b b1", [.t: "p a a2 b b2"]) {
            parallel(.p) {
                region(.a, .a1, .a2)
                region(.b, .b1, .b2)
            }
        }
        Case("parallel 2", starts: "p a p1 c d b p3 g h", [.t: "p a p2 e f b p4 i j"]) {
            parallel(.p) {
                state(.a) {
                    initial(.p1)
                    parallel(.p1) {
                        state(.c)
                        state(.d)
                        when(.t).then(.p2)
                    }
                    parallel(.p2) {
                        state(.e)
                        state(.f)
                    }
                }
                state(.b) {
                    initial(.p3)
                    parallel(.p3) {
                        state(.g)
                        state(.h)
                        when(.t).then(.p4)
                    }
                    parallel(.p4) {
                        state(.i)
                        state(.j)
                    }
                }
            }
        }
        Case("parallel 3", starts: "p a p1 c c1 d b p3 g h", [.t: "p a p1 c c2 d b p4 i j"]) {
            parallel(.p) {
                state(.a) {
                    initial(.p1)
                    parallel(.p1) {
                        region(.c, .c1, .c2)
                        state(.d)
                    }
                    parallel(.p2) {
                        state(.e)
                        state(.f)
                    }
                }
                state(.b) {
                    initial(.p3)
                    parallel(.p3) {
                        state(.g)
                        state(.h)
                        when(.t).then(.p4)
                    }
                    parallel(.p4) {
                        state(.i)
                        state(.j)
                    }
                }
            }
        }
        Case(
            "in TestInPredicate", starts: "p k a l a2",
            [
                .t1: "p k b l a2", .t2: "p k c l a2", .t3: "p k d l a2", .t4: "p k e l a2",
                .t5: "p k f l a2", .t6: "p k g l b2", .t7: "p k h l c2 d2", .t8: "p k i l c2 d2",
                .t9: "p k j l c2 e2", .t10: "p k k1 l c2 e2",
            ]
        ) {
            parallel(.p) {
                state(.k) {
                    initial(.a)
                    state(.a) { when(.t1).condition { $0.isIn(.a) }.then(.b) }
                    state(.b) { when(.t2).condition { $0.isIn(.k) }.then(.c) }
                    state(.c) { when(.t3).condition { $0.isIn(.p) }.then(.d) }
                    state(.d) { when(.t4).condition { !$0.isIn(.e2) }.then(.e) }
                    state(.e) { when(.t5).condition { !$0.isIn(.c2) }.then(.f) }
                    state(.f) { when(.t6).condition { $0.isIn(.a2) }.then(.g).raise(.foo) }
                    state(.g) { when(.t7).condition { $0.isIn(.b2) }.then(.h).raise(.bar) }
                    state(.h) { when(.t8).condition { $0.isIn(.c2) }.then(.i) }
                    state(.i) { when(.t9).condition { $0.isIn(.d2) }.then(.j).raise(.baz) }
                    state(.j) { when(.t10).condition { $0.isIn(.e2) }.then(.k1) }
                    state(.k1)
                }
                state(.l) {
                    initial(.a2)
                    state(.a2) { when(.foo).then(.b2) }
                    state(.b2) { when(.bar).then(.c2) }
                    state(.c2) {
                        initial(.d2)
                        state(.d2) { when(.baz).then(.e2) }
                        state(.e2)
                    }
                }
            }
        }
    }

    /// Rows of one region that leave the parallel state, since they lead to the region itself or
    /// into it, and what that preempts.
    static let scionMoreParallel = cases {
        Case("more-parallel 0", starts: "p a b", [.t: "p a b"], says: "+p +a +b -b -a -p +p +a +b")
        {
            parallel(.p) {
                loud(.p)
                state(.a) {
                    loud(.a)
                    when(.t).then(.a)
                }
                state(.b) { loud(.b) }
            }
        }
        Case("more-parallel 1", starts: "p a a1 b b1", [.t: "p a a1 b b1"]) {
            parallel(.p) {
                region(.a, .a1, .a2, leadingTo: .a)
                region(.b, .b1, .b2, on: nil)
            }
        }
        Case("more-parallel 2", starts: "p a a1 b b1", [.t: "p a a1 b b1"]) {
            parallel(.p) {
                region(.a, .a1, .a2, leadingTo: .a)
                region(.b, .b1, .b2)
            }
        }
        Case("more-parallel 2b", starts: "p a a1 b b1", [.t: "p a a1 b b2"]) {
            parallel(.p) {
                region(.b, .b1, .b2)
                region(.a, .a1, .a2, leadingTo: .a)
            }
        }
        Case("more-parallel 3", starts: "p a a1 b b1", [.t: "p a a2 b b1"]) {
            parallel(.p) {
                region(.a, .a1, .a2, leadingTo: .a2)
                region(.b, .b1, .b2)
            }
        }
        Case("more-parallel 3b", starts: "p a a1 b b1", [.t: "p a a1 b b2"]) {
            parallel(.p) {
                region(.b, .b1, .b2)
                region(.a, .a1, .a2, leadingTo: .a2)
            }
        }
        Case("more-parallel 4", starts: "p a a1 b b1", [.t: "p a a1 b b1"]) {
            parallel(.p) {
                region(.a, .a1, .a2, leadingTo: .a)
                region(.b, .b1, .b2, leadingTo: .b)
            }
        }
        Case("more-parallel 5", starts: "p a a1 b b1", [.t: "p a a2 b b1"]) {
            parallel(.p) {
                region(.a, .a1, .a2, leadingTo: .a2)
                region(.b, .b1, .b2, leadingTo: .b2)
            }
        }
        for (number, isInner) in [(6, true), (7, false)] {
            Case(
                "more-parallel \(number)", starts: "p a a1 a11 b b1 b11",
                [.t: "p a a2 a22 b b1 b11"]
            ) {
                parallel(.p) {
                    state(.a) {
                        initial(.a1)
                        when(.t).then(.a22)
                        region(.a1, .a11, .a12, on: nil)
                        region(.a2, .a21, .a22, on: nil)
                    }
                    state(.b) {
                        initial(.b1)
                        if !isInner { when(.t).then(.b22) }
                        region(.b1, .b11, .b12, on: isInner ? .t : nil)
                        region(.b2, .b21, .b22, on: nil)
                    }
                }
            }
        }
        for (number, others) in [(8, [State]()), (9, [.b22])] {
            Case(
                "more-parallel \(number)", starts: "c",
                [.t: "p a a2 a22 b \(others.isEmpty ? "b1 b11" : "b2 b22")"]
            ) {
                initial(.c)
                state(.c) {
                    if others.isEmpty {
                        when(.t).then(.a22)
                    } else {
                        when(.t).then(.a22, .b22)
                    }
                }
                parallel(.p) {
                    state(.a) {
                        initial(.a1)
                        region(.a1, .a11, .a12, on: nil)
                        region(.a2, .a21, .a22, on: nil)
                    }
                    state(.b) {
                        initial(.b1)
                        region(.b1, .b11, .b12, on: nil)
                        region(.b2, .b21, .b22, on: nil)
                    }
                }
            }
        }
        for (name, isInternal) in [("more-parallel 10", false), ("more-parallel 10b", true)] {
            // A region's row to itself leaves the parallel state: six entries and exits, not four.
            Case(name, starts: "p a b", [.t1: "p a b", .t2: isInternal ? "p a b" : "c"]) {
                initial(.p)
                parallel(.p) {
                    onEntry().update(count)
                    onExit().update(count)
                    state(.a) {
                        onEntry().update(count)
                        onExit().update(count)
                        when(.t1).condition(x(2)).then(.a)
                    }
                    state(.b)
                    when(.t2).condition(x(isInternal ? 4 : 6)).then(.c)
                }
                state(.c)
            }
        }
    }
}
