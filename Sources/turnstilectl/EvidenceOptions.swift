import ArgumentParser
import Ledger
import System

/// What a ledger is held against.
struct EvidenceOptions: ParsableArguments {
    @Option(
        name: [.customLong("checkpoint")], parsing: .upToNextOption,
        help: ArgumentHelp(
            "A slip, or another file with checkpoints; - for standard input.", valueName: "slip"),
        completion: .file())
    var slips: [String] = []
    @Option(
        name: [.customLong("key")],
        help: ArgumentHelp(
            "A verification key, or a file with some: what the checkpoints must be signed with.",
            valueName: "key"),
        completion: .file())
    var keys: [String] = []

    /// How much of a file is read at most.
    private static let mostBytes = 64 << 20

    /// What a ledger is verified by.
    func verification() throws -> LedgerVerification {
        LedgerVerification(
            slips: try slips.flatMap(Self.checkpoints), keys: try keys.flatMap(Self.keys))
    }

    private static func checkpoints(in slip: String) throws -> [SignedCheckpoint] {
        let name = slip == "-" ? "standard input" : slip
        switch SlipReading(slip == "-" ? readInput() : try text(of: slip)) {
        case .found(let checkpoints):
            if checkpoints.isEmpty {
                throw BadSlip(
                    "\(name): no checkpoint is in it (the ledger itself is named before "
                        + "--checkpoint)")
            }
            return checkpoints
        case .damaged(let line):
            throw BadSlip(
                "\(name):\(line): the checkpoint here is not whole, or was altered")
        }
    }

    private static func keys(in word: String) throws -> [VerificationKey] {
        if let key = VerificationKey(word) { return [key] }
        guard !word.hasPrefix("PRIVATE+KEY+") else { throw BadSlip(privateKey) }
        let lines = try text(of: word).split(whereSeparator: \.isNewline)
        return try lines.map { line in
            let line = line.filter { !$0.isWhitespace }
            guard !line.hasPrefix("PRIVATE+KEY+") else { throw BadSlip("\(word): \(privateKey)") }
            guard let key = VerificationKey(line) else {
                throw BadSlip("\(word): '\(line)' is no verification key")
            }
            return key
        }
    }

    private static let privateKey =
        "this is what the gate signs with, and for it alone; 'turnstilectl ledger key' prints "
        + "what others verify with"

    private static func text(of path: String) throws(SystemError) -> String {
        let file = try File(path: path, for: .reading, followsLinks: true)
        var bytes: [UInt8] = []
        while bytes.count < mostBytes {
            let part = try file.read(1 << 16, at: bytes.count)
            if part.isEmpty { break }
            bytes += part
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// What a ledger was to be held against is nothing of that kind.
struct BadSlip: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// All of standard input.
private func readInput() -> String {
    var text = ""
    while let line = readLine(strippingNewline: false) { text += line }
    return text
}
