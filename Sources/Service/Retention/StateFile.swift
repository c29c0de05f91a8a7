import System
import Turnstile

/// A file that holds the state twice: one slot is written while the other stays as it is.
///
/// Whenever the writing ends, one of the two is whole, the last or the one before it. It is used
/// from one thread at a time.
final class StateFile {
    let path: String
    private let isDurable: Bool
    /// The file, once both slots were written; nil after a failure.
    private var file: File?
    /// The position of the slot that is written next, and its number.
    private var position = 0
    private var sequence: UInt64 = 0
    /// Whether both slots tell of an emergency, or neither does, once both were written.
    private var isEmergency = false

    private typealias Slot = Result<StateSlot, StateSlot.Flaw>

    /// Nothing is asked of the file yet. `isDurable`: what is written outlasts a loss of power.
    init(path: String, isDurable: Bool) {
        self.path = path
        self.isDurable = isDurable
    }

    /// What the file holds; nil where there is none. Throws where a disk for it is missing: what it
    /// holds is not known.
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

    /// Writes `state`, and waits until it is durable where it has to be.
    ///
    /// The first writing goes to both slots: whatever was wrong with the file is over then. So does
    /// one that an emergency begins or ends with: a slot that is damaged later leaves one that
    /// knows of it. A file that was removed is made anew.
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
                // It may be new. As a rule it is not, and this costs nothing.
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
            written: MonotonicTimer.now)
        try RetentionError.wrap { () throws(SystemError) in
            try file.write(slot.bytes, at: position * StateSlot.size)
            if isDurable { try file.synchronize() }
        }
        sequence &+= 1
        position = 1 - position
    }

    /// Goes on after the last of these slots, which is written over when the other is whole.
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

    /// What is wrong with a file none of whose slots is sound.
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

    /// Throws where the folder is missing, or its disk. It asks the disk, and may have to wait.
    private func checkFolder() throws(RetentionError) {
        if let obstacle = File.obstacle(inFolder: folder) {
            throw RetentionError(path, obstacle)
        }
    }

    private var folder: String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }
}
