/// The page's script, in its parts: each says what it is for.
enum PageScript {
    /// The whole script. Its parts share one scope, and nothing of it is seen from outside but
    /// `turnstileTrace`, by which a test asks what is shown.
    static let text =
        "(() => {\n\"use strict\";\n"
        + [model, time, view, paint, marks, panel, legend, controls, keys, start]
        .joined(separator: "\n")
        + "\n})();"
}
