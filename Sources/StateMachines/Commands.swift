/// The commands that an event led to, in the order in which they are to be run.
///
/// Up to ``inlineCapacity`` of them live in the value itself, so that an event costs no heap
/// allocation; more spill into an array. None and one, by far the most frequent, are cases of their
/// own: the optimiser keeps them in registers. On a hot path read them with ``forEach(_:)``, which
/// costs nothing beside a hand-written switch.
@frozen
public struct Commands<Command> {
    /// How many commands the value holds without allocating.
    @inlinable public static var inlineCapacity: Int { 8 }

    /// Two commands and more.
    @usableFromInline
    @frozen
    struct Several {
        @usableFromInline var inline: InlineArray<8, Command?>
        @usableFromInline var spilled: [Command]?
        @usableFromInline var count: Int

        @inlinable
        init(_ first: Command, _ second: Command) {
            inline = InlineArray(repeating: nil)
            inline[0] = first
            inline[1] = second
            spilled = nil
            count = 2
        }

        @inlinable
        mutating func append(_ command: Command) {
            if count < inlineCapacity {
                inline[count] = command
            } else {
                spilled = (spilled ?? []) + [command]
            }
            count += 1
        }

        @inlinable
        subscript(position: Int) -> Command {
            if position < inlineCapacity {
                if let command = inline[position] { return command }
            } else if let spilled {
                return spilled[position - inlineCapacity]
            }
            preconditionFailure("no such command")
        }
    }

    @usableFromInline
    @frozen
    enum Storage {
        case none
        case one(Command)
        case several(Several)
    }

    @usableFromInline var storage: Storage

    /// No commands.
    @inlinable
    public init() {
        storage = .none
    }

    /// This command alone.
    @inlinable
    public init(_ command: Command) {
        storage = .one(command)
    }

    /// One command or none.
    @inlinable
    @inline(__always)
    init(optional command: Command?) {
        if let command { storage = .one(command) } else { storage = .none }
    }

    /// These commands, in this order.
    @inlinable
    @inline(__always)
    public init(_ commands: Command...) {
        self.init()
        for command in commands { append(command) }
    }

    /// These commands, in this order.
    @inlinable
    public init(_ commands: some Sequence<Command>) {
        self.init()
        for command in commands { append(command) }
    }

    /// Adds a command after the others.
    @inlinable
    public mutating func append(_ command: Command) {
        switch storage {
        case .none:
            storage = .one(command)
        case .one(let first):
            storage = .several(Several(first, command))
        case .several(var several):
            storage = .none
            several.append(command)
            storage = .several(several)
        }
    }

    /// Adds all of `others`, in their order, after the others.
    @inlinable
    public mutating func append(contentsOf others: Commands) {
        if isEmpty {
            self = others
        } else {
            others.forEach { append($0) }
        }
    }

    /// The same commands in another vocabulary.
    @inlinable
    public func translated<Other>(by translate: (Command) -> Other) -> Commands<Other> {
        switch storage {
        case .none:
            return Commands<Other>()
        case .one(let command):
            return Commands<Other>(translate(command))
        case .several:
            var others = Commands<Other>()
            forEach { others.append(translate($0)) }
            return others
        }
    }

    /// Calls `body` with each command, in order.
    @inlinable
    @inline(__always)
    public consuming func forEach<Failure: Error>(
        _ body: (Command) throws(Failure) -> Void
    ) throws(Failure) {
        switch storage {
        case .none: break
        case .one(let command): try body(command)
        case .several(let several):
            for position in 0..<several.count { try body(several[position]) }
        }
    }
}

extension Commands: RandomAccessCollection {
    /// How many commands there are.
    @inlinable public var count: Int {
        switch storage {
        case .none: 0
        case .one: 1
        case .several(let several): several.count
        }
    }

    /// Always 0.
    @inlinable public var startIndex: Int { 0 }
    /// The number of commands.
    @inlinable public var endIndex: Int { count }

    /// The command that is run as number `position`, counted from 0.
    @inlinable
    public subscript(position: Int) -> Command {
        switch storage {
        case .one(let command) where position == 0:
            return command
        case .several(let several) where position < several.count:
            return several[position]
        case .none, .one, .several:
            preconditionFailure("no such command")
        }
    }
}

extension Commands: ExpressibleByArrayLiteral {
    /// These commands, in this order.
    @inlinable
    @inline(__always)
    public init(arrayLiteral commands: Command...) {
        self.init()
        for command in commands { append(command) }
    }
}

extension Commands: Equatable where Command: Equatable {
    /// Equal when the same commands stand in the same order.
    @inlinable
    public static func == (a: Commands, b: Commands) -> Bool { a.elementsEqual(b) }
}

extension Commands: Hashable where Command: Hashable {
    /// Feeds the commands, in order.
    @inlinable
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        forEach { hasher.combine($0) }
    }
}

extension Commands.Several: Sendable where Command: Sendable {}
extension Commands.Storage: Sendable where Command: Sendable {}
extension Commands: Sendable where Command: Sendable {}

extension Commands: CustomStringConvertible {
    /// Like an array's.
    public var description: String { "[" + map { name(of: $0) }.joined(separator: ", ") + "]" }
}
