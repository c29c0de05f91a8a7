import Console
import GateClient

struct RegisterPage {
    let state: GateState

    var lines: [[Span]] {
        let rows = state.registers.map { count in
            let style: Style = count.total == 0 ? .faint : .plain
            return [count.name, "\(count.total)", "\(count.collected)"].map { Span($0, style) }
        }
        return Table(["register", "in all", "since the collection"], rows).lines
    }
}
