public import StateMachines

/// The emergency loop, and what it takes to end an emergency.
///
/// An open loop is an emergency at once. To end it takes a closed loop, the reset that the policy
/// asks for, and a clear lane.
public struct Emergency: StateMachine, Hashable, Sendable {
    /// The events of the loop.
    public enum Event: UInt8, Enumerated {
        /// The loop opened: a call point, or a broken wire.
        case loopOpened
        /// The loop is closed.
        case loopClosed
        /// The reset key was turned.
        case resetRequested
        /// The lane is clear.
        case laneCleared
    }

    /// The commands of the emergency.
    public enum Command: Hashable, Sendable {
        /// The gate must stand open.
        case begin
        /// The loop is closed; the gate must still stand open.
        case reportLoopClosed
        /// The emergency is over.
        case end
    }

    /// How far an emergency has come.
    public enum State: UInt8, Enumerated {
        /// No emergency. An open loop follows.
        case none
        /// The loop is open. Its closing follows.
        case loopOpen
        /// The loop is closed. The reset follows.
        case awaitingReset
        /// The reset was given while the lane was occupied. A clear lane follows.
        case awaitingClearLane
    }

    /// How far the emergency has come.
    public private(set) var state = State.none
    private var reset: FireResetPolicy

    /// An emergency in `state`. If the policy has the closed loop end it, it awaits no reset key.
    public init(policy: Policy, state: State = .none) {
        reset = policy.fireReset
        let needsNoKey = reset == .auto && state == .awaitingReset
        self.state = needsNoKey ? .awaitingClearLane : state
        // Built now: the first emergency waits for nothing.
        _ = Rules.table
    }

    /// Whether the gate must stand open.
    public var isActive: Bool { state != .none }

    mutating func adopt(_ policy: Policy) {
        reset = policy.fireReset
    }

    /// Decides every pair of state and event, by the table.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        Rules.table.handle(event, reset, in: &state)
    }
}

extension Emergency {
    /// The table of an emergency, where the policy decides what a closed loop means.
    enum Rules: TableSyntax {
        typealias State = Emergency.State
        typealias Event = Emergency.Event
        typealias Command = Emergency.Command
        typealias Predicates = FireResetPolicy

        static let table: Table<Rules> = {
            do throws(TableError) {
                return try Table(initial: .none, statements)
            } catch {
                preconditionFailure("\(error)")
            }
        }()

        @TableBuilder<Rules> private static func statements() -> [Define<Rules>] {
            let active = superState {
                when(.loopOpened).then(.loopOpen)
                when(.loopClosed).ignored("the loop is closed already")
                when(.laneCleared).ignored("no reset waits for a clear lane")
            }
            define(.none) {
                when(.loopOpened).then(.loopOpen).commands(.begin)
                when(.loopClosed).ignored("the loop is closed already")
                when(.resetRequested).ignored("there is no emergency")
                when(.laneCleared).ignored("no reset waits for a clear lane")
            }
            define(.loopOpen) {
                when(.loopOpened).ignored("the loop is open already")
                when(.loopClosed) {
                    matching(FireResetPolicy.manual)
                        .then(.awaitingReset).commands(.reportLoopClosed)
                    matching(FireResetPolicy.auto)
                        .then(.awaitingClearLane).commands(.reportLoopClosed)
                }
                when(.resetRequested)
                    .ignored("an emergency cannot be reset while its loop is open")
                when(.laneCleared).ignored("no reset waits for a clear lane")
            }
            define(.awaitingReset, adopts: active) {
                when(.resetRequested).then(.awaitingClearLane)
            }
            define(.awaitingClearLane, adopts: active) {
                when(.resetRequested).ignored("the reset waits for a clear lane")
                override { when(.laneCleared).then(.none).commands(.end) }
            }
        }
    }
}

extension FireResetPolicy: Predicate {}

extension Emergency: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "emergency" }
    /// No emergency.
    public static var blank: Emergency { Emergency(policy: .blank) }

    /// The state; what ends an emergency is the policy's.
    public func visit(_ fields: inout some FieldVisitor) -> Emergency {
        var emergency = self
        emergency.state = fields.field(.phase, state)
        return emergency
    }
}
