import Foundation

/// How much processor time the compiler takes to check the types of a table with so many rows, or
/// nil when there is no compiler to be found.
func typeCheckTime(rows: Int) throws -> Duration? {
    let events = 10
    func cases(_ letter: String, _ count: Int) -> String {
        (0..<count).map { "\(letter)\($0)" }.joined(separator: ", ")
    }
    var source = """
        import StateMachines
        enum Big: TableSyntax {
            enum State: UInt8, Enumerated { case \(cases("s", rows / events)) }
            enum Event: UInt8, Enumerated { case \(cases("e", events)) }
            enum Command { case unlock, lock }
            static func table() throws -> Table<Self> {
                try Table(initial: .s0) {

        """
    for state in 0..<rows / events {
        source += "define(.s\(state)) {\n"
        for event in 0..<events {
            source +=
                "when(.e\(event)).then(.s\((state + event) % (rows / events))).commands(.lock)\n"
        }
        source += "}\n"
    }
    source += "}\n}\n}\n"
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
