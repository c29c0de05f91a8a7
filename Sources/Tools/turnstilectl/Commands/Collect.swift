import ArgumentParser
import Console
import GateClient
import Ledger
import Settings
import System
import Turnstile

/// Coins of one value that were counted, as an argument: `100=12`.
struct CoinCount: Hashable {
    let value, count: Int64

    static func read(_ argument: String) throws -> CoinCount {
        let parts = argument.split(separator: "=", omittingEmptySubsequences: false)
        if parts.count == 2, let value = minorUnits(of: parts[0]) {
            throw ValidationError(
                "'\(argument)' is no count of coins: amounts are in minor units of the currency, "
                    + "and the nearest is \(value)=\(parts[1])")
        }
        guard parts.count == 2, let value = Int64(parts[0]), let count = Int64(parts[1]),
            (1...CountedCoins.most).contains(value), (0...CountedCoins.most).contains(count)
        else {
            throw ValidationError(
                "'\(argument)' is no count of coins: write their value and how many they are, each "
                    + "up to \(CountedCoins.most), as 100=12")
        }
        return CoinCount(value: value, count: count)
    }
}

struct Collect: GateCommand {
    static let configuration = CommandConfiguration(
        abstract: "Record a collection and print its slip.",
        discussion: """
            On a terminal it asks for the number of coins of each value, and for confirmation; \
            elsewhere it needs --yes, and the count is missing unless it is given. Afterwards it \
            prints a slip with the expected contents of the vault and the ledger's signed \
            checkpoint.

            With a vault switch (vault_present) the collection is recorded when a vault is put in \
            place; the count belongs to the previous vault. Each collection can be counted once, \
            before the next. With --collection the count is recorded only if that collection is \
            the last.

            Examples:
              turnstilectl collect
              turnstilectl collect --counted 12350 --yes > slip.txt
              turnstilectl collect --coins 50=24 100=20 --yes
            """)

    @Option(
        help: ArgumentHelp(
            "The amount counted, in minor units of the currency.", valueName: "amount"),
        transform: Amount.read)
    var counted: Int64?
    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Coins counted of each value, such as 100=12 (default: 0).",
            valueName: "value=count"), transform: CoinCount.read)
    var coins: [CoinCount] = []
    @Option(
        help: ArgumentHelp(
            "The collection that the count is for.", valueName: "number"))
    var collection: Int64?
    @Flag(help: "Do not ask for confirmation.") var yes = false
    @OptionGroup var place: LedgerOptions
    @OptionGroup var gate: GateOptions

    func validate() throws {
        if counted != nil, !coins.isEmpty {
            throw ValidationError("--counted or --coins, not both")
        }
        if Set(coins.map(\.value)).count < coins.count {
            throw ValidationError("--coins has a value twice")
        }
        if let amount = given?.amount, !CountedCoins.amounts.contains(amount) {
            throw ValidationError("'\(amount)' is no amount: \(CountedCoins.allowedAmounts)")
        }
    }

    func perform(_ out: StandardOutput) throws -> ExitStatus {
        let connection = try gate.connect()
        let state = try connection.state()
        let settings = state.settings(at: place.settings.path(of: state.settingsPath))
        // A simulated gate's ledger is where its command line says.
        let path = place.ledger ?? (state.isSimulated ? nil : settings?.ledger)
        let books = CollectionBooks(state, settings?.policy, path: path)
        if let reason = books.obstacle {
            complain(reason)
            return .refused
        }
        if let objection = coins.lazy.compactMap({ books.coins.objection(to: $0.value) }).first {
            complain("--coins: \(objection)")
            return .usage
        }
        if let collection, collection != books.number {
            let other = books.number.map { "collection \($0)" } ?? "one of unknown number"
            complain("the count would belong to \(other), not \(collection)")
            return nothingRecorded()
        }
        let question = asks ? CountQuestion(books) : nil
        guard yes || question != nil else {
            complain("not a terminal, or --json: confirm with --yes")
            return .usage
        }
        if let omission = books.omission { complain(omission) }
        var count = given
        if let question {
            // No question for a count that the gate would refuse.
            if books.hasSwitch, state.isKnownToAwaitNoCount { return refused(.nothingToCount) }
            if let subject = books.subject { printError(subject) }
            if count == nil {
                guard let answer = question.ask() else { return nothingRecorded() }
                count = answer.counted
            }
        }
        if books.hasSwitch, count == nil {
            complain(
                "the vault switch already recorded this collection; give the amount with --counted")
            return .usage
        }
        if let question {
            guard question.confirms(count) else { return nothingRecorded() }
            guard try connection.state().collectionCheckpoint == state.collectionCheckpoint else {
                complain("the coins were collected meanwhile: the count would belong to another")
                return nothingRecorded()
            }
        }
        let answer = try connection.ask(
            GateCall(.collectCoins(counted: (count?.amount).map { Int($0) })))
        if case .refused(let refusal) = answer.result {
            if gate.json { out.printJSON(answer.values) }
            return refused(refusal)
        }
        let slip = books.slip(of: count, toldBy: try finalState(of: connection, answer, out))
        deliver(slip, answer, out)
        if slip == nil, let count { complain(books.result(of: count)) }
        if count == nil {
            complain(
                "recorded without a count, which cannot be added later")
        }
        return .done
    }

    /// The gate's state after its answer. If the gate is gone by then, the recorded collection is
    /// reported all the same.
    private func finalState(
        of connection: GateConnection, _ answer: GateAnswer, _ out: StandardOutput
    ) throws(GateError) -> GateState {
        do throws(GateError) {
            return try connection.state()
        } catch {
            deliver(nil, answer, out)
            complain("the gate has recorded it: do not collect again")
            throw error
        }
    }

    private func refused(_ refusal: Refusal) -> ExitStatus {
        complain(refusal.words)
        return .refused
    }

    private var given: CountedCoins? {
        if let counted { return .total(counted) }
        guard !coins.isEmpty else { return nil }
        return .coins(Dictionary(coins.map { ($0.value, $0.count) }) { $1 })
    }

    private var asks: Bool {
        !yes && !gate.json && Question.isPossible
    }

    private func nothingRecorded() -> ExitStatus {
        complain("nothing was recorded")
        return .refused
    }

    /// Prints the slip, or says what is missing.
    private func deliver(_ slip: SlipPage?, _ answer: GateAnswer, _ out: StandardOutput) {
        var out = out
        out.reminder =
            "the gate has recorded it: do not collect again\nSee: turnstilectl ledger slips"
        if gate.json {
            out.printJSON(answer.values + (slip?.values ?? []))
        } else if let slip {
            out.print(signed: slip.text)
        } else {
            out.print("done")
        }
        guard slip == nil else { return }
        if answer.isDurable {
            complain(
                "there is no slip: the service does not report its checkpoints\n"
                    + "See: turnstilectl ledger slips")
        } else {
            complain(
                "there is no slip, and a power failure may lose the record: the gate has no "
                    + "ledger, or it is not durable yet\n"
                    + "See: turnstilectl faults, turnstilectl ledger slips")
        }
    }
}

extension GateState {
    /// Whether the gate says that no collection waits to be counted; an older one says nothing.
    fileprivate var isKnownToAwaitNoCount: Bool {
        !report.isCountAwaited && values.contains { $0.name == "CountAwaited" }
    }

    /// The settings in a file, by default the gate's; nil if unreadable.
    func settings(at path: String? = nil) -> Settings? {
        let path = path ?? settingsPath
        return try? Settings.parse(Settings.read(path: path), file: path)
    }
}

extension SlipPage {
    fileprivate var values: [(String, BusValue)] {
        let occasion = signed.checkpoint.occasion
        let coins = (expected?.rows ?? []).map { row in
            BusValue.dictionary([
                ("value", .int64(row.value)), ("acceptor", .int64(Int64(row.acceptor.rawValue))),
                ("expected", .int64(row.count)),
            ])
        }
        var values: [(String, BusValue)] = [
            ("gate", .string(gate)), ("collection", .int64(occasion.collection ?? 0)),
            ("expected", .int64(occasion.expected ?? 0)),
        ]
        if let counted = occasion.counted {
            values += [
                ("counted", .int64(counted)),
                ("difference", .int64(counted - (occasion.expected ?? 0))),
            ]
        }
        return values + [
            ("coins", .array(of: "a{sv}", coins)), ("note", .string(signed.note.description)),
        ]
    }
}
