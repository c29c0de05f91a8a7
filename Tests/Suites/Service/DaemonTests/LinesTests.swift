import Controller
import Foundation
import Hardware
import Journal
import Keeping
import Retention
import Settings
import StateMachines
import System
import Testing
import Turnstile

@testable import Daemon

/// What a daemon makes of the lines and of the ledger that it is given.
@Suite final class LinesTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// A gate that is locked from the start, whatever was before: its loop is closed.
    static func settings(ledger: String) -> String {
        """
        emergency: {fire_reset: auto}
        fare: {price: 100}
        coin: {unit: 50}
        ledger: {path: \(ledger)}
        hardware:
          chip: {label: board}
          inputs:
            rotor_a: {line: 1}
            rotor_b: {line: 2}
            fire: {line: 8, debounce: 0ms}
            release_entry: {line: 3, debounce: 100ms}
            coin_pulse: {line: 4}
            vault_present: {line: 5, active_low: false}
          outputs:
            lock_entry: {line: 6, power_loss: fail_secure}
            coin_inhibit: {line: 7}
        """
    }

    /// Runs a daemon on `bank` until the chip is gone, and returns what it wrote down.
    private func run(
        _ bank: ScriptedBank, ledger: String = "off",
        in folders: Folders = Folders(runtime: nil, state: nil)
    ) throws -> [JournalEntry] {
        let text = Array(Self.settings(ledger: ledger).utf8)
        let journal = ListingJournal()
        let daemon = try Daemon(text, on: bank, journal, folders)
        #expect(try daemon.run() == EX_IOERR)
        return journal.entries
    }

    @Test(arguments: [false, true])
    func `what the lines do not debounce the service does`(debounces: Bool) throws {
        let bank = try ScriptedBank(debounces: debounces)
        bank.script = [[(.releaseEntry, true), (.releaseEntry, false)]]
        bank.isReady.signal()
        let events = try run(bank).compactMap { $0[.event] }
        #expect(events.contains("released") == debounces)
    }

    @Test(arguments: [false, true])
    func `a ledger that is not open takes no coin`(hasLedger: Bool) throws {
        let ledger = folder.appending(path: "ledger.db")
        try Data(repeating: 0x2A, count: 10_000).write(to: ledger)
        let bank = try ScriptedBank(debounces: true)
        bank.isReady.signal()
        _ = try run(bank, ledger: hasLedger ? ledger.path : "off")
        #expect(bank.everEnergised[.coinEnable] == !hasLedger)
    }

    @Test func `the registers go on from those in the ledger`() throws {
        for start in 1...3 {
            let bank = try ScriptedBank(debounces: true)
            // Coins are taken as soon as the ledger is open; then the vault is collected.
            bank.waitsForCoins = true
            bank.script = [[(.vaultPresent, false), (.vaultPresent, true)]]
            let entries = try run(bank, ledger: folder.appending(path: "ledger.db").path)
            let registers = entries.filter { $0[.occasion] == "collection" }
            #expect(registers.map { $0[.register] } == ["starts=\(start)"])
        }
    }

    @Test func `a reload takes how often the registers are written down, with the policy`() throws {
        let file = folder.appending(path: "gate.yaml")
        let text = Array(Self.settings(ledger: "off").utf8)
        let bank = try ScriptedBank(debounces: true)
        let daemon = try Daemon(text, at: file.path, on: bank, ListingJournal())
        let changed = text + Array("\nrecords: {register_snapshot: 5min}\n".utf8)
        try Data(changed).write(to: file)
        // A reload hears of what waits at the lines first.
        bank.script = [[], []]
        var intervals: [Duration?] = []
        bank.onEvents = { [unowned daemon] in
            intervals.append(daemon.controller?.registerSnapshot)
            daemon.reload()
            intervals.append(daemon.controller?.registerSnapshot)
        }
        bank.isReady.signal()
        #expect(try daemon.run() == EX_IOERR)
        #expect(intervals == [.seconds(4 * 3_600), .seconds(300)])
    }

    @Test func `a start that is to help is kept in mind by the next one, which waits`() throws {
        let folders = Folders(runtime: folder.path, state: nil)
        var kept: [Recurrence?] = []
        var events: [String] = []
        for _ in 1...2 {
            let bank = try ScriptedBank(debounces: true)
            bank.unreadable = .vaultPresent
            // Two of the start, and the first one after it.
            bank.looks = 3
            events += try run(bank, in: folders).compactMap { $0[.event] }
            kept.append(RuntimeFolder(path: folder.path).recurrence(Kept.watchdog))
        }
        #expect(events.count { $0 == "watchdog_withheld" } == 1)
        #expect(kept[0]?.count == 1)
        #expect(kept[0] == kept[1])
    }
}

extension Daemon {
    /// A daemon with settings of this text, on lines and with a journal of the test's.
    convenience init(
        _ text: [UInt8], at path: String = "gate.yaml", on bank: any LineBank,
        _ journal: any Journal, _ folders: Folders = Folders(runtime: nil, state: nil)
    ) throws {
        let file = SettingsFile(path: path, try Settings.parse(text, file: path), text: text)
        let surroundings = try Surroundings(
            loop: SystemdEventLoop(), clock: SystemWallClock(), journal: journal,
            service: SystemdServiceManager(), folders: folders, openLines: { _ in bank })
        self.init(file, traces: false, in: surroundings)
    }
}

/// A journal that is kept for the test.
final class ListingJournal: Journal {
    private(set) var entries: [JournalEntry] = []
    /// Called with each entry.
    var onEntry: (JournalEntry) -> Void = { _ in }

    func write(_ entry: @autoclosure () -> JournalEntry) {
        entries.append(entry())
        onEntry(entries[entries.count - 1])
    }
}

/// Lines on which happens what the test says, one part of it at a time; then the chip is gone.
final class ScriptedBank: LineBank {
    let capabilities: Capabilities
    /// What makes the daemon ask what happened.
    let isReady: EventFD
    /// What happens, each time that the daemon asks once it has started.
    var script: [[(Input, Bool)]] = []
    /// Called the first time that something happens; it may lead to another look at the lines.
    var onEvents: () -> Void = {}
    /// The input that cannot be read.
    var unreadable: Input?
    /// After how many looks at the inputs it happens; nil where it waits for none.
    var looks: Int?
    /// Whether nothing happens before coins are taken.
    var waitsForCoins = false
    /// The outputs that were energised at some time.
    private(set) var everEnergised = OutputSet()
    private var energised = OutputSet()
    private var levels = InputLevels(.vaultPresent)
    private var hasStarted = false

    init(debounces: Bool) throws {
        capabilities = Capabilities(
            name: "test", debounces: debounces, detectsLostEdges: true)
        isReady = try EventFD()
    }

    var descriptors: [CInt] { [isReady.descriptor] }
    func takeEvents(at ready: [CInt], _ body: (LineEvent) -> Void) throws(HardwareError) {
        // Nothing waits at the start.
        guard hasStarted else { return hasStarted = true }
        guard !script.isEmpty else { throw HardwareError(.failed, "read: No such device") }
        let (events, tell) = (script.removeFirst(), onEvents)
        onEvents = {}
        tell()
        for (input, isActive) in events {
            levels[input] = isActive
            body(.edge(input, isActive: isActive, at: MonotonicTimer.now))
        }
    }
    func readInputs(_ failed: (Input, HardwareError) -> Void) -> InputLevels {
        if let unreadable {
            failed(unreadable, HardwareError(.failed, line: .input(unreadable), "it is broken"))
        }
        if let left = looks { looks = left - 1 }
        if looks == 0 { isReady.signal() }
        return levels
    }
    func set(_ output: Output, energised isOn: Bool) throws(HardwareError) {
        energised[output] = isOn
        if isOn { everEnergised[output] = true }
        if waitsForCoins && output == .coinEnable && isOn { isReady.signal() }
    }
    func readOutputs(_ failed: (Output, HardwareError) -> Void) -> OutputSet { energised }
    func close() throws(HardwareError) { energised = [] }
}
