import CSystemd
import Glibc
public import System
import Turnstile

/// An entry in journald.
public struct KeptEntry: Hashable, Sendable {
    /// By the wall clock: UTC, since 1970.
    public var time: Duration
    public var bootID: String
    /// A name may come more than once.
    public var fields: [Field]

    public struct Field: Hashable, Sendable {
        /// Such as `MESSAGE`, or `_PID`.
        public var name: String
        /// Invalid UTF-8 is repaired.
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    public init(time: Duration, bootID: String, fields: [Field]) {
        self.time = time
        self.bootID = bootID
        self.fields = fields
    }

    /// The value of the first field of this name.
    public subscript(name: String) -> String? { fields.first { $0.name == name }?.value }
}

/// Reads the service's entries in systemd's journal.
@safe public final class JournalReader {
    /// Fields that an entry must have, such as `_PID=1`.
    public typealias Match = [String]

    /// Entries written by the service: no other process can forge them.
    public static let writtenByService: [Match] = [["_SYSTEMD_UNIT=turnstiled.service"]]

    /// The same, and systemd's entries about the service, which cannot be forged either.
    public static let ofService: [Match] =
        writtenByService + [["_PID=1", "UNIT=turnstiled.service"]]

    private let journal: OpaquePointer

    /// The journal of this machine, or of a folder; only entries that fulfil one of `matches`.
    ///
    /// Throws ENOENT if the journal is missing or may not be read.
    public init(
        folder: String? = nil, of matches: [Match] = JournalReader.ofService
    ) throws(SystemError) {
        var opened: OpaquePointer?
        // Sound, here and below: on success the call has written a pointer, which this value owns
        // and closes once; texts are read before a call returns.
        if let folder {
            try check(
                unsafe sd_journal_open_directory(&opened, folder, 0), "sd_journal_open_directory",
                folder)
        } else {
            let flags = CInt(SD_JOURNAL_LOCAL_ONLY | SD_JOURNAL_SYSTEM)
            try check(unsafe sd_journal_open(&opened, flags), "sd_journal_open")
        }
        unsafe journal = opened!
        // If none of its files may be read, the calls above succeed, and it is empty.
        var size: UInt64 = 0
        try check(unsafe sd_journal_get_usage(journal, &size), "sd_journal_get_usage")
        guard size > 0 else {
            throw SystemError(call: "sd_journal_open", errno: ENOENT)
        }
        for match in matches {
            for field in match {
                try check(
                    unsafe sd_journal_add_match(journal, field, field.utf8.count),
                    "sd_journal_add_match", field)
            }
            try check(unsafe sd_journal_add_disjunction(journal), "sd_journal_add_disjunction")
        }
    }

    // Sound: the pointer of init is given up, once.
    deinit { unsafe sd_journal_close(journal) }

    /// The entries from `since` to before `until`, by the wall clock, newest first, until `body`
    /// returns false.
    public func forEachBackwards(
        since: Duration, until: Duration?, _ body: (KeptEntry) -> Bool
    ) throws(SystemError) {
        if let until {
            let time = UInt64(clamping: until.wholeMicroseconds)
            try check(
                unsafe sd_journal_seek_realtime_usec(journal, time),
                "sd_journal_seek_realtime_usec")
        } else {
            try check(unsafe sd_journal_seek_tail(journal), "sd_journal_seek_tail")
        }
        while true {
            let result = unsafe sd_journal_previous(journal)
            try check(result, "sd_journal_previous")
            guard result > 0 else { return }
            let entry = try entry()
            if entry.time < since { return }
            if until.map({ entry.time < $0 }) ?? true, !body(entry) { return }
        }
    }

    /// The entries from `since` to before `until`, by the wall clock, oldest first.
    public func forEach(
        since: Duration, until: Duration?, _ body: (KeptEntry) -> Void
    ) throws(SystemError) {
        let time = UInt64(clamping: since.wholeMicroseconds)
        try check(
            unsafe sd_journal_seek_realtime_usec(journal, time), "sd_journal_seek_realtime_usec")
        while true {
            let result = unsafe sd_journal_next(journal)
            try check(result, "sd_journal_next")
            guard result > 0 else { return }
            let entry = try entry()
            if let until, entry.time >= until { return }
            body(entry)
        }
    }

    /// The present entry.
    private func entry() throws(SystemError) -> KeptEntry {
        var (time, monotonic, boot) = (UInt64(0), UInt64(0), sd_id128_t())
        // Sound: the calls write to these variables; the text has room for 32 digits and a NUL.
        try check(
            unsafe sd_journal_get_realtime_usec(journal, &time), "sd_journal_get_realtime_usec")
        try check(
            unsafe sd_journal_get_monotonic_usec(journal, &monotonic, &boot),
            "sd_journal_get_monotonic_usec")
        var text = [CChar](repeating: 0, count: 33)
        let bootID = unsafe String(cString: sd_id128_to_string(boot, &text))
        return KeptEntry(
            time: .microseconds(Int64(clamping: time)), bootID: bootID, fields: fields)
    }

    /// Its fields; unreadable ones are left out.
    private var fields: [KeptEntry.Field] {
        var fields: [KeptEntry.Field] = []
        unsafe sd_journal_restart_data(journal)
        var (data, length): (UnsafeRawPointer?, Int) = (nil, 0)
        // Sound: the data lives until the next call, and is copied before that.
        while unsafe sd_journal_enumerate_available_data(journal, &data, &length) > 0 {
            let bytes = unsafe UnsafeRawBufferPointer(start: data, count: length)
            guard let sign = unsafe bytes.firstIndex(of: UInt8(ascii: "=")) else { continue }
            fields.append(
                KeptEntry.Field(
                    unsafe String(decoding: bytes[..<sign], as: UTF8.self),
                    unsafe String(decoding: bytes[(sign + 1)...], as: UTF8.self)))
        }
        return fields
    }
}
