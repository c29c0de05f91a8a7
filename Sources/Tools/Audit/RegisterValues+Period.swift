public import Turnstile

// The registers of a period count from zero at its beginning; only the money held for people is
// carried over.
extension RegisterValues {
    var held: Int64 { creditHeld &+ fareInUse }

    func since(_ earlier: RegisterValues) -> RegisterValues {
        var values = self
        for register in Set(counted + earlier.counted) where !register.isBalance {
            values[register] = self[register] &- earlier[register]
        }
        values[.creditAtBeginning] = earlier.held
        return values
    }

    /// The sum of this period and a later one. A change of the held money in a gap between the two
    /// counts as held at the beginning.
    func followed(by next: RegisterValues) -> RegisterValues {
        var values = next
        for register in Set(counted + next.counted) where !register.isBalance {
            values[register] = self[register] &+ next[register]
        }
        values[.creditAtBeginning] =
            self[.creditAtBeginning] &+ next[.creditAtBeginning] &- held
        return values
    }
}

extension RegisterValues {
    public func passages(_ direction: Direction) -> Int64 {
        PassageKind.allCases.reduce(0) { $0 &+ passages[Register.PassageCategory(direction, $1)] }
    }
}

extension RegisterValues? {
    mutating func add(_ next: RegisterValues) { self = self?.followed(by: next) ?? next }
}
