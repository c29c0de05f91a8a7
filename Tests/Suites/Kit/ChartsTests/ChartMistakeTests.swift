import Charts
import StateMachines
import Testing

@Suite struct ChartMistakeTests {
    typealias L = Letters

    @Test func `nothing, and braces with nothing between them`() {
        #expect(L.mistakes {}.kinds == [.emptyBlock])
        let found = L.mistakes {
            L.initial(.a)
            L.state(.a) {}
            L.parallel(.p) {}
            L.final(.b) {}
        }
        #expect(found.kinds == [.emptyBlock, .emptyBlock, .emptyBlock])
        #expect(L.mistakes { L.state(.a) { [ChartRow<L>]() } }.isEmpty)
    }

    @Test func `a state that is declared twice, with both places`() {
        let line = #line as UInt
        let found = L.mistakes {
            L.state(.a) {
                L.state(.a)
            }
        }
        #expect(found.kinds == [.repeatedState])
        #expect(found.lines == [[line + 2, line + 3]])
        #expect(
            found[0].description
                == "ChartsTests/ChartMistakeTests.swift:\(line + 2):20: a: declared twice "
                + "(see ChartsTests/ChartMistakeTests.swift:\(line + 3):24)")
    }

    @Test func `states that are missing`() {
        let found = L.mistakes(tolerating: .undecidedPairs) {
            L.state(.a) {
                L.when(.go).then(.b)
                L.when(done: .c).then(.a)
                L.when(.on).then(history: .d)
            }
        }
        #expect(found.kinds == [.undeclaredState, .undeclaredState, .undeclaredState])
        #expect(found.map(\.message)[0] == "a: the chart has no state b")
        let all = L.mistakes(tolerating: .undecidedPairs) { L.state(.a) }
        #expect(all.count == 11)
        #expect(all.allSatisfy { $0.kind == .undeclaredState })
    }

    @Test func `several states without an initial one`() {
        let found = L.mistakes {
            L.state(.a) {
                L.state(.a1)
                L.state(.a2)
            }
            L.state(.b) { L.state(.b1) }
        }
        #expect(found.kinds == [.missingInitial, .missingInitial])
        #expect(found.map(\.message).last == "a: several states, and no initial")
    }

    @Test func `an initial state that lies elsewhere`() {
        let found = L.mistakes {
            L.initial(.a1)
            L.state(.a) {
                L.initial(.b)
                L.state(.a1)
                L.state(.a2) { L.initial(.a1) }
            }
            L.state(.b) { L.history(initially: .a) }
            L.parallel(.p) {
                L.initial(.q)
                L.state(.q)
            }
        }
        #expect(found.kinds == Array(repeating: .misplacedLine, count: 4))
    }

    @Test func `two initial states, and two histories of one depth`() {
        let found = L.mistakes {
            L.initial(.a)
            L.initial(.a)
            L.state(.a) {
                L.history(initially: .a1)
                L.history(.deep, initially: .a1)
                L.history(.deep, initially: .a1)
                L.state(.a1)
            }
        }
        #expect(found.kinds == [.repeatedLine, .repeatedLine])
    }

    @Test func `what a final state cannot have`() {
        let found = L.mistakes {
            L.state(.a) {
                L.final(.a1) {
                    L.onEntry("end")
                    L.onExit("never")
                    L.when(.go).then(.a)
                }
            }
            L.initial(.a)
            L.final(.b) { L.state(.b1) }
            L.parallel(.p) { L.final(.q) }
        }
        #expect(found.kinds == Array(repeating: .misplacedLine, count: 4))
    }

    @Test func `targets that cannot be active together`() {
        let found = L.mistakes {
            L.state(.a) {
                L.when(.go).then(.b1, .c1)
                L.when(.go).then(.b1, .b2)
                L.when(.go).then(.b1, .b)
                L.when(.go).then(.p, .b1)
                L.when(.go).then(.b1, .b1)
                L.when(.go).then(.b).then(history: .b)
                L.when(.go).then(.a, .p)
            }
            L.initial(.a)
            L.parallel(.p) {
                L.state(.b) {
                    L.initial(.b1)
                    L.state(.b1)
                    L.state(.b2)
                }
                L.state(.c) { L.state(.c1) }
            }
        }
        #expect(found.kinds == Array(repeating: .conflictingTargets, count: 6))
    }

    @Test func `a history of nothing, and one of itself`() {
        let found = L.mistakes {
            L.initial(.a)
            L.state(.a) { L.when(.go).then(history: .a) }
            L.state(.b) {
                L.initial(history: .b)
                L.state(.b1)
                L.state(.b2)
            }
            L.state(.c) {
                L.initial(history: .c)
                L.history(initially: .c2)
                L.state(.c1)
                L.state(.c2)
            }
        }
        #expect(found.kinds == [.noHistory, .noHistory])
    }

    @Test func `rows that make no sense`() {
        let found = L.mistakes {
            L.state(.a) {
                L.when(.go)
                L.when(.on).then(.a).ignored("nothing")
                L.when(.off).ignored("expected")
                L.always().commands("again")
                L.always().condition { $0.context == 0 }.ignored("nothing")
                L.always().condition { $0.context == 0 }.update { sum, _ in sum = 1 }
            }
        }
        #expect(found.kinds == [.emptyRow, .contradictoryRow, .endlessRow, .endlessRow])
    }

    @Test func `an internal row that leads out`() {
        let found = L.mistakes(tolerating: [.undeclaredStates, .undecidedPairs]) {
            L.initial(.a)
            L.state(.a) {
                L.when(.go).then(.a1).internally()
                L.when(.on).then(.p).internally()
                L.when(.off).commands("off").internally()
                L.state(.a1)
            }
            L.parallel(.p) {
                L.when(.go).then(.q).internally()
                L.state(.q)
            }
        }
        #expect(found.kinds == Array(repeating: .outwardInternal, count: 3))
    }

    @Test func `rows to which others leave nothing`() {
        let found = L.mistakes(tolerating: [.undeclaredStates, .undecidedPairs]) {
            L.initial(.a)
            L.state(.a) {
                L.when(.go).condition { $0.context == 0 }.then(.b)
                L.when(.go).then(.b)
                L.when(.go).commands("never")
                L.when(.go, or: .on).commands("on")
                L.whenAny().commands("any")
                L.when(done: .a).commands("never")
                L.when(.off).commands("never")
            }
            L.state(.b) { L.when(done: .p).then(.a) }
            L.parallel(.p) { L.state(.q) }
        }
        #expect(
            found.kinds
                == [
                    .rowNeverTaken, .rowNeverTaken, .rowNeverTaken, .rowNeverTaken,
                    .unreachableState, .unreachableState,
                ])
    }

    @Test func `states that nothing leads to`() {
        let found = L.mistakes(tolerating: [.undeclaredStates, .undecidedPairs]) {
            L.initial(.a)
            L.state(.a) { L.when(.go).then(.c2) }
            L.state(.b) { L.when(.go).then(.d) }
            L.parallel(.p) {
                L.state(.c) {
                    L.initial(.c1)
                    L.state(.c1)
                    L.state(.c2)
                }
                L.state(.q)
            }
            L.state(.d)
        }
        #expect(found.kinds == Array(repeating: .unreachableState, count: 3))
        #expect(found.map(\.message).map { $0.prefix(2) } == ["b:", "c1", "d:"])
    }

    @Test func `pairs that nobody decided`() {
        let found = L.mistakes(tolerating: .undeclaredStates) {
            L.initial(.a)
            L.when(.off).ignored("off already")
            L.state(.a) {
                L.initial(.a1)
                L.when(.go).then(.p)
                L.state(.a1) { L.when(.on).then(.a2) }
                L.state(.a2) { L.when(.back).then(.a1) }
            }
            L.parallel(.p) {
                L.state(.q) { L.when(.go, or: .back).then(.a) }
                L.state(.d) { L.when(.go).commands("go") }
            }
        }
        #expect(found.kinds == Array(repeating: .undecidedPair, count: 3))
        #expect(
            found.map(\.message)
                == ["a1: back is undecided", "a2: on is undecided", "p: on is undecided"])
    }

    @Test func `time is not an event of rows`() {
        do throws(ChartError) {
            _ = try Chart<TrafficLight>(tolerating: .everything) {
                TrafficLight.state(.stop) {
                    TrafficLight.after(.seconds(1)).commands(.red)
                    TrafficLight.when(.timePassed).commands(.off)
                }
            }
            Issue.record("no mistake was found")
        } catch {
            #expect(error.problems.kinds == [.timeAsEvent])
        }
    }

    @Test func `enums that no chart can have`() {
        enum Crooked: ChartSyntax {
            enum State: UInt8, Enumerated { case one = 1, two }
            enum Event: UInt8, Enumerated { case one = 1 }
            typealias Command = Never
            static func command(for loss: ChartLoss<Event>) -> Never? { nil }
        }
        do throws(ChartError) {
            _ = try Chart<Crooked> { Crooked.state(.one) }
            Issue.record("no mistake was found")
        } catch {
            #expect(error.problems.kinds == [.unsuitableType, .unsuitableType])
        }
    }
}
