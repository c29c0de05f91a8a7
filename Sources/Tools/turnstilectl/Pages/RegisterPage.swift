import Console
import GateClient

struct RegisterPage {
    let state: GateState

    var lines: [[Span]] {
        var table = Table(columns: [.left, .right, .right])
        table.rows.append([
            [Span("register", .faint)], [Span("in all", .faint)],
            [Span("since the collection", .faint)],
        ])
        for count in state.registers {
            let style: Style = count.total == 0 ? .faint : .plain
            table.rows.append([
                [Span(count.name, style)], [Span("\(count.total)", style)],
                [Span("\(count.collected)", style)],
            ])
        }
        return table.lines
    }
}
