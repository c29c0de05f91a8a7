import Charts
import Exploration
import Foundation
import StateMachines
import Testing

@Suite struct ChartStepTests {
    typealias L = Letters

    /// Two regions with two states each, beside a state alone.
    @ChartBuilder<L> private func regions(
        @ChartBuilder<L> _ rows: () -> [ChartPart<L>] = { [] }
    ) -> [ChartPart<L>] {
        L.initial(.p)
        L.parallel(.p) {
            L.onEntry("+p")
            L.onExit("-p")
            rows()
            L.told(.a) {
                L.initial(.a1)
                L.told(.a1) { L.when(.go).then(.a2).commands("a") }
                L.told(.a2) { L.when(.off).then(.d).commands("off") }
            }
            L.told(.b) {
                L.initial(.b1)
                L.told(.b1) { L.when(.go).then(.b2).commands("b") }
                L.told(.b2) { L.when(.off).then(.b1).commands("never") }
            }
        }
        L.told(.d) { L.when(.back).then(history: .p, .deep) }
    }

    @Test func `regions are left together, then take their rows, then are entered`() throws {
        var (machine, first) = try L.started { regions() }
        #expect(first == ["+p", "+a", "+a1", "+b", "+b1"])
        #expect(machine.handle(.go) == .handled(["-b1", "-a1", "a", "b", "+a2", "+b2"]))
    }

    @Test func `a row of an earlier region keeps a later one from leaving the same state`() throws {
        var (machine, _) = try L.started { regions() }
        _ = machine.handle(.go)
        #expect(
            machine.handle(.off) == .handled(["-b2", "-b", "-a2", "-a", "-p", "off", "+d"]))
        #expect(
            machine.handle(.back)
                == .handled(["-d", "+p", "+a", "+a2", "+b", "+b2"]))
    }

    @Test func `an inner row replaces one farther out of an earlier region`() throws {
        var (machine, _) = try L.started {
            L.parallel(.p) {
                L.when(.go).then(.a).commands("outer")
                L.state(.a)
                L.state(.b) {
                    L.when(.go).then(.b1).commands("inner")
                    L.state(.b1)
                }
            }
        }
        #expect(machine.handle(.go) == .handled(["inner"]))
    }

    @Test func `external, internal and targetless rows`() throws {
        var (machine, _) = try L.started {
            L.told(.a) {
                L.initial(.a1)
                L.when(.go).then(.a1)
                L.when(.back).then(.a1).internally()
                L.when(.on).commands("on")
                L.told(.a1)
            }
        }
        #expect(machine.handle(.go) == .handled(["-a1", "-a", "+a", "+a1"]))
        #expect(machine.handle(.back) == .handled(["-a1", "+a1"]))
        #expect(machine.handle(.on) == .handled("on"))
        #expect(machine.handle(.off) == .unhandled)
    }

    @Test func `an ignored event does not reach the states round`() throws {
        var (machine, _) = try L.started {
            L.state(.a) {
                L.when(.go).commands("outer")
                L.state(.a1) { L.when(.go).ignored("inside") }
            }
        }
        #expect(machine.handle(.go) == .ignored("inside"))
    }

    @Test func `what is remembered decides about rows`() throws {
        var (machine, _) = try L.started {
            L.initial(.a)
            L.state(.a) {
                L.when(.go).condition { $0.context == 1 }.then(.b)
                L.when(.go).update { sum, event in sum += event == .go ? 1 : 10 }
            }
            L.state(.b) {
                L.onEntry().commands { ["sum \($0.context)", "in b: \($0.isIn(.b))"] }
                L.when(.back).then(.a)
            }
        }
        #expect(machine.handle(.go) == .handled)
        #expect(machine.context == 1)
        #expect(machine.handle(.go) == .handled(["sum 1", "in b: true"]))
    }

    @Test func `a region looks at another one, and follows it without an event`() throws {
        var (machine, _) = try L.started {
            regions { L.always().condition { $0.isIn(.b2) && $0.isIn(.a2) }.then(.d) }
        }
        #expect(machine.handle(.go).commands.last == "+d")
        #expect(machine.active == [.d])
    }

    @Test func `own events come in order, before those from outside`() throws {
        var (machine, first) = try L.started {
            L.onEntry("chart").raise(.go)
            L.initial(.a).commands("initially").raise { $0.isIn(.a) ? .off : .on }
            L.when(.off).commands("off")
            L.told(.a) { L.when(.go).then(.b).commands("go").raise(.back) }
            L.told(.b) { L.when(.on).raise { _ in nil } }
        }
        #expect(
            first == [
                "chart", "initially", "+a", "-a", "go", "+b",
                "\(ChartLoss.unhandled(L.Event.back))",
            ])
        #expect(machine.handle(.on) == .handled)
    }

    @Test func `a chart that runs in circles says so`() throws {
        var (machine, _) = try L.started(limit: 3) {
            L.initial(.a)
            L.state(.a) { L.when(.go).raise(.on).raise(.off).then(.b) }
            L.told(.b) { L.always().condition { _ in true }.then(.b) }
        }
        #expect(
            Array(machine.handle(.go).commands.suffix(3))
                == [
                    "\(ChartLoss<L.Event>.endless)", "\(ChartLoss.dropped(L.Event.on))",
                    "\(ChartLoss.dropped(L.Event.off))",
                ])
        #expect(machine.active == [.b])
    }

    @Test func `regions are done one by one, then all together`() throws {
        var (machine, _) = try L.started {
            L.initial(.p)
            L.when(done: .a).commands("a done")
            L.when(done: .b).commands("b done")
            L.parallel(.p) {
                L.when(done: .p).then(.d)
                L.state(.a) {
                    L.initial(.a1)
                    L.state(.a1) { L.when(.go).then(.a2) }
                    L.final(.a2) { L.onEntry("end") }
                }
                L.state(.b) {
                    L.initial(.b1)
                    L.state(.b1) { L.when(.on).then(.b2) }
                    L.final(.b2)
                }
            }
            L.final(.d) { L.onEntry("the end").raise(.go) }
        }
        #expect(machine.handle(.go) == .handled(["end", "a done"]))
        #expect(!machine.hasEnded)
        #expect(
            machine.handle(.on)
                == .handled(["b done", "the end", "\(ChartLoss.dropped(L.Event.go))"]))
        #expect(machine.hasEnded)
        #expect(machine.handle(.off) == .ignored("the chart has ended"))
    }

    @Test func `a parallel state is not done while its regions are being entered`() throws {
        let (machine, _) = try L.started {
            L.parallel(.p) {
                L.when(done: .p).then(.d)
                L.state(.a) { L.final(.a1) }
                L.state(.b)
            }
            L.initial(.p)
            L.state(.d)
        }
        #expect(machine.active == [.p, .a, .a1, .b])
    }

    @Test func `the history of a state round the row's own enters nothing that was not left`()
        throws
    {
        var (machine, _) = try L.started {
            L.told(.a) {
                L.initial(.b)
                L.told(.b) {
                    L.initial(.b1)
                    L.told(.b1) {
                        L.when(.go).then(.b2)
                        L.when(.back).then(history: .a, .deep)
                    }
                    L.told(.b2)
                }
                L.when(.off).then(.a)
            }
        }
        _ = machine.handle(.go)
        _ = machine.handle(.off)
        #expect(machine.isIn(.b1))
        #expect(machine.handle(.back) == .handled(["-b1", "+b2"]))
    }

    @Test(arguments: [ChartHistory.shallow, .deep])
    func `history of both depths, and where it leads at first`(depth: ChartHistory) throws {
        var (machine, _) = try L.started {
            L.initial(.d)
            L.state(.d) { L.when(.back).then(history: .a, depth) }
            L.state(.a) {
                L.history(depth, initially: .b2).commands("first time")
                L.initial(.c)
                L.when(.off).then(.d)
                L.state(.b) {
                    L.initial(.b1)
                    L.state(.b1)
                    L.state(.b2) { L.when(.go).then(.c2) }
                }
                L.state(.c) {
                    L.initial(.c1)
                    L.state(.c1)
                    L.state(.c2)
                }
            }
        }
        #expect(machine.handle(.back) == .handled("first time"))
        #expect(machine.isIn(.b2))
        _ = machine.handle(.go)
        _ = machine.handle(.off)
        #expect(machine.handle(.back) == .handled)
        #expect(machine.isIn(depth == .deep ? .c2 : .c1))
    }
}

@Suite struct ChartMachineTests {
    @Test func `entry and exit of a whole machine`() {
        var (player, _) = Player.chart.start()
        _ = player.handle(.play)
        #expect(player.entryCommands == [.motorOn])
        #expect(player.exitCommands == [.motorOff])
        #expect(player.isIn(.playing))
    }

    @Test func `what a machine listens to, and which regions are undecided`() {
        var (player, _) = Player.chart.start()
        #expect(player.listens == [.play])
        _ = player.handle(.play)
        #expect(player.listens == [.stop, .end, .pause, .mute])
        #expect(player.undecidedRegions(of: .stop).isEmpty)
        #expect(player.undecidedRegions(of: .mute).map(\.description) == ["deck: track"])
        #expect(
            player.undecidedRegions(of: .play).map(\.description)
                == ["deck: track", "volume: normal"])
    }

    @Test func `every state of a chart is explored`() {
        let graph = StateGraph(from: Player.chart.start().machine, events: Player.Event.allCases)
        // Stopped or in four states, each with nothing or one of four in its history.
        #expect(graph.states.count == 25)
        #expect(graph.unfaithfulSteps.isEmpty)
    }

    @Test func `a machine is put away and goes on with what is left of its time`() throws {
        var (machine, _) = TrafficLight.chart.start(at: .zero)
        let pressed = TrafficLight.Event(kind: .button, instant: .zero)
        _ = machine.handle(pressed)
        let snapshot = Snapshot(of: machine, at: .zero + .seconds(2))
        let data = try JSONEncoder().encode(snapshot)
        let restored = try JSONDecoder().decode(
            Snapshot<ChartMachine<TrafficLight>>.self, from: data
        ).restored(at: .zero + .seconds(100))
        #expect(restored.active == machine.active)
        #expect(restored.deadline == .zero + .seconds(103))
    }

    @Test func `a history is put away with the machine`() throws {
        var (player, _) = Player.chart.start()
        for event in [Player.Event.play, .mute, .stop] { _ = player.handle(event) }
        let data = try JSONEncoder().encode(player)
        var copy = try JSONDecoder().decode(ChartMachine<Player>.self, from: data)
        #expect(copy == player)
        _ = copy.handle(.play)
        #expect(copy.isIn(.muted))
    }

    @Test(arguments: [
        #"{"active":[1,2,3],"histories":[[]],"due":[],"context":{}}"#,
        #"{"active":[0,1],"histories":[[]],"due":[],"context":{}}"#,
        #"{"active":[3],"histories":[[]],"due":[],"context":{}}"#,
        #"{"active":[0],"histories":[],"due":[],"context":{}}"#,
        #"{"active":[0],"histories":[[0]],"due":[],"context":{}}"#,
        #"{"active":[0],"histories":[[]],"due":[null],"context":{}}"#,
        #"{"active":[0],"histories":[[3,4,6]],"due":[],"context":{}}"#,
        #"{"active":[0],"histories":[[3]],"due":[],"context":{}}"#,
    ])
    func `states that cannot be active together are not taken up`(json: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(ChartMachine<Player>.self, from: Data(json.utf8))
        }
    }
}
