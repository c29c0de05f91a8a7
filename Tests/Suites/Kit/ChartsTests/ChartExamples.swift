import Charts
import StateMachines

// The code of the page Charts, compiled and run. ``BasicChartTests`` sees to it that it has no
// other.

/// A traffic light for pedestrians: time, states inside a state, and a button.
enum TrafficLight: SharedChart {
    enum State: UInt8, Enumerated {
        case working, stop, waiting, walk, clearing, flashing, lit, dark
    }

    struct Event: TimedEvent, Hashable {
        enum Kind: UInt8, Enumerated { case button, fault, repaired, timePassed }
        let kind: Kind
        let instant: Instant
        static let timePassed = Kind.timePassed
    }

    enum Command: Hashable { case red, green, yellow, off, report(ChartLoss<Event>) }

    static func command(for loss: ChartLoss<Event>) -> Command? { .report(loss) }

    static let chart = try! Chart<Self> {
        initial(.working)
        state(.working) {
            initial(.stop)
            when(.fault).then(.flashing)
            whenAny().ignored("the light is on its way")
            state(.stop) {
                onEntry(.red)
                when(.button).then(.waiting)
            }
            state(.waiting) { after(.seconds(5)).then(.walk) }
            state(.walk) {
                onEntry(.green)
                after(.seconds(20)).then(.clearing)
            }
            state(.clearing) {
                onEntry(.red)
                after(.seconds(10)).then(.stop)
            }
        }
        state(.flashing) {
            initial(.lit)
            when(.repaired).then(.working)
            whenAny().ignored("out of order")
            state(.lit) {
                onEntry(.yellow)
                after(.milliseconds(500)).then(.dark)
            }
            state(.dark) {
                onEntry(.off)
                after(.milliseconds(500)).then(.lit)
            }
        }
    }
}

/// A player: history, and a volume beside the deck.
enum Player: SharedChart {
    enum State: UInt8, Enumerated {
        case stopped, playing, deck, track, paused, volume, normal, muted
    }
    enum Event: UInt8, Enumerated { case play, stop, pause, mute, end }
    enum Command: Hashable { case motorOn, motorOff, mute, unmute, report(ChartLoss<Event>) }

    static func command(for loss: ChartLoss<Event>) -> Command? { .report(loss) }

    static let chart = try! Chart<Self>(tolerating: .undecidedPairs) {
        initial(.stopped)
        state(.stopped) { when(.play).then(history: .playing, .deep) }
        parallel(.playing) {
            onEntry(.motorOn)
            onExit(.motorOff)
            when(.stop, or: .end).then(.stopped)
            state(.deck) {
                initial(.track)
                state(.track) { when(.pause).then(.paused) }
                state(.paused) { when(.pause, or: .play).then(.track) }
            }
            state(.volume) {
                initial(.normal)
                state(.normal) { when(.mute).then(.muted).commands(.mute) }
                state(.muted) { when(.mute).then(.normal).commands(.unmute) }
            }
        }
    }
}

// To put the machines away.
extension TrafficLight.State: Codable, Restorable { static var snapshotVersion: Int { 1 } }
extension Player.State: Codable {}
