import StateMachines

@testable import Turnstile

extension Law {
    /// What becomes of coins.
    static let coins = [
        Law(name: "coins are taken by a healthy gate that can store, and by no other (7)") { seen in
            seen.isOn(.coinEnable) == seen.mayTakeCoins || seen.gate.service.tested == .coinEnable
        },
        Law(name: "a contact that nobody may pass by is refused, and no other") { seen in
            if seen.gateBefore.duties.entry.isPausing { return true }
            guard case .pressed(let contact) = seen.event, seen.wasDriven != nil else {
                return true
            }
            let isRefused = seen.records.contains {
                if case .refused(.grant, .contact(contact), _) = $0 { true } else { false }
            }
            switch contact {
            case .releaseEntry: return isRefused != seen.tookContact(.entry)
            case .releaseExit: return isRefused != seen.tookContact(.exit)
            case _: return true
            }
        },
        Law(name: "every good pulse is told, whenever it comes (8)") { seen in
            Acceptor.allCases.allSatisfy { acceptor in
                let untold = seen.world.coinLines[acceptor].untold
                return seen.drive == nil || untold == 0
                    || untold > 0 && seen.after.turnstile.isCounting
            }
        },
        Law(name: "a coin in the accept window is credited or given back, no other (8)") { seen in
            seen.records.allSatisfy { record in
                switch record {
                case .coinAccepted(let coin): seen.tookCoins && seen.isRight(coin)
                case .coinLate(let coin): seen.isRight(coin)
                case .coinRejected(let coin):
                    seen.isRight(coin) && seen.equipment.outputs[.coinReject]
                        && seen.policy.coinWhileUnlocked == .reject
                case .coinInhibited(let coin):
                    seen.isRight(coin, isInAcceptWindow: false)
                        && seen.gate.alarms[.coinStringing] != nil
                case .coinEarly(let coin):
                    seen.isRight(coin) && seen.policy.earlyCoinWindow > .zero
                case .coinUnknown(let acceptor, let pulses):
                    seen.value(ofPulses: pulses, acceptor) == nil || seen.isCut(acceptor)
                case _: true
                }
            }
        },
        Law(name: "a coin of a table that was cut by a restart is never another coin (8)") { seen in
            seen.records.allSatisfy { record in
                switch record {
                case .coinAccepted(let coin), .coinLate(let coin), .coinInhibited(let coin),
                    .coinEarly(let coin), .coinRejected(let coin):
                    // What the ledger knew is another coin.
                    !seen.isCut(coin.acceptor) || seen.event == .ledgerOpened
                        || seen.policy.coins[coin.acceptor].values.isProportional
                case _: true
                }
            }
        },
        Law(name: "noise and a line that sticks are faults while they last") { seen in
            guard seen.drive != nil else { return true }
            return Acceptor.allCases.allSatisfy { acceptor in
                let line = seen.world.coinLines[acceptor]
                return seen.gate.faults.isUp(.noiseBurst(acceptor)) == line.isBurst
                    && seen.gate.faults.isUp(.coinLineStuck(acceptor)) == (line.pulseTicks == 2)
            }
        },
        Law(name: "no counter gets a pulse that nobody has earned") { seen in
            let wasTested = seen.gateBefore.service.isOn || seen.gate.service.isOn
            return wasTested || seen.world.pendingPulses.isEarned
        },
    ]
}

extension Observation {
    /// Whether the acceptors took coins before something happened, or do since; a gap may end a
    /// passage, and the coin that it credits begin another.
    fileprivate var tookCoins: Bool {
        if case .edgesLost = event { return true }
        return wasOn(.coinEnable) || commands.contains(.set(.coinEnable, isOn: true))
    }

    /// Whether a contact could let somebody pass before it was pressed, at once or later.
    fileprivate func tookContact(_ direction: Direction) -> Bool {
        let gate = gateBefore
        let isFirst =
            gate.lane.state == .locked && !gate.service.isAwaited
            && (!gate.isChangeAwaited || gate.rotor == .turning(direction))
        return gate.standing == .inService && gate.regime[direction] == .controlled
            && (isFirst || gate.heldByTheRules < gate.policy.maxStored)
    }

    /// Whether coins may be taken, by the rules.
    fileprivate var mayTakeCoins: Bool {
        guard drive != nil, !gate.emergency.isActive, !gate.service.isOn else { return false }
        guard !gate.service.isAwaited, world.notebook?.closed == nil else { return false }
        let trouble: [Input] = [.fire, .stop, .externalFault, .powerLow, .coinJam]
        guard !trouble.contains(where: { inputs[$0] }), !gate.faults.refusesCoins else {
            return false
        }
        if inputs[.vaultFull] && policy.vaultFull == .refuse { return false }
        if equipment.inputs[.vaultPresent] && !inputs[.vaultPresent] { return false }
        guard gate.regime.entry == .controlled else { return false }
        let held = gate.heldByTheRules
        guard gate.lane.grant?.direction == .entry else { return held < policy.maxStored }
        switch policy.coinWhileUnlocked {
        case .store: return held < policy.maxStored
        case .reject: return false
        case .thank: return true
        }
    }

    fileprivate func value(ofPulses pulses: Int, _ acceptor: Acceptor) -> Int? {
        gateBefore.policy.coins[acceptor].values.value(ofPulses: pulses)
    }

    /// Whether pulses of what an acceptor counted may be missing, since nobody listened.
    fileprivate func isCut(_ acceptor: Acceptor) -> Bool {
        before.world.coinLines[acceptor].isCut
    }

    /// Whether the coin is worth what it is said to be, and came in the accept window, or not.
    fileprivate func isRight(_ coin: Coin, isInAcceptWindow: Bool = true) -> Bool {
        guard coin.value == value(ofPulses: coin.pulses, coin.acceptor) else { return false }
        return (before.world.coinLines[coin.acceptor].isInAcceptWindow ?? isInAcceptWindow)
            == isInAcceptWindow
    }
}

extension Gate {
    /// How many authorisations are held: one that is used, those that wait, what credit pays for.
    fileprivate var heldByTheRules: Int {
        (lane.grant == nil ? 0 : 1) + queue.entry + queue.exit + queue.people.count
            + credit / policy.price
    }
}
