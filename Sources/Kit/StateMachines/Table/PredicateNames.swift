#if hasFeature(Embedded)
    /// Types cannot be named on a microcontroller.
    struct PredicateNames {
        init(_ types: [PredicateType]) {}
        func name(of type: PredicateType) -> String { "?" }
        func name(of type: PredicateType, at place: Int?) -> String { "?" }
    }
#else
    /// What to call the predicates of one table in messages: by their short names, or in full where
    /// two share one.
    struct PredicateNames {
        private var names: [PredicateType: String] = [:]

        init(_ types: [PredicateType]) {
            // The longer forms are looked at only where the shorter do not tell types apart.
            var unnamed = Array(Set(types))
            for form in [Self.short, Self.full, Self.exact] {
                let byName = Dictionary(grouping: unnamed, by: form)
                for (name, types) in byName where types.count == 1 {
                    names[types[0]] = name
                }
                unnamed = byName.values.filter { $0.count > 1 }.flatMap { $0 }
            }
        }

        /// The predicate's name.
        func name(of type: PredicateType) -> String {
            names[type] ?? Self.short(type)
        }

        /// The value's name behind its predicate's, as in `Enforcement.weak`.
        func name(of type: PredicateType, at place: Int?) -> String {
            "\(name(of: type)).\(place.map { type.type.nameOfValue(at: $0) } ?? "?")"
        }

        /// `Mode`.
        private static func short(_ type: PredicateType) -> String { "\(type.type)" }

        /// `Door.Settings.Mode`, without where in a file the type is private to.
        private static func full(_ type: PredicateType) -> String {
            exact(type).split(separator: ".").filter { !$0.hasPrefix("(unknown context") }
                .joined(separator: ".")
        }

        private static func exact(_ type: PredicateType) -> String {
            String(reflecting: type.type)
        }
    }

    extension Predicate {
        fileprivate static func nameOfValue(at place: Int) -> String {
            StateMachines.name(of: allCases[allCases.index(allCases.startIndex, offsetBy: place)])
        }
    }
#endif
