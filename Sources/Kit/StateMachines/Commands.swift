/// The commands that an event led to, in the order in which they are to be run.
///
/// It is a collection like any other; the cases are for the optimiser's sake. It follows a case
/// from where it is made to where it is read, so that one command or two stay in registers and cost
/// nothing beside a switch written by hand. Up to four commands live in the value itself, which no
/// event needs a heap allocation for; more spill into an array.
@frozen
public enum Commands<Command> {
    /// Nothing is to be done.
    case none
    /// This alone.
    case one(Command)
    /// These two.
    case two(Pair)
    /// So many, as a rule three or more.
    case list(List)

    /// No commands.
    @inlinable
    @inline(__always)
    public init() {
        self = .none
    }

    /// This command alone.
    @inlinable
    @inline(__always)
    public init(_ command: Command) {
        self = .one(command)
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
        switch self {
        case .none: self = .one(command)
        case .one(let first): self = .two(Pair(first, command))
        case .two:
            var list = List()
            list.append(contentsOf: self)
            list.append(command)
            self = .list(list)
        case .list(var list):
            // Let go of the list first, so that it is not copied.
            self = .none
            list.append(command)
            self = .list(list)
        }
    }

    /// Adds all of `others`, in their order, after the others.
    @inlinable
    @inline(__always)
    public mutating func append(contentsOf others: Commands) {
        switch self {
        case .none, .one, .two: self = self + others
        case .list(var list):
            // Let go of the list first, so that it is not copied.
            self = .none
            list.append(contentsOf: others)
            self = .list(list)
        }
    }

    /// The commands of both, the left ones first.
    @inlinable
    @inline(__always)
    public static func + (a: Commands, b: Commands) -> Commands {
        switch a {
        case .none: return b
        case .one(let first):
            switch b {
            case .none: return a
            case .one(let second): return .two(Pair(first, second))
            case .two, .list: break
            }
        case .two, .list:
            switch b {
            case .none: return a
            case .one, .two, .list: break
            }
        }
        var list = List()
        list.append(contentsOf: a)
        list.append(contentsOf: b)
        return .list(list)
    }

    /// The same commands in another vocabulary.
    @inlinable
    public func translated<Other>(by translate: (Command) -> Other) -> Commands<Other> {
        switch self {
        case .none: return .none
        case .one(let command): return .one(translate(command))
        case .two(let pair):
            return .two(Commands<Other>.Pair(translate(pair.first), translate(pair.second)))
        case .list(let list):
            var others = Commands<Other>.List()
            list.forEach { others.append(translate($0)) }
            return .list(others)
        }
    }

    /// Calls `body` with each command, in order.
    @inlinable
    @inline(__always)
    public consuming func forEach(_ body: (Command) -> Void) {
        // Taken apart, so that only a list is let go of at the end, and not whatever it was.
        switch consume self {
        case .none: break
        case .one(let command): body(command)
        case .two(let pair):
            body(pair.first)
            body(pair.second)
        case .list(let list): list.forEach(body)
        }
    }
}

extension Commands {
    /// One command and another.
    @frozen
    public struct Pair {
        @usableFromInline let first: Command
        @usableFromInline let second: Command

        @inlinable
        @inline(__always)
        init(_ first: Command, _ second: Command) {
            self.first = first
            self.second = second
        }
    }

    /// Any number of commands, the first four in the value itself.
    @frozen
    public struct List {
        // Four by name: an inline array would leave the layout to be found out at run time.
        @usableFromInline var first: Command?
        @usableFromInline var second: Command?
        @usableFromInline var third: Command?
        @usableFromInline var fourth: Command?
        @usableFromInline var spilled: [Command]?
        @usableFromInline var count: Int

        /// No commands.
        @inlinable
        @inline(__always)
        public init() { count = 0 }

        /// Whether there are no commands.
        @inlinable public var isEmpty: Bool { count == 0 }

        // Apart from the code round it, which has one command to deal with nearly always.
        @inlinable
        @inline(never)
        mutating func append(contentsOf commands: Commands) {
            commands.forEach { append($0) }
        }

        /// Adds a command after the others.
        @inlinable
        public mutating func append(_ command: Command) {
            if count == 0 {
                first = command
            } else if count == 1 {
                second = command
            } else if count == 2 {
                third = command
            } else if count == 3 {
                fourth = command
            } else {
                spilled = spilled ?? []
                spilled?.append(command)
            }
            count += 1
        }

        /// Calls `body` with each command, in order.
        @inlinable
        @inline(__always)
        public func forEach(_ body: (Command) -> Void) {
            if let first { body(first) }
            if let second { body(second) }
            if let third { body(third) }
            if let fourth { body(fourth) }
            if let spilled { spilled.forEach(body) }
        }

        @inlinable
        subscript(position: Int) -> Command {
            let command =
                if position == 0 {
                    first
                } else if position == 1 {
                    second
                } else if position == 2 {
                    third
                } else if position == 3 {
                    fourth
                } else {
                    spilled?[position - 4]
                }
            guard let command else { preconditionFailure("a command is missing") }
            return command
        }
    }
}

extension Commands: RandomAccessCollection {
    /// How many commands there are.
    @inlinable public var count: Int {
        switch self {
        case .none: 0
        case .one: 1
        case .two: 2
        case .list(let list): list.count
        }
    }

    /// Always 0.
    @inlinable public var startIndex: Int { 0 }
    /// The number of commands.
    @inlinable public var endIndex: Int { count }

    /// The command that is run as number `position`, counted from 0.
    @inlinable
    public subscript(position: Int) -> Command {
        switch (self, position) {
        case (.one(let command), 0): return command
        case (.two(let pair), 0): return pair.first
        case (.two(let pair), 1): return pair.second
        case (.list(let list), _): return list[position]
        case (.none, _), (.one, _), (.two, _): preconditionFailure("no such command")
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
        for command in self { hasher.combine(command) }
    }
}

extension Commands: Sendable where Command: Sendable {}
extension Commands.Pair: Sendable where Command: Sendable {}
extension Commands.List: Sendable where Command: Sendable {}

extension Commands: CustomStringConvertible {
    /// Like an array's.
    public var description: String { "[" + map { name(of: $0) }.joined(separator: ", ") + "]" }
}
