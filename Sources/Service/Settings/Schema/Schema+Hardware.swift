import Hardware
import Turnstile

extension Schema {
    static let hardware = Section(
        initial: Draft(),
        [
            Key(
                "chip", \.chip, chip, need: .required(),
                "the GPIO chip of the lines, by 'label', 'name' or 'path'", finish: oneSelector,
                draft: \.draft),
            Key("inputs", inputs, need: .required(), "the lines that are read"),
            Key("outputs", outputs, need: .required(), "the lines that are driven"),
        ])

    static func lineKey<Target>(
        _ path: any WritableKeyPath<Target, LineSelector> & Sendable
    ) -> Key<Target> {
        Key(
            "line", path, .line, need: .required(),
            "the line: its name as gpioinfo shows it, or its offset")
    }

    static func chipKey<Target>(
        _ path: any WritableKeyPath<Target, ChipSelector?> & Sendable
    ) -> Key<Target> {
        Key(
            "chip", path, chip, need: .conditional("the value of `hardware.chip`"),
            "the chip of this line, if it is not 'hardware.chip'", finish: oneSelector,
            draft: \.draft)
    }

    struct ChipDraft: Sendable {
        var label: String?
        var name: String?
        var path: String?
    }

    private static let chip = Section(
        initial: ChipDraft(),
        [
            Key(
                "label", \.label, .name(limit: kernelNameLimit), need: oneOfThree,
                "its label, which gpiodetect shows in brackets: the best choice, since it stays"),
            Key(
                "name", \.name, .name(limit: kernelNameLimit), need: oneOfThree,
                "its name, such as gpiochip0, which can change with the kernel"),
            Key("path", \.path, .devicePath, need: oneOfThree, "the path of its device"),
        ])

    private static let oneOfThree = Need.conditional("one of the three")

    @Sendable private static func oneSelector(
        _ draft: ChipDraft, place: String, reader: inout Reader
    ) -> ChipSelector? {
        let selectors = [
            draft.label.map(ChipSelector.label), draft.name.map(ChipSelector.name),
            draft.path.map(ChipSelector.path),
        ].compactMap { $0 }
        let stated = ["label", "name", "path"].filter { reader.has("\(place).\($0)") }
        if stated.count != 1, reader.isComplete, reader.isValid(place) {
            let found = stated.isEmpty ? "none" : stated.joined(separator: " and ")
            reader.report("takes exactly one of label, name or path, here is \(found)", at: place)
        }
        return selectors.first
    }
}

extension ChipSelector {
    /// Its key and value in the settings.
    var written: (key: String, name: String) {
        switch self {
        case .label(let name): ("label", name)
        case .name(let name): ("name", name)
        case .path(let name): ("path", name)
        }
    }

    fileprivate var draft: Schema.ChipDraft {
        switch self {
        case .label(let name): Schema.ChipDraft(label: name)
        case .name(let name): Schema.ChipDraft(name: name)
        case .path(let name): Schema.ChipDraft(path: name)
        }
    }
}
