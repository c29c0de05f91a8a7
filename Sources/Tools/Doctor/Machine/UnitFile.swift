/// A unit or configuration file of systemd, merged with its drop-ins as systemd does it.
struct UnitFile: Sendable {
    let path: String
    /// By `section.key`; the last assignment counts.
    private var values: [String: String] = [:]
    /// The service's environment; assignments accumulate.
    private(set) var environment: [String: String] = [:]

    /// The first file of this name in the folders, and its drop-ins in all of them; nil if there is
    /// no such file.
    init?(_ name: String, in folders: [String], of root: Root) {
        guard let path = root.first(name, in: folders), let text = try? root.text(path).get()
        else { return nil }
        self.path = path
        read(text)
        readDropIns(of: name, in: folders, of: root)
    }

    /// The file of this name; only its drop-ins if it is missing.
    init(settingsOf name: String, in folders: [String], of root: Root) {
        path = root.first(name, in: folders) ?? "\(folders[0])/\(name)"
        if let text = try? root.text(path).get() { read(text) }
        readDropIns(of: name, in: folders, of: root)
    }

    /// The value of a key; nil if it is missing or reset.
    subscript(section: String, key: String) -> String? {
        values["\(section).\(key)"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Reads the drop-ins in the order of their names; one hides its namesakes in later folders.
    private mutating func readDropIns(of name: String, in folders: [String], of root: Root) {
        var paths: [String: String] = [:]
        for folder in folders.map({ "\($0)/\(name).d" }) {
            for file in root.names(in: folder) where file.hasSuffix(".conf") {
                if paths[file] == nil { paths[file] = "\(folder)/\(file)" }
            }
        }
        for (_, path) in paths.sorted(by: { $0.key < $1.key }) {
            if let text = try? root.text(path).get() { read(text) }
        }
    }

    private mutating func read(_ text: String) {
        var section = ""
        for line in text.replacing("\\\n", with: " ").split(separator: "\n") {
            let line = line.trimmed
            if line.hasPrefix("["), line.hasSuffix("]") {
                section = String(line.dropFirst().dropLast())
            } else if let first = line.first, !"#;".contains(first),
                let sign = line.firstIndex(of: "=")
            {
                let key = line[..<sign].trimmed
                let value = line[line.index(after: sign)...].trimmed
                values["\(section).\(key)"] = String(value)
                if key == "Environment" { readEnvironment(value) }
            }
        }
    }
}

extension UnitFile {
    private mutating func readEnvironment(_ text: Substring) {
        if text.isEmpty { environment = [:] }
        for assignment in text.replacing("\"", with: "").split(separator: " ") {
            let parts = assignment.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { environment[String(parts[0])] = String(parts[1]) }
        }
    }
}

extension Substring {
    /// Without the blanks on both sides.
    var trimmed: Substring {
        let start = drop { $0 == " " || $0 == "\t" }
        guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
        return start[...last]
    }
}

extension Root {
    var unit: UnitFile? { UnitFile("turnstiled.service", in: Self.unitFolders, of: self) }

    var journalSettings: UnitFile {
        UnitFile(
            settingsOf: "journald.conf",
            in: ["/etc/systemd", "/run/systemd", "/usr/local/lib/systemd", "/usr/lib/systemd"],
            of: self)
    }

    /// systemd's search path of units.
    private static let unitFolders = folders("systemd/system")

    /// The search path of a kind of file, first match first: the machine's own, this boot's,
    /// installed by hand, from a package.
    static func folders(_ name: String) -> [String] {
        ["/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib"].map { "\($0)/\(name)" }
    }
}
