import Foundation

/// A stream of bytes from and to the emulator, read by lines and by counts.
final class Channel {
    private let input: FileHandle
    private let output: FileHandle
    private var chunks: AsyncStream<Data>.Iterator
    private var buffer = Data()

    /// A channel that reads from `input` and writes to `output`.
    init(input: FileHandle, output: FileHandle) {
        self.input = input
        self.output = output
        let (stream, continuation) = AsyncStream.makeStream(of: Data.self)
        chunks = stream.makeAsyncIterator()
        input.readabilityHandler = { handle in
            let data = handle.availableData
            if data.isEmpty {
                handle.readabilityHandler = nil
                continuation.finish()
            } else {
                continuation.yield(data)
            }
        }
    }

    /// Ends reading; what waits is dropped.
    func close() {
        input.readabilityHandler = nil
        try? input.close()
        try? output.close()
    }

    /// Writes all of `data`.
    func send(_ data: Data) throws { try output.write(contentsOf: data) }

    /// The next line, without its newline.
    nonisolated(nonsending) func line() async throws -> String {
        var searched = buffer.startIndex
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { buffer = buffer[(end + 1)...] }
                return String(decoding: buffer[..<end], as: UTF8.self)
            }
            searched = buffer.endIndex
            try await receive()
        }
    }

    /// The next `count` bytes.
    nonisolated(nonsending) func bytes(_ count: Int) async throws -> Data {
        while buffer.count < count { try await receive() }
        defer { buffer = buffer.dropFirst(count) }
        return Data(buffer.prefix(count))
    }

    /// Appends to the buffer what comes next.
    private nonisolated(nonsending) func receive() async throws {
        guard let chunk = await chunks.next(isolation: #isolation) else {
            throw BoardError("the machine has stopped")
        }
        buffer.append(chunk)
    }
}
