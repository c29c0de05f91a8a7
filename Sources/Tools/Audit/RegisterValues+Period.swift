import Turnstile

// The registers of a period are those of a gate that was emptied as it began: they begin with what
// was held for people then.
extension RegisterValues {
    /// What is held for people by these.
    var held: Int64 { creditHeld &+ fareInUse }

    /// What was counted since they showed `earlier`.
    func since(_ earlier: RegisterValues) -> RegisterValues {
        var values = self
        for register in Set(counted + earlier.counted) where !register.isBalance {
            values[register] = self[register] &- earlier[register]
        }
        values[.creditAtBeginning] = earlier.held
        return values
    }

    /// What was counted in this period and in another one after it. What has changed between the
    /// two, where there is something between them, counts as held at the beginning.
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

extension RegisterValues? {
    /// Adds what was counted in a period after it.
    mutating func add(_ next: RegisterValues) { self = self?.followed(by: next) ?? next }
}
