import Keeping
import System

/// The page around its data, from the files in the folder `Browser`.
enum PageMarkup {
    /// All before the data, and all after it.
    static func around(title: String) -> (head: String, tail: String) {
        let name = title.isEmpty ? "Trace" : "\(title.onOneLine.inHTML) – trace"
        let parts = text(PackageResources.page_html).split(separator: "{{data}}").map(String.init)
        let head = parts[0].replacing("{{style}}", with: style)
            .replacing("{{hash}}", with: script.sha256InBase64)
            .replacing("{{title}}", with: name)
        return (head, parts[1].replacing("{{script}}", with: script))
    }

    private static var style: String {
        text(PackageResources.page_css)
            .replacing("{{light}}", with: text(PackageResources.light_css))
            .replacing("{{dark}}", with: text(PackageResources.dark_css))
    }

    /// The whole script. Its parts share one scope, and only `turnstileTrace` is visible outside,
    /// for tests.
    private static let script =
        "(() => {\n\"use strict\";\n" + parts.map { text($0) }.joined() + "})();"

    // `make lint` reads the order here.
    private static let parts = [
        PackageResources.model_js, PackageResources.time_js, PackageResources.view_js,
        PackageResources.paint_js, PackageResources.marks_js, PackageResources.panel_js,
        PackageResources.legend_js, PackageResources.controls_js, PackageResources.keys_js,
        PackageResources.start_js,
    ]

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

extension String {
    /// The SHA-256 of the text, in the form of a content security policy.
    fileprivate var sha256InBase64: String {
        let digits = Array(SHA256.digest(of: Array(utf8)))
        let bytes = stride(from: 0, to: digits.count, by: 2).map { index in
            (digits[index].hexDigitValue ?? 0) << 4 | (digits[index + 1].hexDigitValue ?? 0)
        }
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let padded = Array(group) + [0, 0]
            let bits = padded[0] << 16 | padded[1] << 8 | padded[2]
            for place in 0..<4 {
                let letter = letters[bits >> (18 - 6 * place) & 63]
                text.append(place <= group.count ? letter : "=")
            }
        }
        return text
    }
}
