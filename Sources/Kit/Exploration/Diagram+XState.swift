extension Diagram {
    /// The machine as a configuration of XState's, in JSON: what `createMachine` takes, and what
    /// can be pasted into its visual editor. Commands are actions.
    ///
    /// States, events and commands are called as in ``scxml``, and described by their names where
    /// these differ. Where there are commands to start with, a state before the first one has them.
    ///
    /// - Throws: ``DiagramError`` if a state has several arrows for one event. XState takes the
    ///   first, and so would be another machine.
    public var xstate: String {
        get throws(DiagramError) {
            let names = try Identifiers(self)
            var start = names.states[0]
            var states: [JSON.Member] = []
            if !startCommands.isEmpty {
                let first = Self.transition(to: start, startCommands, names)
                start = names.start
                states.append(
                    (start, .object([("id", .text(start)), ("always", .object(first))])))
            }
            for (number, frame) in frames.enumerated() {
                let members = frame.members.map { place -> JSON.Member in
                    (names.states[place], xstate(of: place, names))
                }
                guard let outer = frame.outer else {
                    states += members
                    continue
                }
                let id = names.frames[number]
                if frame.members[0] == 0 && startCommands.isEmpty { start = id }
                var value = Self.node(id, outer)
                value.append(("initial", .text(members[0].key)))
                value.append(("states", .object(members)))
                states.append((id, .object(value)))
            }
            return JSON.object([("initial", .text(start)), ("states", .object(states))])
                .lines(indentation: "").joined(separator: "\n") + "\n"
        }
    }

    private func xstate(of place: Int, _ names: Identifiers) -> JSON {
        var value = Self.node(names.states[place], nodes[place].name)
        let leaving = arrows.filter { $0.from == place }
        if leaving.isEmpty { return .object(value) }
        let transitions = leaving.map { arrow -> JSON.Member in
            let event = names.events[arrow.event] ?? ""
            var transition = Self.transition(to: names.states[arrow.to], arrow.commands, names)
            if event != arrow.event { transition.append(("description", .text(arrow.event))) }
            return (event, .object(transition))
        }
        value.append(("on", .object(transitions)))
        return .object(value)
    }

    private static func node(_ id: String, _ name: String) -> [JSON.Member] {
        [("id", .text(id))] + (id == name ? [] : [("description", .text(name))])
    }

    private static func transition(
        to target: String, _ commands: [String], _ names: Identifiers
    ) -> [JSON.Member] {
        let actions = commands.map { JSON.text(names.commands[$0] ?? "") }
        // By its id, since the target may be in another frame.
        return [("target", .text("#\(target)"))]
            + (actions.isEmpty ? [] : [("actions", .list(actions))])
    }
}

/// As much of JSON as a configuration needs.
private indirect enum JSON {
    case text(String)
    case list([JSON])
    case object([Member])

    /// A value of an object, by its key.
    typealias Member = (key: String, value: JSON)

    /// The value, line by line, the first one without its indentation.
    func lines(indentation: String) -> [String] {
        switch self {
        case .text(let text): return [Self.quoted(text)]
        case .list(let values):
            let inside = values.map { value -> Member in ("", value) }
            return Self.lines(inside, between: ("[", "]"), indentation)
        case .object(let members):
            let inside = members.map { key, value -> Member in ("\(Self.quoted(key)): ", value) }
            return Self.lines(inside, between: ("{", "}"), indentation)
        }
    }

    private static func lines(
        _ values: [Member], between brackets: (String, String), _ indentation: String
    ) -> [String] {
        var lines = [brackets.0]
        for (number, (head, value)) in values.enumerated() {
            var inner = value.lines(indentation: indentation + "  ")
            inner[0] = "\(indentation)  \(head)\(inner[0])"
            if number < values.count - 1 { inner[inner.count - 1] += "," }
            lines += inner
        }
        return lines + [indentation + brackets.1]
    }

    private static func quoted(_ text: String) -> String {
        "\"\(Diagram.escaped(text, ["\"": "\\\"", "\\": "\\\\"]))\""
    }
}
