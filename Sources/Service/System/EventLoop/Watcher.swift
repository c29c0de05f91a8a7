/// A watcher of descriptors, and which of them a round has found ready.
final class Watcher {
    /// How many descriptors one watcher may have.
    static let mostDescriptors = 64

    private let descriptors: [CInt]
    private let handler: ([CInt]) -> Void
    /// A bit for each position in `descriptors`.
    private var readyBits: UInt64 = 0
    /// The lists of one descriptor, made once: mostly a single one is ready.
    private let singles: [[CInt]]

    /// A watcher without ready descriptors.
    init(_ descriptors: [CInt], _ handler: @escaping ([CInt]) -> Void) {
        precondition(descriptors.count <= Self.mostDescriptors, "too many for one watcher")
        self.descriptors = descriptors
        self.handler = handler
        singles = descriptors.map { [$0] }
    }

    /// Whether something is ready.
    var isReady: Bool { readyBits != 0 }

    /// Notes that the descriptor at this position is ready.
    func note(_ position: Int) { readyBits |= 1 << position }

    /// Calls the handler with the ready descriptors, and clears them.
    func callHandler() {
        let bits = readyBits
        readyBits = 0
        if bits & (bits &- 1) == 0 {
            handler(singles[bits.trailingZeroBitCount])
        } else {
            handler(descriptors.indices.filter { bits & 1 << $0 != 0 }.map { descriptors[$0] })
        }
    }
}
