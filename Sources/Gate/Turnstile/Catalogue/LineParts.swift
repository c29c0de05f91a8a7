// What the descriptions of inputs and outputs have in common.

/// Whether a gate can do without a line.
public enum LineNeed: Hashable, Sendable {
    /// It cannot, because of this.
    case required(because: String)
    /// It can, or needs it where these words say so.
    case conditional(String)
}

/// The words for a line that is active, or on, and for one that is not.
public struct LineWords: Hashable, Sendable {
    private let on, off: String
    private let isInName: Bool

    init(_ on: String, _ off: String, isInName: Bool = false) {
        self.on = on
        self.off = off
        self.isInName = isInName
    }

    /// The word for the state.
    public subscript(isOn: Bool) -> String { isOn ? on : off }

    /// The same, or nothing where the line's name says so already.
    public func besideName(_ isOn: Bool) -> String? { isInName ? nil : self[isOn] }
}

/// The meaning of a lit lamp.
public enum LampMeaning: Hashable, Sendable {
    /// All is well.
    case good
    /// Something happens.
    case notice
    /// Something is broken, or nobody may pass.
    case trouble
}

/// How long an input's level must last to count.
public struct InputDebounce: Hashable, Sendable {
    /// The default.
    public var standard: Duration
    /// The allowed values.
    public var range: ClosedRange<Duration>

    /// A pulse, whose length is measured.
    static let pulses = InputDebounce(standard: .zero, range: .zero...(.milliseconds(50)))
    /// A sensor, which hardly bounces, and must be heard in time.
    static let sensor = InputDebounce(
        standard: .milliseconds(5), range: .zero...(.milliseconds(50)))
    /// A person's hand, which bounces for long, and a relay's contact, which does not much less.
    static let contact = InputDebounce(
        standard: .milliseconds(100), range: .milliseconds(20)...(.milliseconds(1000)))
    /// A level switch: long enough that falling coins do not count.
    static let level = InputDebounce(
        standard: .seconds(1), range: .milliseconds(20)...(.seconds(10)))
}

/// A key of the keyboard that moves a contact of a simulated gate.
public struct ContactKey: Hashable, Sendable {
    /// How the key moves the contact.
    public enum Gesture: Hashable, Sendable {
        /// Moves it to its other level.
        case turned
        /// Holds it for a moment.
        case pressed
        /// Holds it for a moment; this key does for as long as service mode asks.
        case pressedOrHeld(Unicode.Scalar)
    }

    /// Whose hand it is.
    public enum Hand: Hashable, Sendable {
        /// An attendant's, at the gate.
        case attendant
        /// The emergency loop and its reset key.
        case emergency
        /// The mechanic's, or a thief's.
        case keeper
        /// None: a defect, which a repair ends.
        case trouble
    }

    /// The key.
    public var key: Unicode.Scalar
    /// The text in the help.
    public var caption: String
    /// How it moves the contact.
    public var gesture: Gesture
    /// Whose hand it is.
    public var hand: Hand
}
