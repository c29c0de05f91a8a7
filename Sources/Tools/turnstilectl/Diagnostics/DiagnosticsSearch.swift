import ArgumentParser
import Audit
import Doctor
import Journal
import Ledger
import Settings
import System
import Trace
import Turnstile

/// Collects everything about an incident, and continues if a part is missing.
struct DiagnosticsSearch {
    struct Places {
        /// A trace, or a service's folder of traces.
        var trace: String
        /// The ledger; nil for the one that the settings name.
        var ledger: String?
        /// The settings; nil for those that were in force.
        var settings: String?
        var bus: BusConnection.Bus
    }

    private let places: Places
    private let recording: Result<Recording, RecordingError>
    private let settings: Result<String, SettingsErrors>
    private let header: TraceHeader?
    private let now = SystemWallClock.utc
    private var bundle: DiagnosticsBundle

    private static let mostLedgerBytes = 16_000_000
    /// The length of the period by default.
    private static let usualLength = Duration.seconds(3_600)

    /// Makes a bundle of a period; by default of the last recorded hour and everything since.
    static func bundle(
        from places: Places, since: TraceTime?, until: TraceTime?, service: ServiceReport?
    ) throws -> DiagnosticsBundle {
        var search = try DiagnosticsSearch(places, since: since, until: until)
        search.takeTrace()
        search.takeSettings()
        search.takeJournal()
        search.examine(service)
        search.takeVersions()
        search.takeLedger()
        return search.bundle
    }

    private init(_ places: Places, since: TraceTime?, until: TraceTime?) throws {
        self.places = places
        recording = Result { () throws(RecordingError) in try Recording(path: places.trace) }
        let found = try? recording.get()
        let (clock, end) = (found?.clock ?? .system, found?.end ?? now)
        let (since, to) = try TraceTime.range(
            since, until, before: end, from: found?.start, clock)
        let from = since ?? (to ?? end) - Self.usualLength
        let pages = found.map { TracePart($0, from: from, to: to).pages } ?? 0..<0
        header = pages.last.flatMap { found?.pages[$0].header } ?? found?.pages.last?.header
        settings = Self.settings(places, header)
        bundle = DiagnosticsBundle(
            gate: header?.gate ?? Self.parsed(settings)?.gate ?? "gate", from: from, to: to,
            made: now, clock: clock)
    }

    /// The text of the settings: of a named file, or else of those in force: as recorded, as the
    /// service published them, or as it would read them.
    private static func settings(
        _ places: Places, _ header: TraceHeader?
    ) -> Result<String, SettingsErrors> {
        Result { () throws(SettingsErrors) in
            let text: [UInt8]
            if let path = places.settings {
                text = try Settings.read(path: path)
            } else if let recorded = header?.settings, !recorded.isEmpty {
                return recorded
            } else if let inForce = try? Settings.read(path: Settings.placeInForce) {
                text = inForce
            } else {
                text = try Settings.read(path: Settings.standardPath)
            }
            return String(decoding: text, as: UTF8.self)
        }
    }

    /// The settings, where they are in order for this version.
    private static func parsed(_ settings: Result<String, SettingsErrors>) -> Settings? {
        (try? settings.get()).flatMap { try? Settings.parse($0, file: "settings") }
    }
}

// The parts.
extension DiagnosticsSearch {
    private mutating func takeTrace() {
        let recording: Recording
        do throws(RecordingError) {
            recording = try self.recording.get()
        } catch {
            bundle.leaveOut(.trace, "\(error)")
            return
        }
        let part = TracePart(recording, from: bundle.from, to: bundle.to)
        let cut = TraceCutting.cut(
            of: recording, pages: part.pages,
            settings: { UncommentedText($0)?.text ?? "" }, isWanted: part.contains)
        guard let cut else {
            bundle.leaveOut(.trace, recording.absence(of: part))
            return
        }
        let flaws =
            recording.endings.map {
                "\($0.path) is read as far as byte \($0.offset): \($0.reason)"
            }
            + cut.replay.gapTexts
        bundle.put(
            .trace, cut.bytes, remark: flaws.isEmpty ? nil : flaws.joined(separator: "; "))
    }

    private mutating func takeSettings() {
        do throws(SettingsErrors) {
            let text = try settings.get()
            if let rest = UncommentedText(text) {
                bundle.commentCount = rest.commentCount
                bundle.put(.settings, rest.text)
            } else {
                bundle.leaveOut(.settings, "the comments in them cannot be identified")
            }
        } catch {
            bundle.leaveOut(.settings, "\(error)")
        }
    }

    private mutating func takeJournal() {
        var text = JournalText(bundle.clock)
        do throws(SystemError) {
            try JournalReader().forEachBackwards(since: bundle.from, until: bundle.to) {
                text.take($0)
            }
        } catch {
            bundle.put(
                .journal, "The journal cannot be read: \(error.ofJournal())\n",
                remark: "the journal cannot be read: \(error.ofJournal())")
            return
        }
        let remark = text.lastLeftOut.map {
            "entries of \(bundle.clock.text(of: $0)) and before are left out: too much"
        }
        let head = remark.map { "-- \($0)\n" } ?? ""
        bundle.put(
            .journal, text.isEmpty ? "The journal has nothing of that time.\n" : head + text.text,
            remark: remark)
    }

    private mutating func examine(_ service: ServiceReport?) {
        var options = Doctor.Options(path: places.settings ?? Settings.standardPath)
        options.service = service
        let report = Doctor.examine(options)
        bundle.put(.doctor, report.description)
        bundle.put(.doctorObject, "\(report.json)\n")
    }

    private mutating func takeVersions() {
        let versions = Versions(service: header?.serviceVersion, bus: places.bus)
        bundle.put(.versions, versions.text)
    }

    private mutating func takeLedger() {
        do {
            let path = try ledgerPath()
            bundle.ledgerPath = path
            let snapshot = try LedgerReader(path: path).open()
            var (text, isTooLong) = ("", false)
            let export = JSONLinesExport(snapshot, since: bundle.from, until: bundle.to)
            try export.write { line in
                isTooLong = isTooLong || text.utf8.count + line.utf8.count > Self.mostLedgerBytes
                if !isTooLong { text += line }
            }
            if isTooLong {
                let most = DiagnosticsBundle.size(Self.mostLedgerBytes)
                bundle.leaveOut(
                    .ledger, "it has more than \(most) of that time: name a shorter one")
            } else {
                bundle.put(.ledger, text)
            }
            let report = try Report(
                of: snapshot, .times(from: bundle.from, to: bundle.to), by: nil,
                clock: bundle.clock)
            bundle.put(.registers, report.json(clock: bundle.clock))
        } catch {
            for file in [DiagnosticsFile.ledger, .registers] where !bundle.has(file) {
                bundle.leaveOut(file, "\(error)")
            }
        }
    }

    private func ledgerPath() throws(CommandError) -> String {
        if let path = places.ledger { return path }
        // A simulated gate's ledger is where its command line says.
        if header?.isSimulated == true {
            throw CommandError("the gate is simulated: name its ledger with --ledger")
        }
        guard let settings = Self.parsed(settings) else {
            throw CommandError("the settings do not say where it is")
        }
        guard let path = settings.ledger else {
            throw CommandError("no ledger: 'ledger.path' is off")
        }
        return path
    }
}
