import StateMachines

/// A table as a tree of statements: what is rendered in the words of the kit and read by
/// ``PlainReading``.
struct WrittenTable {
    var superStates: [Statement] = []
    var defines: [Define] = []
    var initial = Place.s0
    var tolerance: TableTolerance = .everything
    var policy = EntryExitPolicy.onChange
    /// The line that the table is on; every statement has one of its own.
    static let line: UInt = 1

    /// What a state and a super state have in common.
    struct Statement {
        let line: UInt
        /// The super states adopted, by their places; a super state adopts earlier ones alone.
        var adopts: [Int] = []
        var onEntry: [Int] = []
        var onExit: [Int] = []
        /// What stands between the braces, or nil without braces.
        var items: [Item]?
    }

    struct Define {
        let state: Place
        var body: Statement
        var isFinal = false
    }

    indirect enum Item {
        case row(Row)
        case block(Head, line: UInt, [Item])
    }

    /// What a block says for its rows.
    enum Head {
        case when([Happening])
        case then(Place)
        case commands([Int])
        case matching([Ask])
        case condition(Condition)
        case override
    }

    /// A row, of which a block may have said something already.
    struct Row {
        let line: UInt
        var asks: [Ask] = []
        var condition: Condition?
        var events: [Happening] = []
        var target: Aim?
        var commands: [Int] = []
        var worksOutCommands = false
        var reenters = false

        /// Whether it is no more than where it begins.
        var isBare: Bool { commands.isEmpty && !worksOutCommands && !reenters }
    }

    /// What a row asks of one predicate.
    enum Ask {
        case p([P])
        case q([Q])
        case foreign([Foreign])
    }

    enum Condition {
        case always, never, sometimes

        func holds(_ state: Place, _ event: Happening) -> Bool {
            switch self {
            case .always: true
            case .never: false
            case .sometimes: (state.ordinal + event.ordinal) % 2 == 0
            }
        }
    }

    enum Aim {
        case stay
        case enter(Place)
        /// One of these, from the payloads of this state and this event if they are stated.
        case workOut([Place], from: (Place, Happening)?)
        case ignore(Reason)

        /// Which of the places it is, worked out.
        static func choice(of places: [Place], _ state: Place, _ event: Happening) -> Place {
            places[(state.ordinal + event.ordinal) % places.count]
        }
    }
}

enum Place: UInt8, Enumerated { case s0, s1, s2, s3 }
enum Happening: UInt8, Enumerated { case e0, e1, e2 }
enum P: UInt8, Predicate { case p0, p1, p2 }
enum Q: UInt8, Predicate { case q0, q1 }
enum Foreign: Predicate { case f0, f1 }
