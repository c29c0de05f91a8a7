/// A value with exclusive access, enforced at run time.
///
/// Swift enforces that for every property of a class with a list of accesses in each thread: 80
/// instructions, for which the lock would wait at each edge. Here a flag does it, since the object
/// belongs to one thread. An access during a change is a programmer's mistake, and a crash.
final class Exclusive<Value> {
    // Sound: only `value` accesses both, and the contents only after it has tested the flag.
    @exclusivity(unchecked) private var contents: Value
    @exclusivity(unchecked) private var isChanging = false

    init(_ value: Value) { unsafe contents = value }

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
