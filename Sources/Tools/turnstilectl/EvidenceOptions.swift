import ArgumentParser
import Ledger
import System

struct EvidenceOptions: ParsableArguments {
    @Option(
        name: [.customLong("checkpoint")], parsing: .upToNextOption,
        help: ArgumentHelp(
            "Slips or other files with checkpoints (-: standard input); name the ledger first.",
            valueName: "slip"),
        completion: .file())
    var slips: [String] = []
    @Option(
        name: [.customLong("key")],
        help: ArgumentHelp(
            "Public key, or file of keys, that must have signed the checkpoints.",
            valueName: "key"),
        completion: .file())
    var keys: [String] = []

    /// The most that is read of a file: four times what a gate signs in ten years.
    private static let mostBytes = 64 << 20

    func verification() throws -> LedgerVerification {
        LedgerVerification(
            slips: try slips.flatMap(Self.checkpoints), keys: try keys.flatMap(Self.keys))
    }

    private static func checkpoints(in slip: String) throws -> [SignedCheckpoint] {
        let name = slip == "-" ? "standard input" : slip
        switch SlipReading(try text(of: slip == "-" ? nil : slip)) {
        case .found(let checkpoints):
            if checkpoints.isEmpty {
                throw CommandError(
                    "\(name): no checkpoint is in it (the ledger itself is named before "
                        + "--checkpoint)")
            }
            return checkpoints
        case .damaged(let lines):
            throw CommandError(
                lines.map { "\(name):\($0): the checkpoint here is not whole, or was altered" }
                    .joined(separator: "\n"))
        }
    }

    private static func keys(in word: String) throws -> [VerificationKey] {
        if let key = VerificationKey(word.filter { !$0.isWhitespace }) { return [key] }
        guard !word.hasPrefix("PRIVATE+KEY+") else { throw CommandError(privateKey) }
        let text: String
        do {
            text = try Self.text(of: word)
        } catch let error as SystemError where error.meansAbsence && word.contains("+") {
            throw CommandError("'\(word)' is no verification key, and no file has this name")
        }
        let keys = try text.split(whereSeparator: \.isNewline).map { line in
            let line = line.filter { !$0.isWhitespace }
            guard !line.hasPrefix("PRIVATE+KEY+") else {
                throw CommandError("\(word): \(privateKey)")
            }
            guard let key = VerificationKey(line) else {
                throw CommandError("\(word): '\(line)' is no verification key")
            }
            return key
        }
        // Without a given key, anything signed with the ledger's own key would verify.
        guard !keys.isEmpty else { throw CommandError("\(word): no verification key is in it") }
        return keys
    }

    private static let privateKey =
        "this is the gate's private key; verify with the public key, which 'turnstilectl ledger "
        + "key' prints"

    private static func text(of path: String?) throws -> String {
        guard let bytes = try readToEnd(path, limit: mostBytes) else {
            throw CommandError(
                "\(path ?? "standard input"): it is larger than \(mostBytes >> 20) MB: split it")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
