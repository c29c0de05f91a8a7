extension Gate {
    /// The unpaid authorisations that wait for their turn.
    public struct Queue: PerDirection, Hashable, Sendable {
        /// How many by contact, for the entry.
        public var entry = 0
        /// How many by contact, for the exit.
        public var exit = 0
        /// Those by operators, oldest first.
        public internal(set) var people: [Person] = []

        /// An authorisation by an operator.
        public struct Person: Hashable, Sendable {
            /// The direction.
            public var direction: Direction
            /// The operator's number.
            public var number: UInt32

            /// An authorisation by the operator of this number.
            public init(_ direction: Direction, by number: UInt32) {
                self.direction = direction
                self.number = number
            }
        }

        /// A queue of `entry` and `exit` by contact, and of `people` by operators.
        public init(entry: Int = 0, exit: Int = 0, people: [Person] = []) {
            self.entry = entry
            self.exit = exit
            self.people = people
        }

        /// How many authorisations wait.
        public var total: Int { entry + exit + people.count }
    }
}

extension Gate.Queue {
    /// Queues the grant; a paid one does not wait here.
    mutating func append(_ grant: Lane.Grant) {
        switch (grant.authorisation, grant.direction) {
        case (.contact, let direction): self[direction] += 1
        case (.person(let number), let direction):
            people.append(Person(direction, by: number))
        case (.credit, _), (.free, _): break
        }
    }

    /// The next one; nil if none waits. Contacts come before operators' grants, and entry before
    /// exit.
    var first: Lane.Grant? {
        for direction in Direction.allCases where self[direction] > 0 {
            return Lane.Grant(direction, by: .contact)
        }
        let next =
            people.first { $0.direction == .entry } ?? people.first { $0.direction == .exit }
        return next.map { Lane.Grant($0.direction, by: .person($0.number)) }
    }

    /// Removes all for these directions; returns how many of each operator, nil for contacts.
    mutating func removeAll(
        where isVoid: (Direction) -> Bool
    ) -> [(count: Int, operatorNumber: UInt32?)] {
        guard total > 0 else { return [] }
        let (before, gone) = (entry + exit, people.filter { isVoid($0.direction) })
        if isVoid(.entry) { entry = 0 }
        if isVoid(.exit) { exit = 0 }
        people.removeAll { isVoid($0.direction) }
        var removed: [(count: Int, operatorNumber: UInt32?)] = [(before - entry - exit, nil)]
        for person in gone {
            if let index = removed.firstIndex(where: { $0.operatorNumber == person.number }) {
                removed[index].count += 1
            } else {
                removed.append((1, person.number))
            }
        }
        return removed.filter { $0.count > 0 }
    }

    mutating func removeFirst() {
        guard let next = first, !removeContact(next.direction),
            let index = people.firstIndex(where: { $0.direction == next.direction })
        else { return }
        people.remove(at: index)
    }

    /// Removes the last one for this direction; nil if none waits.
    mutating func removeLast(_ direction: Direction) -> Authorisation? {
        guard let index = people.lastIndex(where: { $0.direction == direction }) else {
            return removeContact(direction) ? .contact : nil
        }
        return .person(people.remove(at: index).number)
    }

    private mutating func removeContact(_ direction: Direction) -> Bool {
        guard self[direction] > 0 else { return false }
        self[direction] -= 1
        return true
    }
}
