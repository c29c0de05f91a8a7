import StateMachines
import Testing

/// Regions of three to eight, declared at once.
@Suite struct ManyRegionsTests {
    /// A machine that says which one it is, of a type of its own for each.
    struct Voice<Kind>: TimedMachine, Hashable {
        let name: Int
        var count = 0
        var deadline: Instant? { .zero + .seconds(10 - name) }
        mutating func handle(_ event: Bool) -> Outcome<Int> {
            count += 1
            return .handled(name)
        }
    }

    enum A {}
    enum B {}

    /// Names 1 to 8, of two types by turns, so that none can be taken for its neighbour.
    static func odd(_ name: Int) -> Voice<A> { Voice(name: name) }
    static func even(_ name: Int) -> Voice<B> { Voice(name: name) }

    /// What becomes of an event, and when the last region, whose time comes first, is due.
    static func check(_ regions: some TimedMachine<Bool, Int>, _ count: Int) {
        var regions = regions
        #expect(regions.handle(true) == .handled(Commands(1...count)))
        #expect(regions.deadline == .zero + .seconds(10 - count))
    }

    @Test func `they hear in their order, and are had in it`() {
        let (a, b, c, d) = (Self.odd(1), Self.even(2), Self.odd(3), Self.even(4))
        let (e, f, g, h) = (Self.odd(5), Self.even(6), Self.odd(7), Self.even(8))
        let three = Regions(a, b, c)
        Self.check(three, 3)
        #expect(three.parts() == (a, b, c))
        let four = Regions(a, b, c, d)
        Self.check(four, 4)
        #expect(four.parts() == (a, b, c, d))
        let five = Regions(a, b, c, d, e)
        Self.check(five, 5)
        #expect(five.parts() == (a, b, c, d, e))
        let six = Regions(a, b, c, d, e, f)
        Self.check(six, 6)
        #expect(six.parts() == (a, b, c, d, e, f))
        let seven = Regions(a, b, c, d, e, f, g)
        Self.check(seven, 7)
        let (first, second, third, fourth, fifth, sixth, seventh) = seven.parts()
        #expect((first, second, third, fourth) == (a, b, c, d))
        #expect((fifth, sixth, seventh) == (e, f, g))
        let eight = Regions(a, b, c, d, e, f, g, h)
        Self.check(eight, 8)
        let parts = eight.parts()
        #expect((parts.0, parts.1, parts.2, parts.3) == (a, b, c, d))
        #expect((parts.4, parts.5, parts.6, parts.7) == (e, f, g, h))
    }

    @Test func `their types have names, and are the nests`() {
        typealias Last = Regions<Voice<A>, Voice<B>>
        let nest: Regions<Voice<A>, Regions<Voice<B>, Last>> = Regions(
            Self.odd(1), Regions(Self.even(2), Regions(Self.odd(3), Self.even(4))))
        let four: Regions4<Voice<A>, Voice<B>, Voice<A>, Voice<B>> = Regions(
            Self.odd(1), Self.even(2), Self.odd(3), Self.even(4))
        #expect(four == nest)
        let three: Regions3<Voice<A>, Voice<B>, Voice<A>> = Regions(
            Self.odd(1), Self.even(2), Self.odd(3))
        let eight: Regions8 = Regions(
            Self.odd(1), Self.even(2), Self.odd(3), Self.even(4), Self.odd(5), Self.even(6),
            Self.odd(7), Self.even(8))
        let five: Regions5 = eight.second.second.second
        let seven: Regions7 = eight.second
        let six: Regions6 = seven.second
        #expect(six.second == five && five.second.first.name == 5 && three.parts().2.name == 3)
    }

    @Test func `a nest in the first place is one part`() {
        let pair = Regions(Self.odd(1), Self.even(2))
        let regions = Regions(pair, Self.odd(3), Self.even(4))
        #expect(regions.parts() == (pair, Self.odd(3), Self.even(4)))
        #expect(regions.undecidedRegions(of: true).isEmpty)
    }
}
