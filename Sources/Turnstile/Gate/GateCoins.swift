import StateMachines

// What becomes of coins.
extension Gate {
    /// How a coin is received whose first pulse comes now. It is refused unless the acceptors take
    /// coins, or did so until so shortly ago that the coin was on its way.
    public var reception: CoinDecoder.Reception {
        guard acceptsCoins || lateUntil != nil else { return .refused }
        return isUnlocked ? .unlocked : .locked
    }

    mutating func heard(
        _ said: CoinDecoder.Command, from acceptor: Acceptor, at time: Instant, _ log: inout Log,
        _ perform: (Command) -> Void
    ) {
        switch said {
        case .credit(let pulses, let reception):
            take(pulses, from: acceptor, reception, isForetold: false, at: time, &log, perform)
        case .confirm(let pulses, let reception):
            take(pulses, from: acceptor, reception, isForetold: true, at: time, &log, perform)
        case .foretell(let pulses):
            guard let coin = coin(pulses, from: acceptor) else { return }
            log.record(.coinCounted(coin))
            keepSafe(at: time, &log, perform)
        case .reportNoise(let width): log.record(.coinNoise(acceptor, width: width))
        case .reportNoiseBurst:
            note(faults.handle(.found(.noiseBurst(acceptor))), at: time, &log)
        case .reportNoiseOver(let pulses):
            log.record(.noiseOver(acceptor, pulses: pulses))
            note(faults.handle(.gone(.noiseBurst(acceptor))), at: time, &log)
        case .reportStuck: note(faults.handle(.found(.coinLineStuck(acceptor))), at: time, &log)
        case .reportReleased:
            note(faults.handle(.gone(.coinLineStuck(acceptor))), at: time, &log)
        }
    }

    /// The coin of so many pulses, if it is one.
    @inline(__always) private func coin(_ pulses: Int, from acceptor: Acceptor) -> Coin? {
        policy.coins[acceptor].values.value(ofPulses: pulses).map {
            Coin(acceptor, pulses: pulses, value: $0)
        }
    }

    private mutating func take(
        _ pulses: Int, from acceptor: Acceptor, _ reception: CoinDecoder.Reception,
        isForetold: Bool, at time: Instant, _ log: inout Log, _ perform: (Command) -> Void
    ) {
        guard let coin = coin(pulses, from: acceptor) else {
            log.record(.coinUnknown(acceptor, pulses: pulses))
            return happened(.unknownPulseCount, at: time, &log)
        }
        let isAccepted = acceptsCoins
        let fate = CoinRules.fate(
            of: reception, policy.coinWhileUnlocked, hasEjector: equipment.outputs[.coinReject])
        switch fate {
        case .credit:
            let faresBefore = credit / policy.price
            note(purse.handle(.credited(coin.value, at: time)), at: time, &log)
            newFares += credit / policy.price - faresBefore
            if !isForetold { keepSafe(at: time, &log, perform) }
            let grant = openOnCredit(at: time, &log, perform)
            log.record(isAccepted ? .coinAccepted(coin) : .coinLate(coin))
            if let grant { account(for: grant, at: time, &log) }
        case .keep:
            note(purse.handle(.credited(coin.value, at: time)), at: time, &log)
            log.record(isAccepted ? .coinAccepted(coin) : .coinLate(coin))
            if !isForetold { keepSafe(at: time, &log, perform) }
            forfeit(coin.value, at: time, &log)
        case .eject:
            log.record(.coinRejected(coin))
            log.counts.rejects += 1
            return
        case .report:
            log.record(.coinInhibited(coin))
            raise(.coinStringing, at: time, &log)
        }
        log.counts.money += coin.value / policy.meterUnit
    }
}
