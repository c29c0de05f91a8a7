import SimulatedHardware
import StateMachines
import Turnstile

// What people do that nobody foresees, and short troubles that end by themselves.
extension Crowd {
    /// One of these episodes; says when it is over.
    mutating func oddity(_ start: Instant) -> Instant {
        switch Int.random(in: 0..<27, using: &randomness) {
        case 0..<5: disturbSensors(start)
        case 5..<7: dip(start)
        case 7..<10: stand(start)
        case 10: standLocked(start)
        case 11..<13: holdKey(start)
        case 13..<15: makeMechanicWait(start)
        case 15..<17: rock(start)
        case 20..<24: pushAtTheMoment(start)
        case 24..<27: waitThroughBreak(start)
        default: overpay(start)
        }
    }

    /// The common supply of the rotor's sensors fails, or is touched, now and then, while nobody is
    /// there or somebody passes.
    private mutating func disturbSensors(_ start: Instant) -> Instant {
        let end = chance(60) ? payAndPass(start) : start + .seconds(1)
        for _ in 0..<Int.random(in: 1...3, using: &randomness) {
            // One in a while lasts for longer than noise does.
            let length = chance(95) ? after(1...300) : after(600...2_000)
            agenda.plan(
                .sensorsDisturbed(isActive: chance(70), for: length),
                at: start + after(0...5_000))
        }
        // Somebody who moved meanwhile may have left the sensors where they cannot be believed.
        return chance(40) ? press(.serviceKey, end + after(3_000...8_000)) : end
    }

    /// The supply is low for a moment, while somebody has paid or waits for their turn; nobody
    /// turns a key.
    private mutating func dip(_ start: Instant) -> Instant {
        let paid =
            chance(70)
            ? pay(price, start) : press(one(of: [.releaseEntry, .releaseExit]), start)
        let low = paid + after(0...1_000)
        let over = low + (chance(60) ? after(100...2_000) : after(2_000...10_000))
        agenda.plan(.contactMoved(.powerLow, isActive: true), at: low)
        agenda.plan(.contactMoved(.powerLow, isActive: false), at: over)
        return walk(over + after(200...1_500), chance(80) ? .entry : .exit)
    }

    /// The service is gone for a moment, once or twice, while somebody is let in and has not come;
    /// they wait until they are let in again, or push before.
    private mutating func waitThroughBreak(_ start: Instant) -> Instant {
        var time =
            chance(80)
            ? pay(chance(70) ? price : 2 * price, start) : press(.releaseEntry, start)
        for _ in 0..<(chance(70) ? 1 : 2) {
            let down = after(10...1_000)
            time = time + after(0...2_000)
            agenda.plan(chance(70) ? .kill(down: down) : .stop(down: down), at: time)
            time = time + down
        }
        if chance(20) { _ = press(.releaseEntry, time + after(0...500)) }
        return walk(time + after(20...5_000), .entry)
    }

    /// Somebody stands in the rotor for minutes, whatever is cut; the mechanic turns the key.
    private mutating func stand(_ start: Instant) -> Instant {
        let begun = chance(80) ? pay(price, start) : press(.releaseEntry, start)
        let speed = speed()
        let degrees = Int.random(in: 21..<100, using: &randomness)
        agenda.plan(.armPushed(.entry, degreesPerSecond: speed), at: begun)
        let stands = begun + .milliseconds(1_000 * degrees / speed)
        agenda.plan(.stoodStill, at: stands)
        var time = stands
        for _ in 0..<Int.random(in: 0...3, using: &randomness) {
            time = press(.serviceKey, time + after(1_000...60_000))
        }
        time = time + after(1_000...40_000)
        agenda.plan(chance(60) ? .armPushed(.entry) : .steppedBack(), at: time)
        return press(.serviceKey, time + after(2_000...4_000))
    }

    /// Somebody begins to move in the very moment in which the gate would close, and counts on it
    /// that they were first.
    private mutating func pushAtTheMoment(_ start: Instant) -> Instant {
        let speed = speed()
        let closing = one(of: [
            Input.stop, .externalFault, .powerLow, .emergencyResetKey, .serviceKey,
        ])
        var time = start
        switch closing {
        case .emergencyResetKey:
            agenda.plan(.contactPressed(.fire, for: after(200...2_000)), at: time)
            time = time + after(2_200...3_000)
        case .serviceKey:
            agenda.plan(.contactPressed(.serviceKey, for: .seconds(5)), at: time)
            time = time + after(6_000...20_000)
        default: time = chance(50) ? pay(price, time) : press(.releaseEntry, time)
        }
        // Contacts settle for 100 ms, the sensors for 5 and 10.
        let sensed = time + .milliseconds(20_000 / speed)
        let settled = sensed - .milliseconds(100) + after(-10...30)
        let end = walk(time, chance(80) ? .entry : .exit, degreesPerSecond: speed)
        agenda.plan(.contactPressed(closing, for: after(150...4_000)), at: settled)
        return press(.serviceKey, end + after(4_500...6_000))
    }

    /// Somebody turns a locked rotor and stands there.
    private mutating func standLocked(_ start: Instant) -> Instant {
        let degrees = Int.random(in: 21..<100, using: &randomness)
        agenda.plan(.armForced(one(of: [.entry, .exit]), degreesPerSecond: 300), at: start)
        agenda.plan(.stoodStill, at: start + .milliseconds(1_000 * degrees / 300))
        let end = start + after(1_000...80_000)
        agenda.plan(.armLetGo, at: end)
        return end + .seconds(1)
    }

    /// Somebody turns a key and forgets it: in a gate in service, stopped, or in an emergency.
    private mutating func holdKey(_ start: Instant) -> Instant {
        let key = one(of: [Input.serviceKey, .emergencyResetKey])
        let end = start + after(5_000...120_000)
        let trouble = one(of: [nil, Input.stop, .fire])
        if let trouble {
            let begin = start + after(0...6_000)
            agenda.plan(.contactMoved(trouble, isActive: true), at: begin)
            agenda.plan(.contactMoved(trouble, isActive: false), at: begin + after(100...20_000))
        }
        agenda.plan(.contactMoved(key, isActive: true), at: start + after(0...4_000))
        agenda.plan(.contactMoved(key, isActive: false), at: end)
        if trouble == .fire { _ = press(.emergencyResetKey, end + after(500...5_000)) }
        // The mechanic may have the gate by now.
        return chance(70) ? press(.serviceKey, end + after(500...3_000)) : end
    }

    /// The mechanic wants the gate, and people go on asking for it.
    private mutating func makeMechanicWait(_ start: Instant) -> Instant {
        let button = one(of: [Input.releaseEntry, .releaseExit])
        let end = start + after(10_000...60_000)
        var time = start
        while time < end {
            _ = press(button, time)
            if chance(30) { _ = walk(time + .milliseconds(200), chance(80) ? .entry : .exit) }
            time = time + after(400...3_000)
        }
        agenda.plan(.contactPressed(.serviceKey, for: .seconds(5)), at: start + after(500...4_000))
        return press(.serviceKey, end + after(500...3_000))
    }

    /// Somebody turns the arm a little and back, again and again.
    private mutating func rock(_ start: Instant) -> Instant {
        let begun = pay(price, start)
        let degrees = Int.random(in: 22..<110, using: &randomness)
        let end = begun + after(5_000...60_000)
        var time = begun
        while time < end {
            agenda.plan(.armPushed(.entry, degreesPerSecond: 100), at: time)
            time = time + .milliseconds(10 * degrees)
            agenda.plan(.steppedBack(degreesPerSecond: 100), at: time)
            time = time + .milliseconds(10 * degrees) + after(50...2_500)
        }
        return chance(50) ? walk(time, .entry) : time
    }

    /// People who put in more than their fare, and the next ones at their heels.
    private mutating func overpay(_ start: Instant) -> Instant {
        var time = start
        for _ in 0..<Int.random(in: 1...3, using: &randomness) {
            let paid = pay(price + 50 * Int.random(in: 0...5, using: &randomness), time)
            let through = walk(paid, .entry)
            // The next one's coins come while this one passes, or when they are through.
            time = chance(60) ? paid + after(0...500) : through + after(0...1_000)
        }
        return time + .seconds(1)
    }
}
