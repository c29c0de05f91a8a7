#if !hasFeature(Embedded)
    /// What to call the predicates of one table in messages: by their short names, or in full where
    /// two share one.
    struct PredicateNames {
        private var names: [ObjectIdentifier: String] = [:]

        init(_ types: [any Predicate.Type]) {
            var distinct: [ObjectIdentifier: any Predicate.Type] = [:]
            for type in types { distinct[ObjectIdentifier(type)] = type }
            // The longer forms are looked at only where the shorter do not tell types apart.
            var unnamed = Array(distinct.values)
            for form in [Self.short, Self.full, Self.exact] {
                let byName = Dictionary(grouping: unnamed, by: form)
                for (name, types) in byName where types.count == 1 {
                    names[ObjectIdentifier(types[0])] = name
                }
                unnamed = byName.values.filter { $0.count > 1 }.flatMap { $0 }
            }
        }

        /// The predicate's name.
        func name(of type: any Predicate.Type) -> String {
            names[ObjectIdentifier(type)] ?? Self.short(type)
        }

        /// The value's name behind its predicate's, as in `Enforcement.weak`.
        func name(of type: any Predicate.Type, at place: Int?) -> String {
            "\(name(of: type)).\(place.map { type.nameOfValue(at: $0) } ?? "?")"
        }

        /// `Mode`.
        private static func short(_ type: any Predicate.Type) -> String { "\(type)" }

        /// `Door.Settings.Mode`, without where in a file the type is private to.
        private static func full(_ type: any Predicate.Type) -> String {
            exact(type).split(separator: ".").filter { !$0.hasPrefix("(unknown context") }
                .joined(separator: ".")
        }

        private static func exact(_ type: any Predicate.Type) -> String {
            String(reflecting: type)
        }
    }

    extension Predicate {
        fileprivate static func nameOfValue(at place: Int) -> String {
            StateMachines.name(of: allCases[allCases.index(allCases.startIndex, offsetBy: place)])
        }
    }
#endif
