import Hardware
import Turnstile

extension Reader {
    mutating func checkPayment(_ draft: Draft) {
        if let other = [Input.coinPulse2, .coinPulse3].first(where: has) {
            reportMissing(
                .coinPulse,
                "'\(other.name)' is wired, and the first acceptor is the one on 'coin_pulse'")
        }
        if has(.coinPulse) {
            reportMissing(
                .coinEnable,
                "'coin_pulse' is wired, and an acceptor that cannot be inhibited takes money while "
                    + "the gate is out of service")
            let value = has("coin.values") ? [] : [("unit", "coin")]
            for (name, section) in [("price", "fare")] + value {
                reportMissing(
                    name, in: section,
                    "'coin_pulse' is wired, and there is no default for this: "
                        + summary(name, section))
            }
        }
        let others = [Output.coinEnable, .coinReject, .coinMeter].filter(has).map(\.name)
        if let other = (others + (has(.coinJam) ? [Input.coinJam.name] : [])).first {
            reportMissing(
                .coinPulse,
                "'\(other)' is wired, so there is an acceptor, and its coins would not be counted")
        }
    }

    mutating func checkCoins(_ draft: Draft) {
        for acceptor in Acceptor.allCases {
            let section = acceptor.section
            if has("\(section).unit"), has("\(section).values"), isValid(section) {
                report("contradicts 'unit': leave out one of the two", at: "\(section).values")
            }
            checkTimes(of: acceptor, draft.policy.coins[acceptor])
        }
    }

    /// The place of an acceptor's key: its own, or the first acceptor's.
    func origin(of name: String, _ acceptor: Acceptor) -> String {
        let own = "\(acceptor.section).\(name)"
        return has(own) ? own : "coin.\(name)"
    }

    /// A valid pulse must end before the line counts as stuck.
    private mutating func checkTimes(of acceptor: Acceptor, _ coins: CoinPolicy) {
        let (stuck, width) = (
            origin(of: "stuck_after", acceptor), origin(of: "pulse_width", acceptor)
        )
        let isOwn = [stuck, width].contains { $0.hasPrefix("\(acceptor.section).") }
        guard isOwn, !coins.isStuckAfterPulses, isValid(stuck, width)
        else { return }
        report(
            "\(shown(coins.stuckAfter, at: stuck)) must be longer than twice 'pulse_width' "
                + "(\(shown(coins.pulseWidth, at: width))): a pulse of that length still counts",
            at: "\(acceptor.section).stuck_after")
    }

    mutating func checkMeter(_ draft: Draft) {
        guard has(.coinMeter) else { return }
        if !has("coin.unit") {
            reportMissing(
                "meter_unit", in: "coin",
                "'coin_meter' is wired, and there is no default for this: "
                    + summary("meter_unit", "coin"))
        }
        let step = draft.policy.meterUnit
        let shownStep = has("coin.meter_unit") ? "\(step)" : "the default of \(step), 'coin.unit',"
        for (place, value) in worth(draft) where isValid(place, "coin.meter_unit", "coin.unit") {
            if !value.isMultiple(of: step) {
                return report(
                    "\(shownStep) does not go into '\(place)' (\(value)): the meter counts whole "
                        + "steps", at: "coin.meter_unit")
            }
            if value / step > Policy.mostMeterSteps {
                return report(
                    "\(shownStep) goes \(value / step) times into '\(place)' (\(value)): allowed "
                        + "are \(Policy.mostMeterSteps), or the meter would never be done",
                    at: "coin.meter_unit")
            }
        }
    }

    private func worth(_ draft: Draft) -> [(place: String, value: Int)] {
        Acceptor.allCases.filter { has($0.line) }.flatMap {
            draft.coins[$0].worth(in: $0.section)
        }
    }

    private func summary(_ name: String, _ section: String) -> String {
        Schema.entry(at: "\(section).\(name)")?.summary ?? name
    }
}

extension Acceptor {
    var section: String {
        switch self {
        case .first: "coin"
        case .second: "coin.second"
        case .third: "coin.third"
        }
    }
}

extension Fields {
    fileprivate func worth(in section: String) -> [(place: String, value: Int)] {
        if let unit = self[.unit]?.integer { return [("\(section).unit", Int(unit))] }
        return (self[.values]?.coins ?? [:]).sorted { $0.key < $1.key }.map {
            ("\(section).values.\($0.key)", $0.value)
        }
    }

    /// The stated value of a coin of so many pulses, nil for any, and its place.
    func worth(in section: String, _ pulses: Int?) -> [(place: String, value: Int)] {
        worth(in: section).filter { place, _ in
            place == (pulses.map { "\(section).values.\($0)" } ?? "\(section).unit")
        }
    }
}
