import StateMachines
import Turnstile

// Coins and credit.
extension PlainGate {
    mutating func beginPulse(_ now: Instant) {
        guard pulseBegan == nil, !isCoinStuck else { return }
        pulseBegan = now
        trainEnds = nil
    }

    mutating func endPulse(_ now: Instant) {
        if isCoinStuck {
            isCoinStuck = false
            lose(.coinLineStuck, now)
        } else if let since = pulseBegan {
            pulseBegan = nil
            let width = now - since
            if width * 2 >= policy.pulseWidth && width <= policy.pulseWidth * 2 {
                pulses += 1
            } else {
                records.append(.coinNoise(width: width))
            }
            if pulses > 0 { trainEnds = now + policy.trainQuiet }
        }
    }

    mutating func endTrain(_ now: Instant) {
        trainEnds = nil
        guard pulses > 0 else { return }
        let value = pulses * policy.coinUnit
        credit += value
        records.append(
            acceptsCoins
                ? .coinAccepted(value: value, pulses: pulses)
                : .coinLate(value: value, pulses: pulses))
        pulses = 0
        sell(now)
    }

    mutating func stickCoin(_ now: Instant) {
        pulseBegan = nil
        endTrain(now)
        isCoinStuck = true
        find(.coinLineStuck)
    }

    /// Edges of the coin line are missing: what was counted is good, the rest is measured anew.
    mutating func recountCoins(_ level: Bool, _ now: Instant) {
        if isCoinStuck && level { return }
        if isCoinStuck {
            isCoinStuck = false
            lose(.coinLineStuck, now)
        }
        pulseBegan = level ? now : nil
        endTrain(now)
    }

    /// Who has paid enough is let in.
    mutating func sell(_ now: Instant) {
        guard !isEmergency, !isOutOfService, way == .locked, credit >= policy.price else { return }
        credit -= policy.price
        records.append(.creditUsed(value: policy.price))
        release(.credit(fare: policy.price), now)
    }

    mutating func giveBack() {
        guard case .credit(let fare) = authorisation else { return }
        credit += fare
        records.append(.creditReturned(value: fare))
    }

    mutating func forfeit(_ value: Int) {
        credit -= value
        records.append(.creditForfeited(value: value))
    }
}
