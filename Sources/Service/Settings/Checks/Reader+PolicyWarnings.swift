import Hardware
import Turnstile

/// Warnings about the policy.
extension Reader {
    /// Only for a file without mistakes; `isVolatile`: whether a file at a path would not survive a
    /// boot.
    mutating func lookForOddities(_ draft: Draft, isVolatile: (String) -> Bool) {
        guard problems.isEmpty else { return }
        warnOfLines(draft)
        warnOfWiring(draft)
        warnOfIdleKeys(draft)
        warnOfPrice(draft)
        warnOfStore(draft)
        for acceptor in Acceptor.allCases { warn(of: acceptor, draft) }
        warnOfVault(draft)
        warnOfSchedule(draft)
        warnOfLedger(draft, isVolatile: isVolatile)
    }

    mutating func warn(_ kind: WarningKind, _ message: String, at place: String) {
        warnings.append(
            SettingsWarning(kind, "\(place): \(message)", at: position(of: place)))
    }
}

extension Reader {
    private mutating func warnOfPrice(_ draft: Draft) {
        guard has("fare.price"), has(.coinPulse) else { return }
        let price = draft.policy.price
        let coins = Acceptor.allCases.filter { has($0.line) }.flatMap {
            draft.policy.coins[$0].values.worths.map(\.value)
        }
        guard let paid = leastSum(of: Set(coins), reaching: price), paid != price else { return }
        let rest =
            switch draft.policy.overpay {
            case .retain: "stays as credit"
            case .forfeit: "falls to the operator"
            }
        warn(
            .priceNeverMet,
            "no coins add up to \(price): the least that pays it is \(paid), and the rest \(rest); "
                + "choose a price that the coins' values go into, or correct them",
            at: "fare.price")
    }

    /// The smallest sum of these coins that is at least `price`; nil if it takes too long to find.
    private func leastSum(of values: Set<Int>, reaching price: Int) -> Int? {
        // The greatest common divisor: sums are counted in multiples of it.
        let unit = values.reduce(0, greatestCommonDivisor)
        guard unit > 0, case let goal = (price + unit - 1) / unit, goal <= Self.mostSums
        else { return nil }
        var isSum = [Bool](repeating: false, count: goal)
        isSum[0] = true
        var least = Int.max
        for sum in isSum.indices where isSum[sum] {
            for value in values.map({ $0 / unit }) {
                if sum + value < goal {
                    isSum[sum + value] = true
                } else {
                    least = min(least, sum + value)
                }
            }
        }
        return least * unit
    }

    /// The largest number of sums tried: more than any real price needs.
    private static var mostSums: Int { 10_000 }

    private mutating func warnOfStore(_ draft: Draft) {
        guard has(.coinPulse), draft.policy.maxStored == 1, draft.policy.creditExpiry == .zero
        else { return }
        warn(
            .storeFullForEver,
            "never, while 'passage.max_stored' is 1: the credit of one unused fare refuses coins "
                + "until a passenger pushes the arm; let it expire, or hold more",
            at: "passage.credit_expiry")
    }

    private mutating func warnOfIdleKeys(_ draft: Draft) {
        let users: [FieldName: [String]] = [
            .beamBlocked: [Input.beamA.name],
            .lockPull: [Output.lockEntryHold.name, Output.lockExitHold.name],
            .lockResponse: [Input.lockFeedback.name, Input.lockFeedbackExit.name],
            .homeSettle: [Input.home.name],
            .countPulse: [Output.coinReject.name, Output.countPulse.name, Output.coinMeter.name],
            .serviceHold: [Input.serviceKey.name],
        ]
        let usual = Policy.blank.fields
        for key in Policy.blank.keys where draft.policyFields[key.field] != usual[key.field] {
            guard let users = users[key.field] else { continue }
            let places = users.flatMap { ["\(inputs).\($0)", "\(outputs).\($0)"] }
            guard !places.contains(where: has) else { continue }
            let names = users.map { "'\($0)'" }.joined(separator: " or ")
            warn(
                .withoutEffect,
                "has no effect, since no \(names) is wired: wire it, or leave this out",
                at: "\(key.section).\(key.name)")
        }
    }

    private mutating func warnOfVault(_ draft: Draft) {
        guard draft.policy.vaultFull == .refuse, !has(.vaultFull) else { return }
        warn(
            .vaultFullNotWired,
            "refuse, while 'vault_full' is not wired: a full vault is not detected, and coins "
                + "are taken until it overflows; wire its level switch, or write warn",
            at: "coin.vault_full")
    }

    private mutating func warn(of acceptor: Acceptor, _ draft: Draft) {
        let section = acceptor.section
        guard has(acceptor.line) else {
            if acceptor != .first, has(section) {
                warn(
                    .acceptorNotWired,
                    "'\(acceptor.line.name)' is not wired: coins in this acceptor are not "
                        + "counted; wire it, or leave the section out",
                    at: section)
            }
            return
        }
        let coins = draft.policy.coins[acceptor]
        warnOfExchange(in: coins.values, of: acceptor, price: draft.policy.price)
        warnOfSums(in: coins.values, of: acceptor)
        let (quiet, width) = (
            origin(of: "train_quiet", acceptor), origin(of: "pulse_width", acceptor)
        )
        let stated = [quiet, width].first { $0.hasPrefix("\(section).") && has($0) }
        guard let stated, coins.trainQuiet <= coins.pulseWidth else { return }
        warn(
            .coinFallsApart,
            "'\(quiet)' (\(shown(coins.trainQuiet, at: quiet))) is not longer than '\(width)' "
                + "(\(shown(coins.pulseWidth, at: width))): the pause between two pulses is about "
                + "as long as a pulse, so each pulse would be a coin; take both from the "
                + "acceptor's data sheet",
            at: stated)
    }

    private mutating func warnOfExchange(
        in values: CoinValues, of acceptor: Acceptor, price: Int
    ) {
        let key = "\(acceptor.section).values"
        guard has(key), has("fare.price"), case .exact(let table) = values,
            table.allSatisfy({ $0.key > $0.value }),
            table.values.allSatisfy({ $0 < price }) || Self.lookLikeAmounts(table.keys),
            let (pulses, value) = table.min(by: { $0.key < $1.key })
        else { return }
        warn(
            .valuesExchanged,
            "a coin of \(pulses) pulses is worth \(value): the number of pulses stands first, and "
                + "then the value, as in {\(value): \(pulses)}; exchange them if the acceptor "
                + "sends \(value) for a coin of \(pulses)",
            at: key)
    }

    /// Whether all of several numbers are multiples of five, as coins and notes are.
    private static func lookLikeAmounts(_ numbers: [Int: Int].Keys) -> Bool {
        numbers.count > 1 && numbers.allSatisfy { $0 >= 10 && $0.isMultiple(of: 5) }
    }

    private mutating func warnOfSums(in values: CoinValues, of acceptor: Acceptor) {
        let key = "\(acceptor.section).values"
        guard has(key), case .exact(let table) = values else { return }
        for (few, value) in table.sorted(by: { $0.key < $1.key }) {
            for (more, other) in table.sorted(by: { $0.key < $1.key }) where more >= few {
                guard let both = table[few + more], both != value + other else { continue }
                warn(
                    .twoMakeAThird,
                    "coins of \(few) and \(more) pulses that follow each other closely are taken "
                        + "for one of \(few + more), which is worth \(both) and not "
                        + "\(value + other); have the acceptor send numbers of which no two make "
                        + "a third",
                    at: key)
                return
            }
        }
    }

    private mutating func warnOfSchedule(_ draft: Draft) {
        for (number, entry) in draft.policy.schedule.enumerated() where entry.from == entry.to {
            warn(
                .endsAsItBegins,
                "ends at the time at which it begins, so it lasts for 24 hours; whole days are "
                    + "written from: 00:00, to: 24:00",
                at: "schedule.\(number + 1).to")
        }
        for index in draft.policy.entriesThatChangeNothing {
            warn(
                .entryChangesNothing,
                "changes nothing: 'modes' and the other entries give the same all the time; "
                    + "correct it, or leave it out",
                at: "schedule.\(index + 1)")
        }
    }
}

/// The greatest common divisor; one may be zero.
private func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
    b == 0 ? a : greatestCommonDivisor(b, a % b)
}
