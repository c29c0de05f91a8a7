/// The users and groups of a machine, by its `/etc/passwd` and `/etc/group`.
struct Accounts: Sendable {
    struct User: Hashable {
        var name: String
        var number: UInt32
        /// The number of the primary group.
        var group: UInt32
    }

    struct Group: Hashable {
        var name: String
        var number: UInt32
        /// The users for whom it is a supplementary group.
        var members: [String]
    }

    private let users: [User]
    private let groups: [Group]

    init(_ root: Root) {
        users = Self.rows(of: "/etc/passwd", root, columns: 4).compactMap { row in
            guard let number = UInt32(row[2]), let group = UInt32(row[3]) else { return nil }
            return User(name: row[0], number: number, group: group)
        }
        groups = Self.rows(of: "/etc/group", root, columns: 4).compactMap { row in
            guard let number = UInt32(row[2]) else { return nil }
            let members = row[3].split(separator: ",").map(String.init)
            return Group(name: row[0], number: number, members: members)
        }
    }

    func user(_ name: String) -> User? { users.first { $0.name == name } }

    /// The name of a user; the number if unknown.
    func userName(_ number: UInt32) -> String {
        users.first { $0.number == number }?.name ?? "\(number)"
    }

    /// The name of a group; the number if unknown.
    func groupName(_ number: UInt32) -> String {
        groups.first { $0.number == number }?.name ?? "\(number)"
    }

    func groups(of user: User) -> Set<UInt32> {
        Set(groups.filter { $0.members.contains(user.name) }.map(\.number) + [user.group])
    }

    /// The members of the group, without `user`.
    func members(of group: UInt32, but user: User) -> [String] {
        let others = groups.filter { $0.number == group }.flatMap(\.members)
        let first = users.filter { $0.group == group }.map(\.name)
        return Set(others + first).subtracting([user.name]).sorted()
    }

    private static func rows(of path: String, _ root: Root, columns: Int) -> [[String]] {
        let text = (try? root.text(path).get()) ?? ""
        return text.split(separator: "\n").map {
            $0.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        }.filter { $0.count >= columns }
    }
}
