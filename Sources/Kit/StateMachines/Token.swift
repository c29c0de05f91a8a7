/// Unlike any other, and like its copies.
struct Token: Hashable, Sendable {
    private final class Identity: Sendable {}
    private let identity = Identity()

    static func == (a: Token, b: Token) -> Bool { a.identity === b.identity }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
}
