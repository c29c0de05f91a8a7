import Ledger
import Turnstile

/// Whether two sums that must be equal are equal, for a report.
public struct Reconciliation: Hashable, Sendable {
    public enum Subject: String, CaseIterable, Hashable, Sendable {
        /// The money paid in, and its uses.
        case money
        /// All passages, and the sum of each kind's.
        case passages
        /// The registers, and the sums of the records.
        case records
        /// The expected content of the vault by the checkpoint, the registers, and the count.
        case vault
    }

    public var subject: Subject
    /// The amount or count that is missing; 0 if all is accounted for.
    public var difference: Int64
    public var words: String
}

extension Reconciliation {
    private static let isAll = "all accounted for"

    static func money(_ sums: PeriodSums, at place: String?) -> Reconciliation {
        let (values, between) = (sums.registers, sums.between)
        let there =
            "\(values[.creditAtBeginning]) held at the beginning"
            + (between == 0
                ? " and \(values.valueIn) put in"
                : ", \(values.valueIn) put in and \(between) by records between")
        let gone =
            "\(values.faresUsed) of fares used, \(values.fareInUse) of a fare in use, "
            + "\(values.creditHeld) held, \(values.expired) expired, \(values.forfeited) "
            + "forfeited and \(values.refunded) given back"
        return Reconciliation(
            .money, sums.moneyMissing, at: place, isAll: "\(there) are \(gone)",
            else: "\(there), but \(gone)")
    }

    static func passages(_ sums: PeriodSums, at place: String?) -> Reconciliation {
        let values = sums.registers
        let kinds = PassageKind.allCases.map { kind in
            let count = Direction.allCases.reduce(Int64(0)) {
                $0 &+ values.passages[Register.PassageCategory($1, kind)]
            }
            return "\(count) \(kind.rawValue)"
        }
        let list = kinds.dropLast().joined(separator: ", ") + " and " + (kinds.last ?? "")
        return Reconciliation(
            .passages, sums.passagesMissing, at: place,
            isAll: "\(values.passagesMade) made are \(list)",
            else: "\(values.passagesMade) made, but \(list)")
    }

    /// The records of a period: their number, and the first register that disagrees.
    static func records(_ count: Int64, _ mismatch: Mismatch?) -> Reconciliation {
        guard let mismatch else {
            return Reconciliation(
                .records, 0, at: nil, isAll: "\(count) come to what the registers show", else: "")
        }
        let coin = mismatch.register.coin.map { " (\($0.value))" } ?? ""
        return Reconciliation(
            .records, mismatch.shown &- mismatch.counted, at: mismatch.place, isAll: "",
            else: "the register \(mismatch.register.name)\(coin) went up by \(mismatch.shown), but "
                + "the records come to \(mismatch.counted)")
    }

    /// The vault of a collection: the amount on the slip, and the count, if any. Only the last
    /// collection can still be counted.
    static func vault(
        _ sums: PeriodSums, expected: Int64?, counted: Int64?, isLast: Bool
    ) -> Reconciliation {
        let shown = sums.registers.valueInVault
        guard let expected else {
            return Reconciliation(subject: .vault, difference: 0, words: "\(shown) should be in it")
        }
        guard expected == shown else {
            return Reconciliation(
                .vault, expected &- shown, at: nil, isAll: "",
                else: "\(expected) should have been in it by the checkpoint, but \(shown) by the "
                    + "registers")
        }
        guard let counted else {
            return Reconciliation(
                subject: .vault, difference: 0,
                words: "\(expected) should have been in it; "
                    + (isLast
                        ? "no count was recorded"
                        : "not counted, and too late to, since another collection followed")
            )
        }
        return Reconciliation(
            .vault, expected &- counted, at: nil, isAll: "\(counted) counted, as it should be",
            else: "\(expected) should have been in it, but \(counted) were counted")
    }

    private init(
        _ subject: Subject, _ difference: Int64, at place: String?, isAll: String,
        else mismatch: String
    ) {
        self.subject = subject
        self.difference = difference
        guard difference != 0 else {
            words = "\(Self.isAll): \(isAll)"
            return
        }
        let missing = difference > 0 ? "\(difference) missing" : "\(difference.magnitude) too much"
        words = "\(missing): \(mismatch)" + (place.map { "; it begins \($0)" } ?? "")
    }
}

/// A register that disagrees with the records.
struct Mismatch {
    var register: Register
    /// The increase of the register, and the sum of the records.
    var shown: Int64, counted: Int64
    var place: String
}

extension Segment {
    var place: String {
        let from = start.map(Self.name) ?? "the first record"
        let to = end.map(Self.name) ?? "the present"
        return "between \(from) and \(to)"
    }

    private static func name(of mark: LedgerMark) -> String {
        "checkpoint \(mark.number)" + (mark.occasion.map { " (\($0))" } ?? "")
    }

    /// The first register whose value at the end disagrees with the records; nil if all agree.
    func mismatch(
        from start: RegisterValues, to end: RegisterValues, counted: RegisterValues
    ) -> Mismatch? {
        let registers = Set(end.counted + counted.counted)
            .filter { $0 != .creditAtBeginning && end[$0] != counted[$0] }
            .sorted { ($0.name, $0.coin?.value ?? 0) < ($1.name, $1.coin?.value ?? 0) }
        guard let register = registers.first else { return nil }
        return Mismatch(
            register: register, shown: end[register] &- start[register],
            counted: counted[register] &- start[register], place: place)
    }
}
