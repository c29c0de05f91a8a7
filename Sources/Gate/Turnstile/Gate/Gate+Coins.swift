import StateMachines

// Coins.
extension Gate {
    /// The reception of a coin whose first pulse comes now. It is refused unless the acceptors take
    /// coins, or did until so recently that the coin was inserted before.
    @inline(always) var reception: CoinDecoder.Reception {
        guard acceptsCoins || wasAccepting || lateUntil != nil else { return .refused }
        if earlyUntil != nil { return .early }
        return isUnlocked ? .unlocked : .locked
    }

    mutating func receive(
        _ said: CoinDecoder.Command, from acceptor: Acceptor, _ step: inout StepContext
    ) {
        switch said {
        case .credit(let pulses, let reception):
            process(pulses, from: acceptor, reception, &step)
        case .confirm(let pulses, let reception):
            process(pulses, from: acceptor, reception, isProvisional: true, &step)
        case .creditInDoubt(let pulses, let reception):
            process(pulses, from: acceptor, reception, isInDoubt: true, &step)
        case .reportProvisional(let pulses):
            guard let coin = coin(pulses, from: acceptor) else { return }
            step.record(.coinCounted(coin))
            requestCommit(&step)
        case .reportNoise(let width): step.record(.coinNoise(acceptor, width: width))
        case .reportNoiseBurst:
            apply(faults.handle(.found(.noiseBurst(acceptor))), &step)
        case .reportNoiseOver(let pulses):
            step.record(.noiseOver(acceptor, pulses: pulses))
            apply(faults.handle(.gone(.noiseBurst(acceptor))), &step)
        case .reportStuck: apply(faults.handle(.found(.coinLineStuck(acceptor))), &step)
        case .reportReleased:
            apply(faults.handle(.gone(.coinLineStuck(acceptor))), &step)
        }
    }

    @inline(__always) private func coin(_ pulses: Int, from acceptor: Acceptor) -> Coin? {
        policy.coins[acceptor].values.value(ofPulses: pulses).map {
            Coin(acceptor, pulses: pulses, value: $0)
        }
    }

    private mutating func process(
        _ pulses: Int, from acceptor: Acceptor, _ reception: CoinDecoder.Reception,
        isProvisional: Bool = false, isInDoubt: Bool = false, _ step: inout StepContext
    ) {
        // Pulses may be missing: by a table it could be another coin, otherwise it is worth less.
        let isKnown = !isInDoubt || pulses > 0 && policy.coins[acceptor].values.isProportional
        guard isKnown, let coin = coin(pulses, from: acceptor) else {
            step.record(.coinUnknown(acceptor, pulses: pulses))
            return reception == .early ? () : reportTransientFault(.unknownPulseCount, &step)
        }
        if isInDoubt { step.record(.coinInDoubt(coin)) }
        let isAccepted = acceptsCoins
        let fate = CoinRules.fate(
            of: reception, policy.coinWhileUnlocked, hasEjector: equipment.outputs[.coinReject])
        switch fate {
        case .credit:
            let faresBefore = credit / policy.price
            apply(creditAccount.handle(.credited(coin.value, at: step.time)), &step)
            if isInService { newFares += credit / policy.price - faresBefore }
            if !isProvisional { requestCommit(&step) }
            step.record(isAccepted ? .coinAccepted(coin) : .coinLate(coin))
            releaseOnCredit(&step)
        case .keep:
            apply(creditAccount.handle(.credited(coin.value, at: step.time)), &step)
            step.record(isAccepted ? .coinAccepted(coin) : .coinLate(coin))
            if !isProvisional { requestCommit(&step) }
            forfeit(coin.value, &step)
        case .eject:
            step.record(.coinRejected(coin))
            step.counts.rejects += 1
            return
        case .report:
            // Not on the meter, which counts only credited coins.
            step.record(.coinInhibited(coin))
            return raise(.coinStringing, &step)
        case .ignore: return step.record(.coinEarly(coin))
        }
        step.counts.money += coin.value / policy.meterUnit
    }
}
