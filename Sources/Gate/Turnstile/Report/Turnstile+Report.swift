public import StateMachines

// The report.
extension Turnstile {
    /// All that the gate is doing, and why.
    ///
    /// - Parameters:
    ///   - onsets: Since when faults and alarms are up.
    ///   - outputs: Whether an output is on, by the last that its line has taken; nil to tell what
    ///     was commanded.
    ///   - energised: The outputs whose lines carry "energised"; nil where nobody knows.
    ///   - calendar: When the wall clock shows what it would show then by its present offset from
    ///     UTC: the machine knows of no change to come.
    public func report(
        _ onsets: Onsets = Onsets(), outputs: ((Output) -> Bool)? = nil,
        energised: OutputSet? = nil, calendar: (Instant) -> Instant = { $0 }
    ) -> StatusReport {
        var gate = gate
        gate.timetable.follow(calendar)
        let driven = gate.drive ?? []
        let isOn = outputs ?? { driven[$0] }
        return StatusReport(
            status: status, standing: gate.standing, entry: gate.report(.entry),
            exit: gate.report(.exit), enforcement: gate.enforcementReport, credit: gate.credit,
            price: gate.policy.price, held: gate.held, mostHeld: gate.policy.maxStored,
            coinRefusal: gate.equipment.inputs[.coinPulse] ? gate.coinRefusal : nil,
            isCountAwaited: gate.isCountAwaited, serviceRequester: gate.service.requester,
            policyRequester: policyRequester,
            faults: gate.faults.up.all.map { gate.report($0, since: onsets[$0]) },
            alarms: Alarm.ordered.compactMap { gate.report($0, since: onsets[$0]) },
            equipment: gate.equipment, inputs: inputs,
            outputs: Output.ordered.filter { gate.equipment.outputs[$0] }.map { output in
                .init(
                    output: output, isOn: isOn(output), fault: gate.faults.fault(of: output),
                    isEnergised: energised?[output])
            },
            due: (decodersDue + gate.due).sorted { $0.time < $1.time })
    }
}

extension Gate {
    fileprivate func report(_ direction: Direction) -> StatusReport.Way {
        let grant = lane.grant.flatMap { $0.direction == direction ? $0.authorisation : nil }
        return StatusReport.Way(
            mode: inForce(
                regime[direction], timetable.regime[direction], timetable.terms[direction]),
            isReleased: drive?[direction.lock] ?? false, grant: grant,
            isPassing: lane.isPassing(direction),
            waitingByContact: queue[direction],
            waitingByPerson: queue.people.count { $0.direction == direction })
    }

    fileprivate var enforcementReport: StatusReport.InForce<Enforcement> {
        inForce(regime.enforcement, timetable.regime.enforcement, timetable.terms.enforcement)
    }

    private func inForce<Value: Hashable & Sendable>(
        _ value: Value, _ wanted: Value, _ term: Term<Value>?
    ) -> StatusReport.InForce<Value> {
        StatusReport.InForce(value: value, term: term, next: wanted == value ? nil : wanted)
    }

    fileprivate func report(_ fault: Fault, since: Instant?) -> StatusReport.Raised<Fault> {
        let end: StatusReport.End =
            switch (fault.isLatching, faults.isPresent(fault)) {
            case (true, true): .causeThenKey
            case (true, false): .key
            case (false, _): .cause
            }
        return StatusReport.Raised(value: fault, since: since, end: end)
    }

    fileprivate func report(_ alarm: Alarm, since: Instant?) -> StatusReport.Raised<Alarm>? {
        alarms[alarm].map { lasting in
            let end: StatusReport.End =
                switch lasting {
                case .until(let end): .at(end)
                case .whileItLasts: .cause
                case .latched: .key
                }
            return StatusReport.Raised(value: alarm, since: since, end: end)
        }
    }

    fileprivate var due: [StatusReport.Due] {
        Region.allCases.compactMap { region in
            let time = region == .counters ? counters.deadline : deadline(of: region)
            return time.map { StatusReport.Due(time: $0, reason: region.reason) }
        }
    }
}

extension Gate.Region {
    /// The effect of a timeout in the region.
    fileprivate var reason: StatusReport.Reason {
        switch self {
        case .lane, .payer: .passageWait
        case .alarms: .alarmEnds
        case .creditAccount: .creditExpires
        case .beams: .beamBlocked
        case .arm: .armNotHome
        case .entryLock, .exitLock: .lockNotResponding
        case .service: .service
        case .timetable: .termsChange
        case .loiterer: .passageDelayed
        case .heldContacts: .contactStuck
        case .duties: .lockRests
        case .outage: .outageLasts
        case .lateCoins: .lateCoinsOver
        case .earlyCoins: .earlyCoinsOver
        case .counters: .countPulse
        case .emergency, .faults, .commitBarrier:
            preconditionFailure("nothing is ever due in \(self)")
        }
    }
}

extension Lane {
    /// Whether a person is on the way through in this direction.
    fileprivate func isPassing(_ direction: Direction) -> Bool {
        switch state {
        case .locked, .suspended: false
        case .released(let grant, let until):
            until == nil && grant.direction.opposite == direction
        case .passing(let passage): passage.grant.direction == direction
        case .recovering(let passage): passage.direction == direction
        }
    }
}

extension FaultBoard {
    /// Why the level of an output's line may not be the driven one; nil without a fault.
    fileprivate func fault(of output: Output) -> Fault? {
        LineFailure.allCases.lazy.map { .line(.output(output), $0) }.first { isUp($0) }
    }
}
