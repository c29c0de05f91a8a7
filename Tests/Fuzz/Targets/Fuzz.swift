import Glibc

/// Something that reads what others wrote, which may be anything.
protocol FuzzTarget: SendableMetatype {
    /// Its name: `settings`.
    static var name: String { get }
    /// Hands these bytes over, and ends the process where what comes of it makes no sense.
    static func take(_ bytes: [UInt8])
}

/// All of them.
let fuzzTargets: [any FuzzTarget.Type] = [
    SettingsTarget.self, ScenarioTarget.self, SlipTarget.self, RecordTarget.self, StateTarget.self,
    LedgerTarget.self, CallTarget.self, GateStateTarget.self, GateEventTarget.self,
    EnvironmentTarget.self, TraceTarget.self, TraceContentTarget.self, ExportTarget.self,
]

/// The one that is asked for in the environment.
private let target: any FuzzTarget.Type = {
    // Sound: nothing changes the environment, and the text is copied at once.
    let name = unsafe getenv("FUZZ_TARGET").map { unsafe String(cString: $0) } ?? ""
    guard let target = fuzzTargets.first(where: { $0.name == name }) else {
        let names = fuzzTargets.map { $0.name }
        fail("FUZZ_TARGET=\(name): allowed is \(names.joined(separator: ", "))")
    }
    return target
}()

/// Ends the process, which libFuzzer takes for a find.
func fail(_ words: String) -> Never { fatalError(words) }

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    // Sound: libFuzzer lends so many bytes, which are copied.
    target.take(unsafe Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}
