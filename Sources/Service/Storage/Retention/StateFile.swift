import System
import Turnstile

/// A file with two slots of the state: one is written while the other stays unchanged.
///
/// After an interruption one of the two is whole, the last or the one before. It is used from one
/// thread at a time.
final class StateFile {
    let path: String
    private let isDurable: Bool
    /// Nil until both slots were written, and after a failure.
    private var file: File?
    /// The next slot's position, and its number.
    private var position = 0
    private var sequence: UInt64 = 0
    /// Whether both slots have an emergency, or neither, once both were written.
    private var isEmergency = false

    private typealias Slot = Result<StateSlot, StateSlot.Flaw>

    /// Does not access the file yet. `isDurable`: writes have to survive a power failure.
    init(path: String, isDurable: Bool) {
        self.path = path
        self.isDurable = isDurable
    }

    /// The file's state; nil if there is no file. Throws if its disk is missing: the state is
    /// unknown.
    func read() throws(RetentionError) -> StateSlot? {
        if isDurable { try checkFolder() }
        let file: File
        do {
            file = try File(path: path, for: .reading)
        } catch {
            if error.meansAbsence { return nil }
            throw RetentionError(error)
        }
        let slots = try slots(of: file)
        let sound = slots.compactMap { try? $0.get() }
        guard let last = sound.max(by: { $1.isLater(than: $0) }) else {
            throw RetentionError(path, problem(with: slots))
        }
        return last
    }

    /// Writes `state`, and waits until it is durable, if required.
    ///
    /// The first write goes to both slots, whatever was wrong with the file. So does one at the
    /// begin or end of an emergency: if a slot is damaged later, the other has it too. A removed
    /// file is made anew.
    func write(_ state: RetainedState, bootID: String) throws(RetentionError) {
        if let file, file.hasName {
            self.file = nil
            try put(state, bootID, in: file)
            if state.isEmergency != isEmergency { try put(state, bootID, in: file) }
            self.file = file
        } else {
            self.file = nil
            if isDurable { try checkFolder() }
            let file = try RetentionError.wrap { () throws(SystemError) in
                try File(path: path, for: .updating)
            }
            try begin(after: slots(of: file))
            try put(state, bootID, in: file)
            try put(state, bootID, in: file)
            if isDurable {
                // For a new file. Otherwise this costs nothing.
                try RetentionError.wrap { () throws(SystemError) in
                    try File.synchronizeFolder(folder)
                }
            }
            self.file = file
        }
        isEmergency = state.isEmergency
    }

    private func put(
        _ state: RetainedState, _ bootID: String, in file: File
    ) throws(RetentionError) {
        let slot = StateSlot(
            sequence: sequence, bootID: bootID, state: state, wallOffset: SystemWallClock.offset,
            utcOffset: state.holdsTimes ? SystemWallClock.utcOffset : nil,
            written: MonotonicTimer.now)
        try RetentionError.wrap { () throws(SystemError) in
            try file.write(slot.bytes, at: position * StateSlot.size)
            if isDurable { try file.synchronize() }
        }
        sequence &+= 1
        position = 1 - position
    }

    /// Continues after the latest slot, overwriting it only if the other is whole.
    private func begin(after slots: [Slot]) {
        let found = slots.map { try? $0.get() }
        let last: Int? =
            switch (found[0], found[1]) {
            case (let first?, let second?): first.isLater(than: second) ? 0 : 1
            case (_?, nil): 0
            case (nil, _?): 1
            case (nil, nil): nil
            }
        position = last.map { 1 - $0 } ?? 0
        sequence = last.flatMap { found[$0] }.map { $0.sequence &+ 1 } ?? 1
    }

    private func slots(of file: File) throws(RetentionError) -> [Slot] {
        guard file.isRegular else { throw RetentionError(path, "it is no regular file") }
        let bytes = try RetentionError.wrap { () throws(SystemError) in
            try file.read(2 * StateSlot.size)
        }
        return [bytes.prefix(StateSlot.size), bytes.dropFirst(StateSlot.size)].map { part in
            Slot { () throws(StateSlot.Flaw) in try StateSlot(part) }
        }
    }

    /// The error for a file without a sound slot.
    private func problem(with slots: [Slot]) -> String {
        var problem = "it is empty"
        for case .failure(let flaw) in slots {
            switch flaw {
            case .blank: break
            case .damaged: problem = "it is damaged: no checksum is right"
            case .version(let version):
                return "it is of version \(version), which this service does not know"
            }
        }
        return problem
    }

    /// Throws if the folder or its disk is missing. May wait for the disk.
    private func checkFolder() throws(RetentionError) {
        if let obstacle = File.obstacle(inFolder: folder) {
            throw RetentionError(path, obstacle)
        }
    }

    private var folder: String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }
}
