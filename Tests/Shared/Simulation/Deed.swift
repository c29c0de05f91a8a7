import SimulatedHardware
import StateMachines
import Turnstile

/// Something that somebody does to the gate or to the service.
enum Deed {
    /// Something happens at the gate.
    case world(World.Event)
    /// The service is stopped in an orderly way, and started again after a while.
    case stop(down: Duration)
    /// The service is killed, and started again after a while.
    case kill(down: Duration)
    /// The power is cut, and is back after a while.
    case cutPower(down: Duration)
    /// The loop does not come to run for a while.
    case holdUp(Duration)
    /// The service is told of a new policy.
    case reload(Policy)
    /// Somebody asks for something from afar.
    case ask(Request, by: Requester)
    /// Somebody sets the clock on the wall.
    case setClock(by: Duration)
}

extension Deed: CustomStringConvertible {
    var description: String {
        switch self {
        case .world(let event): Self.short("\(event)")
        case .stop(let down): "the service is stopped, for \(down)"
        case .kill(let down): "the service is killed, for \(down)"
        case .cutPower(let down): "the power is cut, for \(down)"
        case .holdUp(let duration): "the loop is held up for \(duration)"
        case .reload(let policy): Self.short("reload \(policy)")
        case .ask(let request, let requester): Self.short("\(requester) asks for \(request)")
        case .setClock(let duration): "the clock is set by \(duration)"
        }
    }

    /// Without the names of modules and types.
    private static func short(_ text: String) -> String {
        ["SimulatedHardware.", "Turnstile.", "World.Event."].reduce(text) { text, name in
            text.replacing(name, with: "")
        }
    }
}

/// What is to happen, earliest first; of two deeds at one moment, the one planned first.
struct Agenda {
    /// The next one at the end, where it is taken off at no cost.
    private var entries: [(time: Instant, deed: Deed)] = []

    /// When the next deed is due.
    var nextTime: Instant? { entries.isEmpty ? nil : entries[entries.count - 1].time }

    /// Plans `deed`.
    mutating func plan(_ deed: Deed, at time: Instant) {
        var position = entries.startIndex
        while position < entries.endIndex, entries[position].time > time { position += 1 }
        entries.insert((time, deed), at: position)
    }

    /// Plans something that happens at the gate.
    mutating func plan(_ event: World.Event, at time: Instant) { plan(.world(event), at: time) }

    /// Takes the next deed off.
    mutating func takeNext() -> (time: Instant, deed: Deed)? { entries.popLast() }
}
