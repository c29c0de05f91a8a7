import Turnstile

/// Who may operate the gate. Everybody may read.
public struct Admission: Sendable {
    /// The group of operators.
    public static let group = "turnstile"

    /// The user numbers of operators outside the group.
    public var users: Set<UInt32>

    public init(users: Set<UInt32>) { self.users = users }

    /// Whether `caller` may operate, given the group's number.
    func admits(_ caller: Caller, group: UInt32?) -> Bool {
        users.contains(caller.user) || group.map { caller.groups.contains($0) } ?? false
    }
}

/// A caller, as the bus has it from the kernel.
struct Caller: Equatable, Sendable {
    var user: UInt32
    var groups: Set<UInt32>
    /// The user's name; the number if the name is missing or not printable.
    var person: Operator
    var isAdmitted = false

    init?(user: UInt32, groups: Set<UInt32>, name: String?) {
        let named = name.flatMap { Operator(number: user, name: $0) }
        guard let person = named ?? Operator(number: user, name: "\(user)") else { return nil }
        (self.user, self.groups, self.person) = (user, groups, person)
    }

    var refusal: String {
        """
        \(person) may look and not operate: that is for root and the group \(Admission.group); \
        'usermod -aG \(Admission.group) \(person.name)' as root, and a new login, change that
        """
    }
}

/// The known callers, by their unique names, which the bus never reuses.
struct Callers: Sendable {
    static let most = 64

    /// Oldest first.
    private var known: [(name: String, caller: Caller)] = []

    /// Nil until the caller of this name was looked up.
    subscript(name: String) -> Caller? { known.first { $0.name == name }?.caller }

    mutating func add(_ caller: Caller, as name: String) {
        guard !known.contains(where: { $0.name == name }) else { return }
        known.append((name, caller))
        guard known.count > Self.most else { return }
        // Callers who may not operate go first: looking them up again is cheap.
        known.remove(at: known.firstIndex { !$0.caller.isAdmitted } ?? 0)
    }
}
