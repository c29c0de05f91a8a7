/// The numbers of a request's edges, which count from 1: a gap says how many were lost.
struct EdgeSequence: Hashable {
    /// The next edge's number if none is lost; nil if unknown.
    private var next: UInt32?

    /// From the first edge on or, after an earlier reader, from the next one on.
    init(isFirst: Bool = true) { next = isFirst ? 1 : nil }

    /// Notes the edge with this number. Returns how many were lost before it. The numbers wrap.
    mutating func lost(before number: UInt32) -> Int {
        let lost = number &- (next ?? number)
        next = number &+ 1
        return Int(lost)
    }
}
