/// Text on its way out, in pieces of some size: a step makes a few bytes, and a file takes some
/// thousand at once.
struct TextSink {
    private static let pieceSize = 1 << 15

    private let write: (String) -> Void
    private var piece = ""

    init(_ write: @escaping (String) -> Void) { self.write = write }

    mutating func print(_ text: String) {
        piece += text
        if piece.utf8.count >= Self.pieceSize { flush() }
    }

    mutating func flush() {
        guard !piece.isEmpty else { return }
        write(piece)
        piece.removeAll(keepingCapacity: true)
    }
}
