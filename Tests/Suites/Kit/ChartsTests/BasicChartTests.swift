import Charts
import Checkout
import Foundation
import StateMachines
import Testing

@Suite struct ChartExampleTests {
    private func light(_ kind: TrafficLight.Event.Kind, _ seconds: Int64) -> TrafficLight.Event {
        TrafficLight.Event(kind: kind, instant: .zero + .seconds(seconds))
    }

    @Test func `a traffic light waits for the states that are active`() {
        var (machine, first) = TrafficLight.chart.start(at: .zero)
        #expect(first == [.red])
        #expect(machine.handle(light(.button, 1)) == .handled)
        #expect(machine.deadline == .zero + .seconds(6))
        #expect(machine.handle(light(.timePassed, 6)) == .handled(.green))
        #expect(machine.active == [.working, .walk])
        #expect(machine.handle(light(.button, 7)) == .ignored("the light is on its way"))
        #expect(machine.handle(light(.timePassed, 7)) == .ignored("no timeout is due"))
        #expect(machine.deadline == .zero + .seconds(26))
        #expect(machine.handle(light(.fault, 7)) == .handled(.yellow))
        #expect(machine.deadline == .zero + .milliseconds(7_500))
        #expect(machine.handle(light(.timePassed, 8)) == .handled([.off, .yellow]))
        #expect(machine.handle(light(.repaired, 8)) == .handled(.red))
        #expect(machine.deadline == nil)
    }

    @Test func `it does not matter how late a light is told the time`() {
        var (machine, _) = TrafficLight.chart.start(at: .zero)
        _ = machine.handle(light(.button, 0))
        #expect(machine.handle(light(.timePassed, 60)) == .handled([.green, .red, .red]))
        #expect(machine.isIn(.stop))
        _ = machine.handle(light(.button, 61))
        // The button comes after what was due before it.
        #expect(
            machine.handle(light(.button, 97))
                == .handled([.green, .red, .red]))
        #expect(machine.isIn(.waiting))
    }

    @Test func `a player goes on where it was stopped`() {
        var (player, first) = Player.chart.start()
        #expect(first.isEmpty)
        #expect(player.handle(.play) == .handled(.motorOn))
        #expect(player.handle(.mute) == .handled(.mute))
        #expect(player.handle(.pause) == .handled)
        #expect(player.description == "paused + muted")
        #expect(player.handle(.stop) == .handled(.motorOff))
        #expect(player.handle(.play) == .handled(.motorOn))
        #expect(player.description == "paused + muted")
        #expect(player.handle(.play) == .handled)
        #expect(player.handle(.end) == .handled(.motorOff))
        #expect(player.active == [.stopped])
        #expect(player.handle(.mute) == .unhandled)
    }

    @Test func `the page shows no code but what is compiled and run`() throws {
        func lines(_ path: String) throws -> String {
            try String(contentsOf: Checkout.root.appending(path: path), encoding: .utf8)
                .split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n")
        }
        let code = try ["ChartExamples", "BasicChartTests"]
            .map { try lines("Tests/Suites/Kit/ChartsTests/\($0).swift") }
            .joined(separator: "\n")
        let blocks = try lines("Sources/Kit/Charts/Charts.docc/Charts.md")
            .components(separatedBy: "```swift\n").dropFirst()
        #expect(blocks.count == 4)
        for block in blocks {
            let shown = block.components(separatedBy: "```")[0]
            #expect(code.contains(shown), "\(shown)")
        }
    }
}
