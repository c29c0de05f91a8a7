// What inputs and outputs have in common of what there is to say of them.

/// Whether a gate can do without a line.
public enum LineNeed: Hashable, Sendable {
    /// It cannot, because of this.
    case required(because: String)
    /// It can, or needs it where these words say so.
    case conditional(String)
}

/// What it means in a word or two that a line is active, or on, and that it is not.
public struct LineWords: Hashable, Sendable {
    private let on, off: String
    private let isInName: Bool

    init(_ on: String, _ off: String, isInName: Bool = false) {
        self.on = on
        self.off = off
        self.isInName = isInName
    }

    /// The words for what is so now.
    public subscript(isOn: Bool) -> String { isOn ? on : off }

    /// The same, or nothing where the line's name says so already.
    public func besideName(_ isOn: Bool) -> String? { isInName ? nil : self[isOn] }
}

/// What it means that a line's lamp is lit.
public enum LampMeaning: Hashable, Sendable {
    /// All is well.
    case good
    /// Something happens.
    case notice
    /// Something is wrong, or nobody may pass.
    case trouble
}

/// How long an input's level must last to count.
public struct InputDebounce: Hashable, Sendable {
    /// What is taken where nothing is said.
    public var standard: Duration
    /// What may be said.
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
    /// What the key does with the contact.
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
        /// Nobody's: something breaks, and a repair mends it.
        case trouble
    }

    /// The key.
    public var key: Unicode.Scalar
    /// What the help says of it.
    public var caption: String
    /// What it does.
    public var gesture: Gesture
    /// Whose hand it is.
    public var hand: Hand
}
