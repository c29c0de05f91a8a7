import Foundation
import Hardware
import Pictures
import Settings
import Testing
import Turnstile

/// docs/pictures/header-raspberry-pi.svg shows what config/raspberry-pi.yaml wires.
///
/// `UPDATE_GENERATED=1 swift test --filter PicturesTests` draws it anew.
@Suite struct HeaderTests {
    @Test func `the header is drawn with the lines of its settings`() throws {
        let path = PictureFile.repository.appending(path: "config/raspberry-pi.yaml").path
        let wiring = try Settings.load(path: path).wiring
        var header = Header()
        for (input, line) in wiring.inputs { try header.wire(input.name, line.line, isInput: true) }
        for (output, line) in wiring.outputs {
            try header.wire(output.name, line.line, isInput: false)
        }
        #expect(header.roles.count == wiring.inputs.count + wiring.outputs.count)
        #expect(try PictureFile.holds(header.svg, in: "header-raspberry-pi.svg"))
    }
}

/// The 40-pin header of a Raspberry Pi, seen from above with the board's edge at the right: the pin
/// numbers and functions that all models since the B+ have.
private struct Header {
    /// What each pin is, from pin 1 on.
    private static let pins = [
        "3.3 V", "5 V", "GPIO 2", "5 V", "GPIO 3", "ground", "GPIO 4", "GPIO 14", "ground",
        "GPIO 15", "GPIO 17", "GPIO 18", "GPIO 27", "ground", "GPIO 22", "GPIO 23", "3.3 V",
        "GPIO 24", "GPIO 10", "ground", "GPIO 9", "GPIO 25", "GPIO 11", "GPIO 8", "ground",
        "GPIO 7", "GPIO 0", "GPIO 1", "GPIO 5", "ground", "GPIO 6", "GPIO 12", "GPIO 13", "ground",
        "GPIO 19", "GPIO 16", "GPIO 26", "GPIO 20", "ground", "GPIO 21",
    ]
    private static let (top, row, middle) = (56, 24, 400)

    /// The roles, by the pin that they are wired to.
    private(set) var roles: [Int: (name: String, isInput: Bool)] = [:]

    /// Wires a role to the pin of a line, which is the number of a GPIO.
    mutating func wire(_ name: String, _ line: LineSelector, isInput: Bool) throws {
        guard case .offset(let number) = line else { throw CocoaError(.featureUnsupported) }
        let index = try #require(Self.pins.firstIndex(of: "GPIO \(number)"))
        roles[index + 1] = (name, isInput)
    }

    /// The picture as a text.
    var svg: String {
        let height = Self.top + 20 * Self.row + 16
        var sketch = Sketch(
            title: "The pins that config/raspberry-pi.yaml uses", width: 800, height: height)
        sketch.text("▶ the board drives it", x: 16, y: 26, .alert)
        sketch.text("◀ the board reads it", x: 216, y: 26, .accent)
        sketch.box(
            x: Self.middle - 62, y: Self.top - 14, width: 124, height: 20 * Self.row + 8, radius: 6)
        for pin in 1...40 { draw(pin, on: &sketch) }
        return sketch.svg
    }

    private func draw(_ pin: Int, on sketch: inout Sketch) {
        let isLeft = pin % 2 == 1
        let y = Self.top + (pin - 1) / 2 * Self.row
        let role = roles[pin]
        let ink: Sketch.Ink = role.map { $0.isInput ? .accent : .alert } ?? .faint
        sketch.dot(x: Self.middle + (isLeft ? -16 : 16), y: y, radius: 6, ink)
        write(
            "\(pin)", endsAt: isLeft ? -28 : nil, beginsAt: 28, y, role == nil ? .faint : .line,
            &sketch)
        write(
            Self.pins[pin - 1], endsAt: isLeft ? -76 : nil, beginsAt: 76, y,
            role == nil ? .faint : .line, &sketch)
        guard let role else { return }
        let words =
            isLeft == role.isInput
            ? "\(role.name) ▶"
            : isLeft ? "\(role.name) ◀" : role.isInput ? "◀ \(role.name)" : "▶ \(role.name)"
        write(words, endsAt: isLeft ? -150 : nil, beginsAt: 150, y, ink, &sketch)
    }

    /// Writes words that end, or begin, so far from the middle.
    private func write(
        _ words: String, endsAt end: Int?, beginsAt begin: Int, _ y: Int, _ ink: Sketch.Ink,
        _ sketch: inout Sketch
    ) {
        let x = end.map { $0 - words.count * Sketch.characterWidth } ?? begin
        sketch.text(words, x: Self.middle + x, y: y + 5, ink)
    }
}
