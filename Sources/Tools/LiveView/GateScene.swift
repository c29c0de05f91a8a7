internal import Turnstile

/// A gate's arm, bolts, coins and the person on the way through, as far as its lines and its report
/// tell.
struct GateScene: Hashable, Sendable {
    enum Arm: Hashable, Sendable {
        /// No arm: light beams alone.
        case none
        /// At rest, across the lane.
        case atRest
        /// A third, half or two thirds of the turn on the way in: the states of the two sensors.
        case aThird, half, twoThirds
        case dropped
        case unknown
    }

    enum Place: Hashable, Sendable {
        /// At the first sensor, at both, at the second, on the way in.
        case outside, middle, inside
    }

    /// The bolt of one way; of both, if it is the only one.
    struct Bolt: Hashable, Sendable {
        var direction: Direction
        /// Whether it holds the arm: by its feedback contact, or else by its output.
        var isOut: Bool
        /// Whether the lock has a fault.
        var isDoubtful: Bool
    }

    enum CoinMotion: Hashable, Sendable {
        /// Not wired, or unknown.
        case none
        /// Being counted.
        case falling
        case inBox
        case returning
    }

    var arm = Arm.none
    /// Where the person is; nil if no sensor sees one.
    var person: Place?
    /// The direction of a passage in progress.
    var passing: Direction?
    /// The ways that are released.
    var released: [Direction] = []
    var bolts: [Bolt] = []
    var hasSlot = false
    var takesCoins = false
    var coin = CoinMotion.none

    init(_ model: ViewModel, _ lastCoin: LastCoin?) {
        let report = model.report
        let (inputs, outputs) = (report.equipment.inputs, report.equipment.outputs)
        if report.exit.isPassing { passing = .exit }
        if report.entry.isPassing { passing = .entry }
        if report.entry.isReleased { released.append(.entry) }
        if report.exit.isReleased { released.append(.exit) }

        let levels = model.levels
        person = Self.place(levels, passing, seesHome: inputs[.home])
        if inputs[.rotorA] || inputs[.home] || outputs[.dropArm] {
            switch person {
            case nil: arm = (inputs[.home] ? levels[.home] : passing == nil) ? .atRest : .unknown
            case .outside: arm = .aThird
            case .middle: arm = .half
            case .inside: arm = .twoThirds
            }
            if !inputs[.rotorA], !inputs[.home] { arm = .unknown }
            // Past both sensors, the arm's position is unknown until it is home.
            if !levels[.rotorA], !levels[.rotorB], person != nil { arm = .unknown }
            if report.isOn(.dropArm) { arm = .dropped }
        }
        for direction in Direction.allCases where outputs[direction.lock] {
            bolts.append(Self.bolt(direction, model, isOpen: report.isOn(direction.lock)))
        }
        hasSlot = inputs[.coinPulse]
        takesCoins = outputs[.coinEnable] ? report.isOn(.coinEnable) : report.coinRefusal == nil
        coin = Self.motion(model, lastCoin, isEjecting: report.isOn(.coinReject))
    }

    /// Where the person is. Behind both sensors no sensor sees them, but the arm is not home yet.
    private static func place(
        _ levels: InputLevels, _ passing: Direction?, seesHome: Bool
    ) -> Place? {
        let isAtA = levels[.rotorA] || levels[.beamA]
        let isAtB = levels[.rotorB] || levels[.beamB]
        switch (isAtA, isAtB) {
        case (true, true): return .middle
        case (true, false): return .outside
        case (false, true): return .inside
        case (false, false):
            guard let passing, seesHome, !levels[.home] else { return nil }
            return passing == .entry ? .inside : .outside
        }
    }

    private static func bolt(_ direction: Direction, _ model: ViewModel, isOpen: Bool) -> Bolt {
        let contact = direction.lockFeedback
        let hasContact = model.report.equipment.inputs[contact]
        let told = model.report.outputs.first { $0.output == direction.lock }
        return Bolt(
            direction: direction, isOut: hasContact ? !model.levels[contact] : !isOpen,
            isDoubtful: told?.fault != nil
                || model.report.faults.contains { $0.value == .lockNotResponding(direction) })
    }

    private static func motion(
        _ model: ViewModel, _ last: LastCoin?, isEjecting: Bool
    ) -> CoinMotion {
        if isEjecting { return .returning }
        let isCounted = model.report.due.contains { $0.reason == .coinCounted }
        if isCounted || Acceptor.allCases.contains(where: { model.levels[$0.line] }) {
            return .falling
        }
        switch last?.fate {
        case .accepted, .late: return .inBox
        case .rejected: return .returning
        case .inhibited, nil: return .none
        }
    }
}

extension StatusReport {
    func isOn(_ output: Output) -> Bool { outputs.contains { $0.output == output && $0.isOn } }
}

struct LastCoin: Hashable, Sendable {
    /// Its value in minor units of the currency.
    var value: Int
    var fate: CoinFate

    var caption: String {
        switch fate {
        case .accepted, .late: "coin \(value): in the box"
        case .inhibited: "coin \(value): not credited"
        case .rejected: "coin \(value): given back"
        }
    }
}
