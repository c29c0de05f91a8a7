import Turnstile

/// Who is allowed to operate the gate. Everybody may look.
public struct Admission: Sendable {
    /// The group whose members are.
    public static let group = "turnstile"

    /// The numbers of the users who are, whatever group they are in.
    public var users: Set<UInt32>

    /// These users, and the members of the group.
    public init(users: Set<UInt32>) { self.users = users }

    /// Whether whoever asks may, where the group has this number.
    func admits(_ caller: Caller, group: UInt32?) -> Bool {
        users.contains(caller.user) || group.map { caller.groups.contains($0) } ?? false
    }
}

/// Whoever asks, as the bus has it from the kernel.
struct Caller: Equatable, Sendable {
    var user: UInt32
    var groups: Set<UInt32>
    /// The user's name; the number where there is none that can be written down.
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

/// Those who have asked, by the names that the bus gives them. It never gives one twice.
struct Callers: Sendable {
    static let most = 64

    /// The oldest first.
    private var known: [(name: String, caller: Caller)] = []

    /// Who has this name; nil where that is to be found out.
    subscript(name: String) -> Caller? { known.first { $0.name == name }?.caller }

    mutating func add(_ caller: Caller, as name: String) {
        guard !known.contains(where: { $0.name == name }) else { return }
        known.append((name, caller))
        guard known.count > Self.most else { return }
        // Those who may not ask are soon found out about again, and many of them matter little.
        known.remove(at: known.firstIndex { !$0.caller.isAdmitted } ?? 0)
    }
}
