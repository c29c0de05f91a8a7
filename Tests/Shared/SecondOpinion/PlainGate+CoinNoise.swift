import StateMachines
import Turnstile

// What is no coin, and coins that nobody can be sure of.
extension PlainGate {
    /// Nothing that anybody inserts has so many pulses.
    mutating func hum(_ acceptor: Acceptor, _ now: Instant) {
        let place = acceptor.place
        if !coinLines[place].isNoisy { coinLines[place].noise = Self.noiseLimit }
        coinLines[place].noise += coinLines[place].pulses
        coinLines[place].pulses = 0
        coinLines[place].isProvisional = false
        coinLines[place].wasTold = false
        coinLines[place].isCut = false
        coinLines[place].lastPulse = nil
        coinLines[place].firstGap = nil
        coinLines[place].lastNoise = now
        if coinLines[place].isNoisy { return }
        coinLines[place].isNoisy = true
        beginFault(.noiseBurst(acceptor), now)
    }

    mutating func hearNoise(_ acceptor: Acceptor, _ width: Duration, _ now: Instant) {
        let place = acceptor.place
        let isNear = coinLines[place].lastNoise.map { now - $0 <= Self.noiseGap } ?? false
        let belongs = isNear || coinLines[place].isNoisy
        coinLines[place].noise = belongs ? coinLines[place].noise + 1 : 1
        coinLines[place].lastNoise = now
        if coinLines[place].isNoisy { return }
        if coinLines[place].noise > Self.noiseLimit {
            coinLines[place].isNoisy = true
            beginFault(.noiseBurst(acceptor), now)
        } else {
            let microseconds = width.wholeNanoseconds / 1_000
            records.append(.coinNoise(acceptor, width: .microseconds(microseconds)))
        }
    }

    mutating func stickCoin(_ acceptor: Acceptor, _ now: Instant) {
        coinLines[acceptor.place].pulseBegan = nil
        // It may be one of the coin's.
        doubtTable(acceptor)
        endTrain(acceptor, now)
        coinLines[acceptor.place].isStuck = true
        beginFault(.coinLineStuck(acceptor), now)
    }

    /// Edges of the coin line are missing: nobody knows what coin it is that comes.
    mutating func recountCoins(_ acceptor: Acceptor, _ level: Bool, _ now: Instant) {
        let place = acceptor.place
        if coinLines[place].isStuck && level { return }
        if coinLines[place].isStuck {
            coinLines[place].isStuck = false
            endFault(.coinLineStuck(acceptor), now)
        }
        let wasCounting = coinLines[place].pulses > 0 || coinLines[place].isCut
        let wasActive = coinLines[place].pulseBegan != nil
        coinLines[place].lastPulse = nil
        coinLines[place].firstGap = nil
        coinLines[place].brokenFor = .zero
        coinLines[place].provisionalAt = nil
        if !wasCounting {
            coinLines[place].maybeBegunUntil = now + policy.coins[acceptor].trainQuiet
            if wasActive || !level {
                coinLines[place].pulseBegan = level ? now : nil
            } else {
                beginPulse(acceptor, now)
            }
            return
        }
        coinLines[place].isCut = true
        coinLines[place].isProvisional = false
        coinLines[place].pulseBegan = level ? now : nil
        coinLines[place].trainEnds = level ? nil : now + policy.coins[acceptor].trainQuiet
    }
}
