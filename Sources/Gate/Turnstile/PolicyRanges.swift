// What an owner can decide. Where settings are read, each mistake has its place in the file; what
// comes from afar is asked about as a whole.
extension Policy {
    /// Whether every number and time is one that the owner could have written.
    var isPossible: Bool {
        (1...Self.highestPrice).contains(price) && (1...Self.highestUnit).contains(meterUnit)
            && (1...Self.mostStored).contains(maxStored)
            && Acceptor.ordered.allSatisfy { coins[$0].isPossible }
            && schedule.allSatisfy { $0.isPossible } && times.allSatisfy { $1.contains($0) }
    }

    /// The most that a pulse, a coin, or a step of the meter may be worth.
    static let highestUnit = 1_000_000

    /// The times of passages and machinery, and what each may be.
    private var times: [(Duration, ClosedRange<Duration>)] {
        [
            (passWait, .seconds(1)...(.seconds(60))),
            // It may last for ever, or as long as anybody waits.
            (creditExpiry == .zero ? .seconds(10) : creditExpiry, .seconds(10)...(.seconds(7200))),
            (lateCoinWindow, .zero...(.seconds(5))),
            (earlyCoinWindow, .zero...(.seconds(5))),
            (passDelayAlarm, .seconds(5)...(.seconds(120))),
            (tailgatingWindow, .zero...(.seconds(10))),
            (rotorStep, .zero...(.milliseconds(100))),
            (beamBlocked, .seconds(3)...(.seconds(255))),
            (homeSettle, .milliseconds(200)...(.seconds(10))),
            (lockResponse, .milliseconds(50)...(.milliseconds(900))),
            (lockPull, .milliseconds(50)...(.milliseconds(1000))),
            (countPulse, .milliseconds(50)...(.milliseconds(1000))),
            (alarmHold, .seconds(1)...(.seconds(300))),
            (serviceHold, .seconds(1)...(.seconds(10))),
        ]
    }
}

extension CoinPolicy {
    fileprivate var isPossible: Bool {
        (.milliseconds(20)...(.milliseconds(500))).contains(pulseWidth)
            && (.milliseconds(120)...(.milliseconds(500))).contains(trainQuiet)
            && (.milliseconds(300)...(.seconds(5))).contains(stuckAfter)
            && stuckAfter > pulseWidth * 2 && values.isPossible
    }
}

extension CoinValues {
    fileprivate var isPossible: Bool {
        let worth = 1...Policy.highestUnit
        return switch self {
        case .proportional(let unit): worth.contains(unit)
        case .exact(let table):
            table.allSatisfy { (1...255).contains($0.key) && worth.contains($0.value) }
        }
    }
}

extension ScheduleEntry {
    fileprivate var isPossible: Bool { (0...1439).contains(from) && (1...1440).contains(to) }
}
