import StateMachines
import Turnstile

/// What one acceptor's line is doing.
struct CoinLine {
    var pulseBegan: Instant?
    var pulses = 0
    var trainEnds: Instant?
    /// When the train is most probably over, and whether that was said.
    var provisionalAt: Instant?
    var isProvisional = false
    /// It was said at some time, of whatever there was of the train.
    var wasTold = false
    /// Nobody saw all of the train.
    var isCut = false
    var isStuck = false
    /// Coins were taken when the train began, or had been until shortly before.
    var isInAcceptWindow = false
    var isEarly = false
    /// The gate was open for whoever was to come in when the train began.
    var isForUnlocked = false
    /// The pulse before the silence, unless that is over.
    var lastPulse: (ended: Instant, width: Duration, isGood: Bool)?
    /// For how long in all the pulse was interrupted.
    var brokenFor: Duration = .zero
    var firstGap: Duration?
    /// Whoever inserts a coin until then may have begun before.
    var maybeBegunUntil: Instant?
    var noise = 0
    var lastNoise: Instant?

    /// When it is known that the last pulse was none.
    var noiseKnownAt: Instant? {
        lastPulse.flatMap { $0.isGood ? nil : $0.ended + Self.leastGap }
    }

    /// What is shorter interrupts a pulse, and parts no two.
    static let leastGap: Duration = .milliseconds(12)
    var isNoisy = false
}

// Coins and credit.
extension PlainGate {
    /// A noise pulse that comes this soon after another one is of the same burst.
    static let noiseGap: Duration = .seconds(1)
    static let noiseQuiet: Duration = .seconds(10)
    static let noiseLimit = 5

    var acceptsCoins: Bool {
        mayServe && regime.entry != .free && coinRefusal == nil
    }

    /// Why a gate in service refuses coins; nil where it takes them, or where entry is free.
    var coinRefusal: CoinRefusal? {
        if let fault = firstFault(where: refusesCoins) { return .fault(fault) }
        if regime.entry == .free { return nil }
        if regime.entry == .locked { return .entryLocked }
        if isLedgerAwaited { return .ledgerAwaited }
        if wantsService { return .serviceAwaited }
        if isUnlocked {
            if policy.coinWhileUnlocked == .reject { return .released }
            if policy.coinWhileUnlocked == .thank { return nil }
        }
        return held < policy.maxStored ? nil : .storeFull
    }

    /// Whether coins are refused for a fault with this effect.
    func refusesCoins(_ effect: Fault.Effect) -> Bool {
        effect == .mayRefuseCoins ? policy.vaultFull == .refuse : effect != .none
    }

    /// The first fault, in the order of the table, with such an effect.
    func firstFault(where applies: (Fault.Effect) -> Bool) -> Fault? {
        if faults.isEmpty { return nil }
        var set = RetainedState().faults
        for fault in faults where applies(fault.effect) { set[fault] = true }
        return set.all.first
    }

    private var takesMoney: Bool { equipment.inputs[.coinPulse] }

    /// What the status says of a gate in service that is not as usual.
    var limitation: Status.Limitation? {
        if hasStarted, isEmergency {
            let ways = Direction.allCases.filter { isLimited($0) && equipment.outputs[$0.lock] }
            return ways.isEmpty ? nil : .cannotHoldOpen(ways.count == 1 ? ways[0] : nil)
        }
        guard mayServe else { return nil }
        if takesMoney, let refusal = coinRefusal { return .coinsRefused(refusal) }
        return firstFault(where: { _ in true }).map { .fault($0) }
    }

    /// What is held in a gate that has nobody to serve is old from now on.
    mutating func settleDown(_ now: Instant) {
        comeToRest(now)
        comeToRest(now)
        freshFares = min(freshFares, credit / policy.price)
        watchLocks(now)
        guard mayServe, way == .locked else {
            if !isLedgerAwaited { payerBefore?.payer.limit = nil }
            return
        }
        guard !hasPaid, lockPauses[.entry] == nil, !wantsChange else { return }
        freshFares = 0
        if !isLedgerAwaited { payerBefore = nil }
    }

    /// Once all is done, the acceptors are told; a coin may have been on its way. Whoever comes to
    /// a gate that serves nobody is told once why it takes none.
    mutating func tellAcceptors(_ now: Instant) {
        if acceptedBefore && !acceptsCoins { lateUntil = now + policy.lateCoinWindow }
        if !acceptsCoins { earlyUntil = .zero }
        if !acceptedBefore && acceptsCoins { earlyUntil = now + policy.earlyCoinWindow }
        acceptedBefore = acceptsCoins
        if acceptsCoins {
            lateUntil = .zero
            toldRefusal = nil
        }
        guard mayServe, way == .locked else { return }
        let refusal = takesMoney ? coinRefusal : nil
        guard refusal != toldRefusal else { return }
        toldRefusal = refusal
        switch refusal {
        case .entryLocked, .storeFull: refusal.map { records.append(.coinsRefused($0)) }
        case .fault, .ledgerAwaited, .released, .serviceAwaited, nil: break
        }
    }

    /// Whether the gate is open for whoever was granted a passage in.
    private var isUnlocked: Bool {
        mayServe && (way == .released || way == .passing) && direction == .entry
            && authorisation != .free
    }

    func times(of acceptor: Acceptor) -> [Instant] {
        let line = coinLines[acceptor.place]
        return [
            line.trainEnds, line.provisionalAt, line.noiseKnownAt,
            line.pulseBegan.map { $0 + policy.coins[acceptor].stuckAfter },
            line.isNoisy ? line.lastNoise.map { $0 + Self.noiseQuiet } : nil,
        ].compactMap { $0 }
    }

    mutating func passTime(of acceptor: Acceptor, _ now: Instant) {
        if let due = coinLines[acceptor.place].noiseKnownAt, due <= now {
            knowNoise(acceptor, due)
        }
        let line = coinLines[acceptor.place]
        if let due = line.provisionalAt, due <= now { reportProvisional(acceptor, now) }
        if let due = line.trainEnds, due <= now { endTrain(acceptor, now) }
        if let since = line.pulseBegan, since + policy.coins[acceptor].stuckAfter <= now {
            stickCoin(acceptor, now)
        }
        if line.isNoisy, let last = line.lastNoise, last + Self.noiseQuiet <= now {
            coinLines[acceptor.place].isNoisy = false
            endFault(.noiseBurst(acceptor), now)
            records.append(.noiseOver(acceptor, pulses: line.noise))
        }
    }

    // MARK: Pulses

    /// Whether the acceptors take coins, or did so shortly ago.
    func mayBeInAcceptWindow(_ now: Instant) -> Bool {
        acceptsCoins || acceptedBefore || now < lateUntil
    }

    mutating func beginPulse(_ acceptor: Acceptor, _ now: Instant) {
        let place = acceptor.place
        guard coinLines[place].pulseBegan == nil, !coinLines[place].isStuck else { return }
        let before = coinLines[place].lastPulse
        coinLines[place].pulseBegan = now
        coinLines[place].lastPulse = nil
        coinLines[place].trainEnds = nil
        coinLines[place].provisionalAt = nil
        if let before, now - before.ended < CoinLine.leastGap {
            // It was only interrupted.
            if before.isGood { coinLines[place].pulses -= 1 }
            coinLines[place].brokenFor += now - before.ended
            let quarter = policy.coins[acceptor].pulseWidth / 4
            if coinLines[place].brokenFor < quarter {
                coinLines[place].pulseBegan = now - before.width
            } else {
                // Too often: it is none, nor is what follows it at once.
                coinLines[place].brokenFor = quarter
                doubtTable(acceptor)
                hearNoise(acceptor, before.width, now)
            }
            return
        }
        coinLines[place].brokenFor = .zero
        if let before, isTable(acceptor) {
            let gap = now - before.ended
            let first = coinLines[place].firstGap ?? gap
            coinLines[place].firstGap = first
            if max(gap, first) > min(gap, first) * 2 { coinLines[place].isCut = true }
        }
        if coinLines[place].pulses == 0, !coinLines[place].isCut {
            coinLines[place].isInAcceptWindow = mayBeInAcceptWindow(now)
            coinLines[place].isEarly = coinLines[place].isInAcceptWindow && now < earlyUntil
            coinLines[place].isForUnlocked = isUnlocked
        }
    }

    mutating func endPulse(_ acceptor: Acceptor, _ now: Instant) {
        let place = acceptor.place
        let nominal = policy.coins[acceptor].pulseWidth
        if coinLines[place].isStuck {
            coinLines[place].isStuck = false
            endFault(.coinLineStuck(acceptor), now)
        } else if let since = coinLines[place].pulseBegan {
            coinLines[place].pulseBegan = nil
            let width = now - since
            let began = since - coinLines[place].brokenFor
            let isGood =
                width * 2 >= nominal && width <= nominal * 2
                && coinLines[place].brokenFor * 4 < nominal
            coinLines[place].lastPulse = (now, width, isGood)
            if isGood {
                coinLines[place].pulses += 1
                coinLines[place].isProvisional = false
                let heard = coinLines[place].lastNoise
                let isNear = heard.map { $0 > began - policy.coins[acceptor].trainQuiet } ?? false
                if isTable(acceptor), isNear { coinLines[place].isCut = true }
                if let until = coinLines[place].maybeBegunUntil, began < until {
                    coinLines[place].isCut = true
                }
                coinLines[place].maybeBegunUntil = nil
            }
            if coinLines[place].pulses > 255 {
                hum(acceptor, now)
            } else if coinLines[place].pulses > 0 || coinLines[place].isCut {
                let quiet = policy.coins[acceptor].trainQuiet
                coinLines[place].trainEnds = now + quiet
                expectProvisional(acceptor)
            }
        }
    }

    /// The silence was long enough: the pulse before it was none.
    mutating func knowNoise(_ acceptor: Acceptor, _ now: Instant) {
        guard let pulse = coinLines[acceptor.place].lastPulse else { return }
        coinLines[acceptor.place].lastPulse = nil
        doubtTable(acceptor)
        hearNoise(acceptor, pulse.width, now)
    }

    /// What there is of a coin is no coin of a table: there was noise in it.
    mutating func doubtTable(_ acceptor: Acceptor) {
        guard isTable(acceptor), coinLines[acceptor.place].pulses > 0 else { return }
        coinLines[acceptor.place].isCut = true
        coinLines[acceptor.place].provisionalAt = nil
    }

    /// Whether numbers of pulses are coins, and not each pulse money.
    func isTable(_ acceptor: Acceptor) -> Bool {
        switch policy.coins[acceptor].values {
        case .exact: true
        case .proportional: false
        }
    }

    /// The ledger is told of a coin while it is still quiet, unless nobody knows what it is.
    mutating func expectProvisional(_ acceptor: Acceptor) {
        let line = coinLines[acceptor.place]
        guard hasLedger, line.isInAcceptWindow, !line.isEarly, !line.isProvisional, !line.isCut
        else { return }
        let quiet = policy.coins[acceptor].trainQuiet
        coinLines[acceptor.place].provisionalAt = line.trainEnds.map { $0 - quiet / 4 }
    }

    // MARK: Coins

    mutating func endTrain(_ acceptor: Acceptor, _ now: Instant) {
        let line = coinLines[acceptor.place]
        coinLines[acceptor.place].trainEnds = nil
        coinLines[acceptor.place].provisionalAt = nil
        coinLines[acceptor.place].isProvisional = false
        coinLines[acceptor.place].wasTold = false
        coinLines[acceptor.place].isCut = false
        coinLines[acceptor.place].pulses = 0
        coinLines[acceptor.place].lastPulse = nil
        coinLines[acceptor.place].firstGap = nil
        guard line.pulses > 0 || line.isCut else { return }
        var value = policy.coins[acceptor].values.value(ofPulses: line.pulses)
        // Of a table nobody knows which coin it was.
        if line.isCut, line.pulses == 0 { value = nil }
        if line.isCut, case .exact = policy.coins[acceptor].values { value = nil }
        guard let value else {
            records.append(.coinUnknown(acceptor, pulses: line.pulses))
            if !line.isEarly { fail(.unknownPulseCount, now) }
            return
        }
        let coin = Coin(acceptor, pulses: line.pulses, value: value)
        if line.isCut { records.append(.coinInDoubt(coin)) }
        take(coin, from: line, now)
    }

    mutating func take(_ coin: Coin, from line: CoinLine, _ now: Instant) {
        if !line.isInAcceptWindow {
            records.append(.coinInhibited(coin))
            raise(.coinStringing, until: now + policy.alarmHold)
            return
        } else if line.isEarly {
            records.append(.coinEarly(coin))
            return
        } else if line.isForUnlocked, policy.coinWhileUnlocked == .thank {
            records.append(acceptsCoins ? .coinAccepted(coin) : .coinLate(coin))
            records.append(.creditForfeited(value: coin.value))
            creditExpires = nil
            if !line.isProvisional { keep() }
        } else if line.isForUnlocked, policy.coinWhileUnlocked == .reject,
            equipment.outputs[.coinReject]
        {
            records.append(.coinRejected(coin))
            pulse(.coinReject, 1)
            return
        } else {
            records.append(acceptsCoins ? .coinAccepted(coin) : .coinLate(coin))
            let fares = (credit + coin.value) / policy.price - credit / policy.price
            if mayServe { freshFares += fares }
            credit += coin.value
            creditExpires = nil
            if !line.isProvisional { keep() }
            sell(now)
        }
        pulse(.coinMeter, coin.value / policy.meterUnit)
    }

    mutating func pulse(_ output: Output, _ count: Int) {
        if equipment.outputs[output] { pulses[output]?.add(count) }
    }

    // MARK: Credit

    /// Who has paid enough is let in, and before them who had paid before the start.
    mutating func sell(_ now: Instant) {
        let payer = duePayer
        let fare = payer?.fare ?? policy.price
        guard mayServe, !wantsService, !keepsForChange(.entry), regime.entry == .controlled,
            way == .locked, credit >= fare
        else { return }
        guard mayRelease(.entry, now) else { return }
        if isUnstored {
            hasPaid = true
            return
        }
        credit -= fare
        surplus = policy.overpay == .forfeit ? payer?.surplus ?? credit % policy.price : 0
        if payer == nil { freshFares = max(0, freshFares - 1) } else { payerBefore = nil }
        records.append(.creditUsed(value: fare))
        release(.entry, .credit(fare: fare), now, until: payer?.limit)
    }

    mutating func giveBack(_ fare: Int) {
        credit += fare
        records.append(.creditReturned(value: fare))
    }

    mutating func forfeit(_ value: Int) {
        credit -= value
        records.append(.creditForfeited(value: value))
    }

    mutating func expireCredit() {
        records.append(.creditExpired(value: credit))
        credit = 0
    }

    /// Credit ages while it could be used.
    mutating func countCreditTime(_ now: Instant) {
        let rests =
            credit > 0 && mayServe && regime.entry == .controlled && way == .locked && !wantsChange
            && !isCounting
        let isCounted = rests && policy.creditExpiry != .zero
        creditExpires = isCounted ? creditExpires ?? now + policy.creditExpiry : nil
    }
}

extension Acceptor {
    /// The acceptor's place among the others, from 0.
    var place: Int { Int(rawValue) - 1 }

    /// The acceptor on this line, if it is one's.
    init?(line: Input) {
        guard let acceptor = Acceptor.allCases.first(where: { $0.line == line }) else { return nil }
        self = acceptor
    }
}
