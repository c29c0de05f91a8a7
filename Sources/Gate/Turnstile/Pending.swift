/// A policy that waits until it can come into force, out of the way of all that happens meanwhile.
enum Pending: Hashable, Sendable {
    case nothing
    indirect case policy(Policy, by: Requester)

    /// The policy that waits; nil for none.
    var policy: Policy? {
        switch self {
        case .nothing: nil
        case .policy(let policy, _): policy
        }
    }

    var isSomething: Bool {
        switch self {
        case .nothing: false
        case .policy: true
        }
    }
}

extension Pending: Named {
    static var title: String { "pending_policy" }
    static let forms: [Pending] = [.nothing, .policy(.blank, by: .settings)]

    /// `nothing`, `policy`.
    var name: String {
        switch self {
        case .nothing: "nothing"
        case .policy: "policy"
        }
    }

    /// The policy, and its requester.
    func visit(_ fields: inout some FieldVisitor) -> Pending {
        switch self {
        case .nothing: self
        case .policy(let policy, let requester):
            .policy(fields.terms(policy), by: fields.inline(requester, as: .requester))
        }
    }
}
