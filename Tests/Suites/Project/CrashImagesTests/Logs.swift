import Foundation

/// A folder of a test's own, which goes with it.
final class Folder {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}

/// A request as a log holds it; what is written are letters, each of which fills a sector.
enum LoggedRequest {
    case write(Int, String)
    case force(Int, String)
    case flushAndForce(Int, String)
    case flush
    case discard(Int, count: Int)
}

/// A log of dm-log-writes that holds these requests.
func log(_ requests: [LoggedRequest]) -> Data {
    var log = head(0x6A_7366_7773_6872, 1, requests.count, 512)
    for request in requests {
        switch request {
        case .write(let sector, let letters): log += entry(sector, letters, flags: 0)
        case .force(let sector, let letters): log += entry(sector, letters, flags: 2)
        case .flushAndForce(let sector, let letters): log += entry(sector, letters, flags: 3)
        case .flush: log += entry(0, "", flags: 1)
        case .discard(let sector, let count): log += head(sector, count, 4, 0)
        }
    }
    return log
}

private func entry(_ place: Int, _ letters: String, flags: Int) -> Data {
    head(place, letters.count, flags, 0) + Data(letters.flatMap(sector))
}

/// A sector that begins with these numbers of 64 bits, lowest byte first.
private func head(_ numbers: Int...) -> Data {
    var bytes = Data(numbers.flatMap { number in (0..<8).map { UInt8(number >> ($0 * 8) & 255) } })
    bytes.count = 512
    return bytes
}

/// A sector full of a letter.
func sector(_ letter: Character) -> Data {
    Data(repeating: letter.asciiValue ?? 0, count: 512)
}

/// What a disk's sectors are full of, a letter each; `0` for zeros, `?` for a torn one.
func letters(in disk: URL) throws -> String {
    let bytes = try Data(contentsOf: disk)
    return String(
        stride(from: 0, to: bytes.count, by: 512).map { place in
            let sector = Set(bytes[place..<(place + 512)])
            guard sector.count == 1, let byte = sector.first else { return "?" }
            return byte == 0 ? "0" : Character(Unicode.Scalar(byte))
        })
}
