public import StateMachines

extension RouteMachine: Restorable where State: Restorable {
    /// The state's.
    public static var snapshotVersion: Int { State.snapshotVersion }

    /// Moves the instants of the state.
    public mutating func shiftInstants(by duration: Duration) {
        var state = state
        state.shiftInstants(by: duration)
        self = RouteMachine(state: state, routes: routes)
    }
}

/// A state with routes that all of its machines share: then a machine is made, and put away,
/// without them.
///
///     enum Leaf: SharedRoutes, Codable {
///         case shut, open
///         static let routes = { … }()
///     }
public protocol SharedRoutes: Hashable, Sendable {
    /// What may happen to the machine.
    associatedtype Event: Hashable & Sendable
    /// What goes with an attempt.
    associatedtype Message: Sendable
    /// The routes: stored, since those that are made anew are not equal.
    static var routes: Routes<Self, Event, Message> { get }
}

extension RouteMachine
where State: SharedRoutes, State.Event == Event, State.Message == Message {
    /// A machine in this state, with the routes that all share.
    public init(state: State) {
        self.init(state: state, routes: State.routes)
    }
}

#if !hasFeature(Embedded)
    extension RouteMachine: Encodable
    where
        State: SharedRoutes & Encodable, State.Event == Event, State.Message == Message
    {
        /// Writes the state.
        ///
        /// - Throws: an error if the machine has other routes than those that all share, which
        ///   would be lost.
        public func encode(to encoder: any Encoder) throws {
            guard routes == State.routes else {
                throw EncodingError.invalidValue(
                    self,
                    EncodingError.Context(
                        codingPath: encoder.codingPath,
                        debugDescription: "a machine with routes of its own cannot be put away"))
            }
            try state.encode(to: encoder)
        }
    }

    extension RouteMachine: Decodable
    where
        State: SharedRoutes & Decodable, State.Event == Event, State.Message == Message
    {
        /// Reads the state; the routes are those that all share.
        public init(from decoder: any Decoder) throws {
            self.init(state: try State(from: decoder))
        }
    }
#endif
