/// Unlike any other, and like its copies.
package struct Token: Hashable, Sendable {
    private final class Identity: Sendable {}
    private let identity = Identity()

    package init() {}

    package static func == (a: Token, b: Token) -> Bool { a.identity === b.identity }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
}
