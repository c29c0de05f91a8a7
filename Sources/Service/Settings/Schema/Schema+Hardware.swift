import Hardware
import Turnstile

extension Schema {
    /// The section `hardware`.
    static let hardware = Section(
        initial: Draft(),
        [
            Key(
                "chip", \.chip, chip, need: .required(),
                "the GPIO chip of the lines, by 'label', 'name' or 'path'", finish: oneSelector,
                draft: ChipDraft.init),
            Key("inputs", inputs, need: .required(), "the lines that are read"),
            Key("outputs", outputs, need: .required(), "the lines that are driven"),
        ])

    /// The key of a role's line, kept at `path`.
    static func lineKey<Target>(
        _ path: any WritableKeyPath<Target, LineSelector> & Sendable
    ) -> Key<Target> {
        Key(
            "line", path, .line, need: .required(),
            "the line: its name as gpioinfo shows it, or its offset")
    }

    /// The key of a role's own chip, kept at `path`.
    static func chipKey<Target>(
        _ path: any WritableKeyPath<Target, ChipSelector?> & Sendable
    ) -> Key<Target> {
        Key(
            "chip", path, chip, need: .conditional("that of `hardware.chip`"),
            "the chip of this line, where it is another one", finish: oneSelector,
            draft: ChipDraft.init)
    }

    /// A chip as it is written.
    struct ChipDraft: Sendable {
        var label: String?
        var name: String?
        var path: String?

        /// Nothing is said of a chip.
        init() {}

        /// What says this.
        init(_ chip: ChipSelector) {
            switch chip {
            case .label(let label): self.label = label
            case .name(let name): self.name = name
            case .path(let path): self.path = path
            }
        }
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

    /// The chip that the draft says, which must be said in exactly one way.
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
