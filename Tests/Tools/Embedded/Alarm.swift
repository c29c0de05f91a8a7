// An alarm beside the gate, for the same check: a table, in a region of its own.
import StateMachines

/// The alarm, as a table.
enum Alarm: TableSyntax {
    enum State: UInt8, Enumerated { case silent, sounding }
    typealias Event = Main.Event
    typealias Command = Main.Command

    static func table() throws(TableError) -> Table<Self> {
        try Table(initial: .silent) {
            define(.silent) {
                when(.fail).then(.sounding)
                when(.coin, or: .pass, .reset, .repair).ignored("silent")
            }
            define(.sounding, onEntry: [.alarmOn], onExit: [.alarmOff]) {
                when(.reset, or: .repair).then(.silent)
                when(.coin, or: .pass, .fail).ignored("sounding already")
            }
        }
    }
}

/// Lets gate and alarm handle an event that a board gives, and adds their commands up.
@_cdecl("run_gate_and_alarm")
public func runGateAndAlarm(_ event: UInt8) -> Int {
    guard let event = Event(rawValue: event), let table = try? Alarm.table() else { return -1 }
    var machine = Regions(Gate.functioning(.locked), TableMachine(table))
    var sum = 0
    machine.handle(event).commands.forEach { sum += Int($0.rawValue) }
    return sum
}
