/// The commands that an event led to, in the order in which they are to be run.
///
/// Up to ``inlineCapacity`` of them live in the value itself, so that an event costs no heap
/// allocation; more spill into an array.
public struct Commands<Command> {
    /// How many commands the value holds without allocating.
    public static var inlineCapacity: Int { 8 }

    private var inline: InlineArray<8, Command?>
    private var spilled: [Command] = []
    /// How many commands there are.
    public private(set) var count = 0

    /// No commands.
    public init() {
        inline = InlineArray(repeating: nil)
    }

    /// These commands, in this order.
    public init(_ commands: Command...) {
        self.init()
        for command in commands { append(command) }
    }

    /// Adds a command after the others.
    public mutating func append(_ command: Command) {
        if count < Self.inlineCapacity {
            inline[count] = command
        } else {
            spilled.append(command)
        }
        count += 1
    }

    /// Adds all of `others`, in their order, after the others.
    public mutating func append(contentsOf others: Commands) {
        for command in others { append(command) }
    }
}

extension Commands: RandomAccessCollection {
    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of commands.
    public var endIndex: Int { count }

    /// The command that is run as number `position`, counted from 0.
    public subscript(position: Int) -> Command {
        precondition(position < count, "no such command")
        return if position < Self.inlineCapacity, let command = inline[position] {
            command
        } else {
            spilled[position - Self.inlineCapacity]
        }
    }
}

extension Commands: ExpressibleByArrayLiteral {
    /// These commands, in this order.
    public init(arrayLiteral commands: Command...) {
        self.init()
        for command in commands { append(command) }
    }
}

extension Commands: Equatable where Command: Equatable {
    /// Equal when the same commands stand in the same order.
    public static func == (a: Commands, b: Commands) -> Bool { a.elementsEqual(b) }
}

extension Commands: Sendable where Command: Sendable {}

extension Commands: CustomStringConvertible {
    /// Like an array's.
    public var description: String { Array(self).description }
}
