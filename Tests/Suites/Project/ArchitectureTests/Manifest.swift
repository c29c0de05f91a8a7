/// The targets of Package.swift and their floors.
///
/// The manifest lists its targets floor by floor, each floor under a comment `// Floor 2: …`, and
/// then those of the tests under `// Tests`. This is read from its text, so that there is no
/// second list that could differ.
struct Manifest {
    /// A target below Sources/.
    struct Target {
        /// Its name.
        let name: String
        /// The floor under whose comment it stands.
        let floor: Int
        /// The room that its folder is in, below Sources/.
        var room = ""
        /// The targets of this package that it depends on.
        var dependencies: Set<String> = []
        /// Its folder, from the repository's.
        var folder: String { "Sources/\(room)/\(name)" }
    }

    /// This project's.
    static let own = Manifest(Repository.file("Package.swift")!)

    /// The targets, in the order of the manifest.
    let targets: [Target]

    /// The target of this name.
    subscript(name: String) -> Target? { targets.first { $0.name == name } }

    /// The target that the file at `path` belongs to.
    func target(of path: String) -> Target? { targets.first { path.hasPrefix($0.folder + "/") } }

    /// The targets that this text of a manifest declares.
    init(_ file: TextFile) {
        var targets: [Target] = []
        var floor: Int?
        for line in file.lines {
            if let heading = line.firstMatch(of: /\/\/ Floor (\d+)/) {
                floor = Int(heading.1)
            } else if line.contains(/^ +\/\/ Tests/) {
                floor = nil
            }
            guard let floor else { continue }
            var names = line.matches(of: /"([\w-]+)"/).map { String($0.1) }
            if line.contains(/^ +(?:(?:library\()?"\w+", in: |name: |\.\w+\(name: )/),
                !line.contains(".product")
            {
                targets.append(Target(name: names.removeFirst(), floor: floor))
            }
            guard !targets.isEmpty else { continue }
            let last = targets.count - 1
            if let room = line.firstMatch(of: /in: "([\w\/]+)"|path: "Sources\/([\w\/]+)\/[\w-]+"/)
            {
                targets[last].room = String(room.1 ?? room.2 ?? "")
            }
            targets[last].dependencies.formUnion(names)
        }
        let own = Set(targets.map(\.name))
        for index in targets.indices { targets[index].dependencies.formIntersection(own) }
        self.targets = targets
    }
}
