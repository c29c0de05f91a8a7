import Ledger
import StateMachines
import System
import Turnstile

/// An EVA-DTS event: the alarms or faults of one code.
struct EVADTSEvent: Hashable, Sendable {
    /// The gate's code: `A1`, `F6`.
    var code: String
    var sinceInit: Int64 = 0
    var sinceReset: Int64 = 0
    /// The wall-clock time at which it last began since the reset, if it did.
    var time: Duration?
    /// How long that lasted; nil while it lasts.
    var length: Duration?
    var isActive = false

    /// The nearest code of the standard's list, and the gate's own.
    var identification: String { "\(Self.standard[code] ?? "OCZ")_\(code)" }

    /// The standard's events: EA coin mechanism, EC control system, EG cabinet, OB and OC customers
    /// and operators.
    private static let standard = [
        "A1": "OCI", "A2": "OCI", "A3": "OCI", "A4": "OCH", "A5": "OCI", "A6": "OCH", "A7": "OCI",
        "A8": "EAI", "A9": "EGS", "A10": "OCI",
        "F1": "ECZ", "F2": "ECH", "F3": "ECH", "F4": "EGZ", "F5": "EGC", "F6": "EAD", "F7": "EAL",
        "F8": "EAR", "F9": "EAJ", "F10": "EAI", "F11": "ECA", "F12": "ECP", "F13": "ECL",
        "F14": "ECQ", "F15": "ECE", "F16": "ECQ", "F17": "ECQ", "F18": "ECO", "F19": "OBO",
    ]
}

/// Alarms and faults, from the registers and the records since the last collection.
struct EVADTSEvents {
    private var byCode: [String: EVADTSEvent] = [:]
    /// The raised alarms and faults by name: several may share a code.
    private var raised: Set<String> = []

    /// The events, in the order of their codes.
    var all: [EVADTSEvent] {
        byCode.values.sorted { ($0.code.count, $0.code) < ($1.code.count, $1.code) }
    }

    init(_ registers: Registers) {
        for (register, value) in registers.values {
            guard let code = register.eventCode else { continue }
            var event = byCode[code] ?? EVADTSEvent(code: code)
            event.sinceInit += value.sinceInit
            event.sinceReset += value.sinceCollection
            byCode[code] = event
        }
    }

    mutating func follow(_ record: Record, at time: Duration) {
        switch record {
        case .alarmRaised(let alarm): begin(alarm.code, alarm.code, at: time)
        case .alarmCleared(let alarm): end(alarm.code, alarm.code, at: time)
        case .alarmRecovered(let alarm): resume(alarm.code, alarm.code)
        case .faultRaised(let fault): begin(fault.identifier, fault.code, at: time)
        case .faultCleared(let fault): end(fault.identifier, fault.code, at: time)
        case .faultRecovered(let fault): resume(fault.identifier, fault.code)
        // A start is followed by a record for each alarm and fault that lasts over it.
        case .started:
            raised = []
            for code in byCode.keys { byCode[code]?.isActive = false }
        default: break
        }
    }

    private mutating func begin(_ name: String, _ code: String, at time: Duration) {
        raised.insert(name)
        var event = byCode[code] ?? EVADTSEvent(code: code)
        (event.time, event.length, event.isActive) = (time, nil, true)
        byCode[code] = event
    }

    private mutating func resume(_ name: String, _ code: String) {
        raised.insert(name)
        byCode[code]?.isActive = true
    }

    private mutating func end(_ name: String, _ code: String, at time: Duration) {
        raised.remove(name)
        let isActive = raised.contains { $0 == code || $0.hasPrefix("\(code)_") }
        guard !isActive, var event = byCode[code] else { return }
        event.isActive = false
        event.length = event.time.map { time - $0 }
        byCode[code] = event
    }
}

extension Register {
    fileprivate var eventCode: String? {
        switch self {
        case .alarms(let alarm): alarm.code
        case .faults(let fault): fault.code
        case .starts, .faresUsed, .fareInUse, .expired, .forfeited, .creditHeld, .creditAtBeginning,
            .coins, .unknownTrains, .noisePulses, .coinsInDoubt, .passagesInDoubt, .passagesMade,
            .passages, .releases:
            nil
        }
    }
}
