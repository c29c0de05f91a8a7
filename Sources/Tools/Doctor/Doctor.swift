import GPIOHardware
import Settings
import StateMachines
import System

/// Checks that a machine has everything that the service needs, and changes nothing.
public enum Doctor {
    public struct Options: Sendable {
        public var root = Root()
        public var path: String
        public var version = programVersion
        /// The running service's report; nil if it was not asked.
        public var service: ServiceReport?
        /// Whether to request unused inputs briefly and read them: that sets their bias, as the
        /// service would.
        public var readsInputs = false
        /// Whether to drive unused outputs to their safe levels, release and read them, if no
        /// service runs.
        public var triesOutputs = false
        /// Whether to measure a commit with a temporary file beside the ledger.
        public var measuresCommit = false

        /// Whether a path is on a file system in memory, which the next boot clears.
        var isVolatile: @Sendable (String) -> Bool = isOnVolatileFileSystem

        public init(path: String) { self.path = path }
    }

    /// All checks, in the order of the report.
    static let checks: [Check] = [
        settings, settingsInForce,
        unit, unitNeeds, version, user, process, realTime, watchdog, stateFolder, runtimeFolder,
        busPolicy,
        devices, deviceAccess, udevRule, chips, lines, inputs, outputs, outputsLetGo, libgpiod,
        kernel,
        ledger, ledgerRoom, ledgerSize, lastCheckpoint, ledgerKey, commitTime,
        journal, journalRoom, catalog,
        clock, timeZone,
    ]

    public static func examine(_ options: Options) -> Report { examine(Facts(options)) }

    static func examine(_ facts: Facts) -> Report {
        Report(checks.flatMap { $0(facts) })
    }
}

extension Facts {
    init(_ options: Doctor.Options) {
        root = options.root
        path = options.path
        version = options.version
        service = options.service
        settings = Self.listing(options.path, options)
        inForce = try? Self.listing(Settings.placeInForce, options).get()
        unit = root.unit
        accounts = Accounts(root)
        process = root.serviceProcess
        showsProcesses = root.has(Root.processGroups)
        devices = root.devices
        capabilities = .ofLibgpiod
        kernel = Kernel.running.release
        stampsEdgesMonotonic = GPIOHardware.stampsEdgesMonotonic()
        rooms = [:]
        isClockSynchronized = clockIsSet()
        now = SystemWallClock.utc
        triesOutputs = options.triesOutputs
        survey = wiring.map {
            LineSurvey(
                of: $0, readsInputs: options.readsInputs,
                triesOutputs: triesOutputs && objectionToTrial == nil)
        }
        for folder in [ledgerFolder, "/var/log/journal"].compactMap({ $0 }) {
            rooms[folder] = Result { () throws(SystemError) in try Room(at: root(folder)) }
        }
        ledger = currentSettings?.ledger.flatMap { try? LedgerFacts(path: root($0)) }
        commit = options.measuresCommit ? ledgerFolder.map(measureCommit) : nil
    }

    /// The settings at a path below the root; messages omit the root.
    private static func listing(
        _ path: String, _ options: Doctor.Options
    ) -> Result<SettingsListing, SettingsErrors> {
        do throws(SettingsErrors) {
            let text = try Settings.read(path: options.root(path))
            let listing = try SettingsListing(text, file: path) {
                Settings.isBelowVolatileFolder($0) || options.isVolatile(options.root($0))
            }
            return .success(listing)
        } catch {
            return .failure(SettingsErrors(file: path, problems: error.problems))
        }
    }

    /// The longest of some commits to a temporary file beside the ledger.
    private func measureCommit(in folder: String) -> Result<Duration, SystemError> {
        let path = root("\(folder)/.doctor-\(MonotonicTimer.now.nanoseconds)")
        return Result { () throws(SystemError) in
            let file = try File(path: path, for: .creating)
            defer { try? File.remove(path) }
            var longest = Duration.zero
            for number in 0..<8 {
                let start = MonotonicTimer.now
                try file.write([UInt8](repeating: 0, count: 4096), at: number * 4096)
                try file.synchronize()
                longest = max(longest, MonotonicTimer.now - start)
            }
            return longest
        }
    }
}

extension Root {
    fileprivate static let processGroups = "/sys/fs/cgroup/system.slice"

    fileprivate var serviceProcess: ServiceProcess? {
        let group = "\(Self.processGroups)/turnstiled.service/cgroup.procs"
        let numbers = ((try? text(group).get()) ?? "").split(separator: "\n").compactMap { Int($0) }
        return numbers.lazy.compactMap { number in
            (try? text("/proc/\(number)/stat").get()).flatMap(ServiceProcess.init)
        }.first
    }

    /// The devices of GPIO chips, without symbolic links to them.
    fileprivate var devices: [String: FileStatus] {
        var devices: [String: FileStatus] = [:]
        for name in names(in: "/dev") where name.hasPrefix("gpiochip") {
            let path = "/dev/\(name)"
            guard let status = try? status(path, followsLinks: false).get(), status.kind != .link
            else { continue }
            devices[path] = status
        }
        return devices
    }
}

extension ServiceProcess {
    /// Parses `/proc/PID/stat`; nil for another program's process.
    init?(stat text: String) {
        // The name is in brackets and may contain brackets.
        guard let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")"),
            open < close, text[open...close] == "(turnstiled)"
        else { return nil }
        let fields = text[text.index(after: close)...].split { $0 == " " || $0 == "\n" }
        // proc(5) numbers the fields from 1; `fields` begins with the third.
        guard fields.count > 38, let number = Int(text[..<open].dropLast()),
            let priority = Int(fields[37]), let policy = Int(fields[38])
        else { return nil }
        self.init(number: number, schedulingPolicy: policy, priority: priority)
    }
}
