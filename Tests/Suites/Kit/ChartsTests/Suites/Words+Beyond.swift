import Charts
import StateMachines

// What the suites do not ask, and random charts found.
extension Words {
    static let beyond = cases {
        Case(
            "a parallel state is not done while its later regions are being entered",
            starts: "p a a1 b"
        ) {
            initial(.p)
            parallel(.p) {
                when(done: .p).then(.fail)
                state(.a) { final(.a1) }
                state(.b)
            }
            state(.fail)
        }
        // The recommendation's algorithm enters `b` again, which was never left.
        Case(
            "the history of a state round the row's own enters nothing that was not left",
            starts: "a b b1", [.t: "a b b2", .t1: "c", .t2: "a b b1", .foo: "a b b2"],
            says: "+a +b +b1 -b1 +b2 -b2 -b -a +a +b +b1 -b1 +b2"
        ) {
            initial(.a)
            state(.a) {
                loud(.a)
                when(.t1).then(.c)
                state(.b) {
                    loud(.b)
                    initial(.b1)
                    state(.b1) {
                        loud(.b1)
                        when(.t).then(.b2)
                        when(.foo).then(history: .a, .deep)
                    }
                    state(.b2) { loud(.b2) }
                }
            }
            state(.c) { when(.t2).then(.b1) }
        }
    }
}
