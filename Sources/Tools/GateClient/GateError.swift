import BusInterface
public import System

/// Why a question to the gate has no answer, and what to do about it.
public enum GateError: Error, Hashable, Sendable {
    case noBus(SystemError)
    case busLost
    case noGate
    /// The gate was asked, or waited for, and has gone away.
    case lost
    /// The gate answers, but it cannot be asked now: it has no lines yet, or it stops.
    case unavailable(String)
    /// The gate did not answer in time.
    case noAnswer
    case busy(String)
    case notAllowed(String)
    /// The new settings have mistakes: a line each.
    case settingsRefused(String)
    case refusedArguments(String)
    /// The service is older than this program, and does not know the request.
    case olderService(String)
    case unreadable(String)
}

extension GateError {
    init(_ answer: BusMessage) {
        let name = answer.errorName ?? ""
        let text = answer.errorText ?? ""
        let last = name.split(separator: ".").last.map(String.init) ?? ""
        switch GateInterface.Failure(rawValue: name) {
        case .notAllowed: self = .notAllowed(text)
        case .busy: self = .busy(text)
        case .unavailable: self = .unavailable(text)
        case .settingsRefused: self = .settingsRefused(text)
        case .invalidArguments: self = .refusedArguments(text)
        case .unknownMethod: self = .olderService(text)
        case nil where name.hasPrefix(GateInterface.Failure.own):
            self = .unreadable("\(last): \(text)")
        case .unknownObject, .unknownInterface, .unknownProperty, .readOnly, nil:
            self = GateError(standard: last, text)
        }
    }

    /// One of those that every service on a bus may have.
    private init(standard name: String, _ text: String) {
        switch name {
        case "ServiceUnknown", "NameHasNoOwner": self = .noGate
        case "Disconnected": self = .busLost
        // The bus says so if the peer left without an answer, or if the bus itself gave up.
        case "NoReply": self = text.contains("timeout") ? .noAnswer : .lost
        case "Timeout", "TimedOut": self = .noAnswer
        case "AccessDenied":
            self = .notAllowed("\(text)\nAsk as root, or as a member of the group turnstile.")
        case "LimitsExceeded": self = .busy(text)
        case let other: self = .unreadable(text.isEmpty ? other : text)
        }
    }
}

extension GateError {
    /// Whether the service is there and answered, if only that it refuses.
    public var isAnswer: Bool {
        switch self {
        case .noBus, .busLost, .noGate, .lost, .noAnswer: false
        case .unavailable, .busy, .notAllowed, .settingsRefused, .refusedArguments, .olderService,
            .unreadable:
            true
        }
    }
}

extension GateError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noBus(let error):
            "cannot connect to D-Bus (\(error))\n"
                + "The system bus is dbus.service; with --user it is your session's."
        case .busLost:
            "the connection to the bus was lost; the last request may have been carried out\n"
                + "See: systemctl status dbus"
        case .noGate:
            "no turnstile answers on the bus: is it running?\n"
                + "See: systemctl status turnstiled"
        case .lost:
            "the gate's service has ended; the last request may have been carried out\n"
                + "See: turnstilectl status, journalctl _SYSTEMD_UNIT=turnstiled.service"
        case .unavailable(let text): "the gate is not available now: \(text)"
        case .noAnswer:
            "the gate did not answer in time; the request may still be carried out\n"
                + "See: turnstilectl status, systemctl status turnstiled"
        case .busy(let text): "the gate is busy: \(text)"
        case .notAllowed(let text):
            "not allowed: \(text)"
        case .settingsRefused(let text): text
        case .refusedArguments(let text): text
        case .olderService(let text):
            "the gate's service is older than this program, and does not know this: \(text)"
        case .unreadable(let text):
            "the gate says what this program cannot read: \(text)\n"
                + "Are both of one version? See: turnstilectl --version, turnstiled --version"
        }
    }
}
