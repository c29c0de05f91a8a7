import Foundation

/// Permission to have a board switched on, in the order of the requests, urgent ones first: what
/// other stories wait for, and stories so long that they would end alone.
///
/// A story waits for more than half of its time, for what takes a board some seconds: three boards
/// are switched on for each processor, of either Debian, as far as memory goes. Measurements are
/// made on one board of each Debian.
actor Slot {
    /// The slot of all boards.
    static let shared = Slot(boards: boardsAtOnce)

    /// How many boards are switched on at once.
    private static var boardsAtOnce: Int {
        let debians = max(1, Debian.each.count)
        let environment = ProcessInfo.processInfo.environment
        guard environment["TURNSTILED_BOARD_FIGURES"] == nil else { return debians }
        let processors = ProcessInfo.processInfo.activeProcessorCount
        return min(3 * processors, 4 * debians)
    }

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var urgent: [CheckedContinuation<Void, Never>] = []

    private init(boards: Int) { free = boards }

    /// Waits for a free slot.
    func take(isUrgent: Bool) async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation {
            if isUrgent { urgent.append($0) } else { waiting.append($0) }
        }
    }

    /// Gives it back.
    func leave() {
        if !urgent.isEmpty {
            urgent.removeFirst().resume()
        } else if !waiting.isEmpty {
            waiting.removeFirst().resume()
        } else {
            free += 1
        }
    }
}
