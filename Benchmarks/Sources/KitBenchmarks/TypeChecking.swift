import Foundation

/// How the source of a table is laid out.
enum Layout: String {
    /// All of it between the braces of the table.
    case inOnePiece = "in one piece"
    /// All of it between its braces, as an array.
    case inAnArray = "as an array"
    /// What each state has to say in a statement of its own, before the table.
    case byState = "a let for each state"
}

/// How much processor time the compiler takes to check the types of a table with so many rows, or
/// nil when there is no compiler to be found.
func typeCheckTime(rows: Int, _ layout: Layout) throws -> Duration? {
    try typeCheckTime(source(rows: rows, layout))
}

private func source(rows: Int, _ layout: Layout) -> String {
    let events = min(rows, 10)
    func cases(_ letter: String, _ count: Int) -> String {
        (0..<count).map { "\(letter)\($0)" }.joined(separator: ", ")
    }
    let states = rows / events
    let defines = (0..<states).map { state in
        let rows = (0..<events).map { event in
            "when(.e\(event)).then(.s\((state + event) % states)).commands(.lock)\n"
        }
        return "define(.s\(state)) {\n\(rows.joined())}\n"
    }
    var source = """
        import StateMachines
        enum Big: TableSyntax {
            enum State: UInt8, Enumerated { case \(cases("s", states)) }
            enum Event: UInt8, Enumerated { case \(cases("e", events)) }
            enum Command { case unlock, lock }

        """
    source += "static func table() throws -> Table<Self> {\n"
    let table = "return try Table(initial: .s0) {\n"
    switch layout {
    case .inOnePiece: source += table + defines.joined()
    case .inAnArray: source += table + "[\n" + defines.joined(separator: ",\n") + "]\n"
    case .byState:
        for (state, define) in defines.enumerated() { source += "let d\(state) = \(define)" }
        source += table + (0..<states).map { "d\($0)\n" }.joined()
    }
    return source + "}\n}\n}\n"
}

private func typeCheckTime(_ source: String) throws -> Duration? {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("Big-\(UUID()).swift")
    try source.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let products = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments = [
        "swiftc", "-typecheck", "-swift-version", "6", "-I",
        products.appendingPathComponent("Modules").path, file.path,
    ]
    let start = childrensProcessorTime()
    try compiler.run()
    compiler.waitUntilExit()
    return compiler.terminationStatus == 0 ? childrensProcessorTime() - start : nil
}

/// The time that the processes which this one has started and waited for had of a processor.
private func childrensProcessorTime() -> Duration {
    var ticks = tms()
    times(&ticks)
    return .seconds(ticks.tms_cutime + ticks.tms_cstime) / sysconf(Int32(_SC_CLK_TCK))
}
