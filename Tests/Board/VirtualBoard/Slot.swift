import Foundation

/// Leave to have a board switched on; given in the order in which it was asked for.
///
/// A story waits half of its time for what takes a board some seconds, so that two boards are
/// switched on for each processor, of whichever Debian, as far as memory goes. What is measured is
/// measured on one board of each Debian.
actor Slot {
    /// The slot of all boards.
    static let shared = Slot(boards: boardsAtOnce)

    /// How many boards are switched on at once.
    private static var boardsAtOnce: Int {
        let debians = max(1, Debian.each.count)
        let environment = ProcessInfo.processInfo.environment
        guard environment["TURNSTILED_BOARD_FIGURES"] == nil else { return debians }
        let processors = ProcessInfo.processInfo.activeProcessorCount
        return min(2 * processors, 4 * debians)
    }

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    private init(boards: Int) { free = boards }

    /// Waits for the leave.
    func take() async {
        if free == 0 {
            await withCheckedContinuation { waiting.append($0) }
        } else {
            free -= 1
        }
    }

    /// Gives it back.
    func leave() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}
