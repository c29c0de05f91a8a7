public import Hardware
public import Turnstile

/// Settings, and where their file says which line has which role: for whoever looks whether these
/// lines are there.
public struct PlacedSettings {
    /// The settings.
    public let settings: Settings
    private let reader: Reader

    /// Reads the text in `bytes`, which stands in `file`; `isVolatile` judges the ledger's path.
    public init(
        _ bytes: [UInt8], file: String,
        isVolatile: (String) -> Bool = Settings.isBelowVolatileFolder
    ) throws(SettingsErrors) {
        (settings, reader) = try Settings.read(bytes, file: file, isVolatile: isVolatile)
    }

    /// What is wrong with a role's line, where that is said.
    public func problem(_ message: String, with line: Line) -> SettingsProblem {
        problem(message, at: "\(place(of: line)).line")
    }

    /// What is wrong with a chip, where it is said first.
    public func problem(_ message: String, with chip: ChipSelector) -> SettingsProblem {
        let wiring = settings.wiring
        let own = wiring.lines.filter { wiring.chip(of: $0) == chip }
            .map { "\(place(of: $0)).chip" }.filter(reader.has)
        let section = wiring.chip == chip ? "hardware.chip" : own.first ?? "hardware.chip"
        return problem(message, at: "\(section).\(chip.key)")
    }

    /// What is wrong with the value of a key, where it is said or, for a default, the section.
    public func problem(_ message: String, at place: String) -> SettingsProblem {
        SettingsProblem("\(place): \(message)", at: reader.position(of: place))
    }

    private func place(of line: Line) -> String {
        switch line {
        case .input(let input): reader.place(of: input)
        case .output(let output): reader.place(of: output)
        }
    }
}

extension ChipSelector {
    /// The key by which a chip is named.
    fileprivate var key: String {
        switch self {
        case .label: "label"
        case .name: "name"
        case .path: "path"
        }
    }
}
