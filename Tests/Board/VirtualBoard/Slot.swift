/// Leave to have a board of one Debian switched on; given in the order in which it was asked for.
actor Slot {
    private static let slots = Dictionary(
        uniqueKeysWithValues: Debian.allCases.map { ($0, Slot()) })

    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// The slot of this Debian.
    static func of(_ debian: Debian) -> Slot { slots[debian]! }

    /// Waits for the leave.
    func take() async {
        if isTaken {
            await withCheckedContinuation { waiting.append($0) }
        } else {
            isTaken = true
        }
    }

    /// Gives it back.
    func leave() {
        if waiting.isEmpty {
            isTaken = false
        } else {
            waiting.removeFirst().resume()
        }
    }
}
