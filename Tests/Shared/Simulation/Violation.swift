/// Something that must hold and does not.
struct Violation: Error, CustomStringConvertible {
    let description: String
}
