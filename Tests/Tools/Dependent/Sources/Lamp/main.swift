import Holding
import StateMachines

enum Lamp: TableSyntax {
    enum State: UInt8, Enumerated { case off, on }
    enum Event: UInt8, Enumerated { case pressed }
    enum Command { case light, darken }

    static func table() throws(TableError) -> Table<Self> {
        try Table(initial: .off) {
            define(.off) { when(.pressed).then(.on).commands(.light) }
            define(.on) { when(.pressed).then(.off).commands(.darken) }
        }
    }
}

let lamp = Holder(TableMachine(try Lamp.table())) { command, _ in print(command) }
lamp.handle(.pressed)
lamp.handle(.pressed)
