import System

/// The page itself: what is on it before its script draws.
enum PageMarkup {
    /// All before the data.
    static func head(title: String) -> String {
        let script = PageScript.text
        let name = title.isEmpty ? "Trace" : "\(title.inHTML) – trace"
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
            style-src 'unsafe-inline'; script-src 'sha256-\(script.sha256InBase64)'">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(name)</title>
            <style>
            \(PageStyle.text)
            </style>
            </head>
            <body>
            \(body)
            <script type="application/json" id="trace">
            """
    }

    /// All after the data.
    static var tail: String {
        "</script>\n<script>\(PageScript.text)</script>\n</body>\n</html>\n"
    }

    private static let body = """
        <header id="top">
        <div class="titles"><h1 id="gate">Trace</h1><p id="span"></p></div>
        <p id="sums"></p>
        <div class="tools" role="toolbar" aria-label="View">
        <button type="button" id="zoom-out" title="Zoom out (−)" aria-label="Zoom out">−</button>
        <button type="button" id="zoom-in" title="Zoom in (+)" aria-label="Zoom in">+</button>
        <button type="button" id="fit" title="Show all (0)">All</button>
        <button type="button" id="back" title="Earlier (←)" aria-label="Earlier">◀</button>
        <button type="button" id="on" title="Later (→)" aria-label="Later">▶</button>
        <span class="gap"></span>
        <button type="button" id="rows-button" aria-expanded="false" \
        aria-controls="rows">Rows</button>
        <label class="check"><input type="checkbox" id="changing"> only what changes</label>
        <span class="gap"></span>
        <button type="button" id="legend-button" title="Legend (l)" aria-expanded="false" \
        aria-controls="legend">Legend</button>
        <button type="button" id="help-button" title="Keys (?)" aria-expanded="false" \
        aria-controls="help">Keys</button>
        <button type="button" id="print" title="Print">Print</button>
        <button type="button" id="theme" title="Dark or light">Theme</button>
        </div>
        </header>
        <div id="rows" class="popover" role="group" aria-label="Rows" hidden>
        <input type="search" id="rows-filter" placeholder="Rows named …" aria-label="Filter rows">
        <div class="all"><button type="button" id="rows-all">Show all</button>
        <button type="button" id="rows-none">Hide all</button></div>
        <div id="rows-list"></div>
        </div>
        <p id="left-out" hidden></p>
        <div id="help" class="popover" role="note" aria-label="Keys" hidden>
        <dl id="keys"></dl>
        </div>
        <canvas id="overview" tabindex="0" role="scrollbar" aria-controls="plot" \
        aria-orientation="horizontal" aria-label="Overview: which part is shown" \
        aria-valuemin="0" aria-valuemax="100" aria-valuenow="0"></canvas>
        <main id="main">
        <section id="chart" aria-label="Chart">
        <div id="ruler-line"><div id="moment"></div>\
        <canvas id="ruler" aria-hidden="true"></canvas></div>
        <div id="scroll">
        <div id="labels"></div>
        <div id="field">
        <canvas id="plot" tabindex="0" role="img" aria-describedby="help" \
        aria-label="Lines, states and records over time"></canvas>
        <canvas id="overlay" aria-hidden="true"></canvas>
        <div id="tip" hidden></div>
        </div>
        </div>
        </section>
        <aside id="panel" aria-label="Records">
        <div id="legend" class="popover" role="note" aria-label="Legend" hidden></div>
        <section id="record" aria-live="polite" aria-label="The record that is picked">
        <p class="empty">Pick a mark, or a record of the list.</p>
        </section>
        <div class="filter"><input type="search" id="filter" placeholder="Records with …" \
        aria-label="Filter records"><span id="found"></span></div>
        <ol id="list" aria-label="Records in view"></ol>
        </aside>
        </main>
        <footer id="bottom"><span id="range"></span><span id="cursors"></span>\
        <span id="voice" role="status" aria-live="polite"></span></footer>
        <noscript><p>This page draws with JavaScript, which is off.</p></noscript>
        """
}

extension String {
    /// The SHA-256 of the text, as a policy of a page tells it.
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
