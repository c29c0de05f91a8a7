/// The room that a text takes.
///
/// The font is the viewer's, so this is for the widest of the usual ones: DejaVu Sans, in bold,
/// since any state may be the marked one. Others leave some room.
enum TextSize {
    /// The size of the font, and from one line to the next.
    static let font = 13, line = 16

    /// How wide the text is at most.
    static func width(_ text: String) -> Int {
        let thousandths = text.reduce(0) { $0 + width(of: $1) }
        return (thousandths * font + 999) / 1000
    }

    /// How wide a character is, in thousandths of the font's size.
    private static func width(of character: Character) -> Int {
        guard character.isASCII else { return 1_200 }
        if "ijlI.,:;'|! ".contains(character) { return 400 }
        if "ftr()[]{}/\\\"-".contains(character) { return 520 }
        if "mwMW@%".contains(character) { return 1_150 }
        if character.isUppercase || "+=<>~^#&".contains(character) { return 880 }
        return 720
    }
}
