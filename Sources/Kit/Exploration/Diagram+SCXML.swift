extension Diagram {
    /// The machine in SCXML, the W3C's notation for statecharts. Commands are sent as events.
    ///
    /// States, events and commands are called by their names as far as SCXML lets them, where names
    /// are of letters, digits and underscores; those that would become the same are numbered. Where
    /// there are commands to start with, a state before the first one sends them.
    ///
    /// - Throws: ``DiagramError`` if a state has several arrows for one event. SCXML takes the
    ///   first that it finds, and so would be another machine: states that were drawn as one need
    ///   names of their own.
    public var scxml: String {
        get throws(DiagramError) {
            let names = try Identifiers(self)
            let start = startCommands.isEmpty ? names.states[0] : names.start
            var lines = [
                #"<?xml version="1.0" encoding="UTF-8"?>"#,
                #"<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0""#
                    + #" initial="\#(start)">"#,
            ]
            if !startCommands.isEmpty {
                lines.append(#"  <state id="\#(start)">"#)
                lines += Self.transition("", to: names.states[0], startCommands, names)
                    .map { "    \($0)" }
                lines.append("  </state>")
            }
            for (number, frame) in frames.enumerated() {
                if frame.outer != nil { lines.append(#"  <state id="\#(names.frames[number])">"#) }
                for place in frame.members {
                    let indentation = frame.outer == nil ? "  " : "    "
                    lines += scxmlState(place, names).map { indentation + $0 }
                }
                if frame.outer != nil { lines.append("  </state>") }
            }
            return (lines + ["</scxml>"]).joined(separator: "\n") + "\n"
        }
    }

    private func scxmlState(_ place: Int, _ names: Identifiers) -> [String] {
        var lines = [#"<state id="\#(names.states[place])">"#]
        for arrow in arrows where arrow.from == place {
            let event = #" event="\#(names.events[arrow.event] ?? "")""#
            let target = names.states[arrow.to]
            lines += Self.transition(event, to: target, arrow.commands, names).map { "  \($0)" }
        }
        return lines + ["</state>"]
    }

    private static func transition(
        _ event: String, to target: String, _ commands: [String], _ names: Identifiers
    ) -> [String] {
        let head = #"<transition\#(event) target="\#(target)""#
        if commands.isEmpty { return [head + "/>"] }
        let sent = commands.map { #"  <send event="\#(names.commands[$0] ?? "")"/>"# }
        return [head + ">"] + sent + ["</transition>"]
    }
}

/// The names in a diagram, made fit for other programs: of ASCII letters, digits and underscores,
/// and each another one.
struct Identifiers {
    /// Those of the states.
    let states: [String]
    /// Those of the frames; of no use where there is none.
    let frames: [String]
    /// That of a state before the first one.
    let start: String
    /// Those of the events, by their names in the diagram.
    let events: [String: String]
    /// Those of the commands.
    let commands: [String: String]

    /// The identifiers for a diagram in which a state has one arrow for each event.
    init(_ diagram: Diagram) throws(DiagramError) {
        var seen: [Int: Set<String>] = [:]
        for arrow in diagram.arrows {
            if seen[arrow.from, default: []].insert(arrow.event).inserted { continue }
            throw DiagramError(state: diagram.nodes[arrow.from].name, event: arrow.event)
        }
        let count = diagram.nodes.count
        let names = diagram.nodes.map { $0.name } + diagram.frames.map { $0.outer ?? "" }
        let places = Self.unique(names + ["start"])
        states = Array(places.prefix(count))
        frames = Array(places.dropFirst(count).dropLast())
        start = places[places.count - 1]
        let events = Self.distinct(diagram.arrows.map { $0.event })
        let commands = Self.distinct(
            diagram.startCommands + diagram.arrows.flatMap { $0.commands })
        // In one go: a command that is sent must not be taken for an event of the same name.
        let words = Self.unique(events + commands)
        self.events = Dictionary(uniqueKeysWithValues: zip(events, words))
        self.commands = Dictionary(
            uniqueKeysWithValues: zip(commands, words.dropFirst(events.count)))
    }

    private static func distinct(_ texts: [String]) -> [String] {
        var seen: Set<String> = []
        return texts.filter { seen.insert($0).inserted }
    }

    private static func unique(_ names: [String]) -> [String] {
        var taken: Set<String> = []
        return names.map { name in
            var identifier = ""
            for character in name {
                if character.isASCII && (character.isLetter || character.isNumber) {
                    identifier.append(character)
                } else if identifier.last != "_" {
                    identifier += "_"
                }
            }
            while identifier.last == "_" { identifier.removeLast() }
            if identifier.first?.isLetter != true { identifier = "s" + identifier }
            var unique = identifier
            var number = 2
            while !taken.insert(unique).inserted {
                unique = "\(identifier)_\(number)"
                number += 1
            }
            return unique
        }
    }
}
