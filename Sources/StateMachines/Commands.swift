/// The commands that an event led to, in the order in which they are to be run.
///
/// Up to ``inlineCapacity`` of them live in the value itself, so that an event costs no heap
/// allocation; more spill into an array. On a hot path read them with ``forEach(_:)``: then the
/// optimiser keeps them in registers, and they cost nothing beside a switch written by hand.
@frozen
public struct Commands<Command> {
    /// How many commands the value holds without allocating.
    @inlinable public static var inlineCapacity: Int { 8 }

    // A property for each of the eight, and the array behind one pointer: of these the optimiser
    // drops what is nil. An InlineArray it copies whole, and an enum of layouts it copies by calls.
    @usableFromInline var slot0: Command?
    @usableFromInline var slot1: Command?
    @usableFromInline var slot2: Command?
    @usableFromInline var slot3: Command?
    @usableFromInline var slot4: Command?
    @usableFromInline var slot5: Command?
    @usableFromInline var slot6: Command?
    @usableFromInline var slot7: Command?
    @usableFromInline var spilled: [Command]?
    @usableFromInline var number: Int

    /// No commands.
    @inlinable
    @inline(__always)
    public init() {
        self.init(optional: nil)
    }

    /// This command alone.
    @inlinable
    @inline(__always)
    public init(_ command: Command) {
        self.init(optional: command)
    }

    /// One command or none.
    @inlinable
    @inline(__always)
    init(optional command: Command?) {
        slot0 = command
        spilled = nil
        number = command == nil ? 0 : 1
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
        switch number {
        case 0: slot0 = command
        case 1: slot1 = command
        case 2: slot2 = command
        case 3: slot3 = command
        case 4: slot4 = command
        case 5: slot5 = command
        case 6: slot6 = command
        case 7: slot7 = command
        case _:
            spilled = spilled ?? []
            spilled?.append(command)
        }
        number += 1
    }

    /// Adds all of `others`, in their order, after the others.
    @inlinable
    @inline(__always)
    public mutating func append(contentsOf others: consuming Commands) {
        if number == 0 {
            self = others
        } else if number == 1, others.number <= 1 {
            slot1 = others.slot0
            number &+= others.number
        } else {
            others.forEach { append($0) }
        }
    }

    /// The same commands in another vocabulary.
    @inlinable
    public func translated<Other>(by translate: (Command) -> Other) -> Commands<Other> {
        guard let slot0 else { return Commands<Other>() }
        var result = Commands<Other>(translate(slot0))
        if count > 1 { for command in dropFirst() { result.append(translate(command)) } }
        return result
    }

    /// Calls `body` with each command, in order.
    @inlinable
    @inline(__always)
    public consuming func forEach<Failure: Error>(
        _ body: (Command) throws(Failure) -> Void
    ) throws(Failure) {
        if let slot0 { try body(slot0) }
        if let slot1 { try body(slot1) }
        if number > 2 { for position in 2..<number { try body(self[position]) } }
    }
}

extension Commands: RandomAccessCollection {
    /// How many commands there are.
    @inlinable public var count: Int { number }

    /// Always 0.
    @inlinable public var startIndex: Int { 0 }
    /// The number of commands.
    @inlinable public var endIndex: Int { count }

    /// The command that is run as number `position`, counted from 0.
    @inlinable
    public subscript(position: Int) -> Command {
        precondition(position >= 0 && position < number, "no such command")
        let command =
            switch position {
            case 0: slot0
            case 1: slot1
            case 2: slot2
            case 3: slot3
            case 4: slot4
            case 5: slot5
            case 6: slot6
            case 7: slot7
            case _: spilled?[position - Self.inlineCapacity]
            }
        guard let command else { preconditionFailure("a command is missing") }
        return command
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

extension Commands: Sendable where Command: Sendable {}

extension Commands: CustomStringConvertible {
    /// Like an array's.
    public var description: String { "[" + map { name(of: $0) }.joined(separator: ", ") + "]" }
}
