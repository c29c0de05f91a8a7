/// A value that is changed by one caller at a time.
///
/// Swift sees to that for every property of a class, by a list of what is being changed that each
/// thread keeps: 80 instructions, which an edge would wait for before the lock moves. Here a flag
/// does it, since the object belongs to one thread. Whoever looks at the value, or changes it,
/// while it is being changed is a programmer's mistake, and the end of the process.
final class Exclusive<Value> {
    // Sound: `value` alone gets at both, and at the contents after a look at the flag.
    @exclusivity(unchecked) private var contents: Value
    @exclusivity(unchecked) private var isChanging = false

    /// A value that nobody is changing.
    init(_ value: Value) { unsafe contents = value }

    /// The value.
    var value: Value {
        _read {
            precondition(unsafe !isChanging, "the value is being changed")
            yield unsafe contents
        }
        _modify {
            precondition(unsafe !isChanging, "the value is being changed")
            unsafe isChanging = true
            yield unsafe &contents
            unsafe isChanging = false
        }
    }
}
