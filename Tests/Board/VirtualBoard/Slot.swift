import Foundation

/// Leave to have a board of one Debian switched on; given in the order in which it was asked for.
///
/// A story waits half of its time for what takes a board some seconds, so that two boards are
/// switched on for each processor, as far as memory goes. What is measured has its board alone.
actor Slot {
    private static let slots = Dictionary(
        uniqueKeysWithValues: Debian.allCases.map { ($0, Slot(boards: boardsAtOnce)) })

    /// How many boards of one Debian are switched on at once.
    private static var boardsAtOnce: Int {
        let environment = ProcessInfo.processInfo.environment
        guard environment["TURNSTILED_BOARD_FIGURES"] == nil else { return 1 }
        let processors = ProcessInfo.processInfo.activeProcessorCount
        return min(max(1, 2 * processors / max(1, Debian.selected.count)), 4)
    }

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    private init(boards: Int) { free = boards }

    /// The slot of this Debian.
    static func of(_ debian: Debian) -> Slot { slots[debian]! }

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
