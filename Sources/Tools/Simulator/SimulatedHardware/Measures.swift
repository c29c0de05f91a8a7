internal import Hardware
internal import StateMachines
internal import Turnstile

/// The measures of a gate as the world reckons with them, in whole nanoseconds. They never change,
/// so that all copies of a world share them.
final class Measures: Hashable, Sendable {
    let physics: Physics
    let lockDelay: Int64
    let armFall: Int64
    let coinFall: Int64
    let coinCheck: Int64
    let pulseWidths: PerAcceptor<Int64>
    let pulseGap: Int64
    let personTimeout: Int64
    /// The longest pause between two moves of a bouncing contact, so that the longest sequence
    /// still ends within ``Physics/bounce``; nil for contacts that do not bounce.
    let longestBounce: Int64?
    /// The lines of the rotor's sensors A and B: its own, or the light beams'.
    let sensorA: InputLevels, sensorB: InputLevels
    /// The lines of other things that the gate itself moves, where they are wired.
    let home: InputLevels, coinJam: InputLevels, entryFeedback: InputLevels,
        exitFeedback: InputLevels
    /// Whether people walk through light beams, and not through a rotor.
    let hasBeams: Bool

    /// The number of pulses by value, for coins whose pulses do not add up.
    private let pulses: PerAcceptor<[Int: Int]>

    init(_ physics: Physics) {
        self.physics = physics
        lockDelay = physics.lockDelay.wholeNanoseconds
        armFall = physics.armFall.wholeNanoseconds
        coinFall = physics.coinFall.wholeNanoseconds
        coinCheck = physics.coinCheck.wholeNanoseconds
        pulseGap = physics.pulseGap.wholeNanoseconds
        personTimeout = physics.personTimeout.wholeNanoseconds
        let bounces = physics.bounce > .zero && physics.maximumBounces > 0
        longestBounce =
            bounces
            ? max(1, physics.bounce.wholeNanoseconds / Int64(2 * physics.maximumBounces)) : nil
        let inputs = physics.equipment.inputs
        func wired(_ input: Input) -> InputLevels { inputs.intersection(InputLevels(input)) }
        hasBeams = inputs[.beamA] || inputs[.beamB]
        sensorA = wired(hasBeams ? .beamA : .rotorA)
        sensorB = wired(hasBeams ? .beamB : .rotorB)
        home = wired(.home)
        coinJam = wired(.coinJam)
        entryFeedback = wired(.lockFeedback)
        exitFeedback = wired(.lockFeedbackExit)
        var widths = PerAcceptor<Int64>(repeating: 0)
        var pulses = PerAcceptor<[Int: Int]>(repeating: [:])
        for acceptor in Acceptor.allCases {
            widths[acceptor] = physics.coins[acceptor].pulseWidth.wholeNanoseconds
            guard case .exact(let table) = physics.coins[acceptor].values else { continue }
            pulses[acceptor] = Dictionary(table.map { ($1, $0) }, uniquingKeysWith: min)
        }
        pulseWidths = widths
        self.pulses = pulses
    }

    /// How many pulses `acceptor` makes of a coin of `value`, or nil where it does not know it.
    func pulses(of value: Int, in acceptor: Acceptor) -> Int? {
        switch physics.coins[acceptor].values {
        case .proportional(let unit):
            value > 0 && value.isMultiple(of: unit) ? value / unit : nil
        case .exact: pulses[acceptor][value]
        }
    }

    static func == (a: Measures, b: Measures) -> Bool { a === b || a.physics == b.physics }
    func hash(into hasher: inout Hasher) { hasher.combine(physics) }
}
