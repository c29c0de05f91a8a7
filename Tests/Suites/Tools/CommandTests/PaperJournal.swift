import Foundation
import Journal
import Keeping

/// A journal for pages that are read: entries of a day, and a `journalctl` that shows them.
///
/// It knows of fields, times, `-n` and `-o cat`, and nothing else. Whether the journal itself
/// answers these queries is seen on the board: `OperationsStories`.
struct PaperJournal {
    /// The folder of the command.
    let folder: URL

    /// A journal with these entries, each with its time of day: `06:11:41`.
    init(_ entries: [(time: String, entry: JournalEntry)]) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let lines = entries.map { time, entry in
            let fields = entry.fields.map { "\u{1F}\($0.name.journalName)=\($0.value)" }.joined()
            let message = entry.message.split(separator: "\n").joined(separator: "\u{1E}")
            return "\(time)\t\(fields)\u{1F}\t\(message)\n"
        }
        try lines.joined().write(
            to: folder.appending(path: "entries"), atomically: true, encoding: .utf8)
        let command = folder.appending(path: "journalctl")
        try Self.command.write(to: command, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: command.path)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    private static let command = #"""
        #!/bin/sh
        since= until= count=1000 form= fields= unit=
        while [ $# -gt 0 ]; do
            case $1 in
            --since) since=$2; shift ;;
            --until) until=$2; shift ;;
            -n) count=$2; shift ;;
            -o) form=$2; shift ;;
            _SYSTEMD_UNIT=turnstiled.service) unit=$1 ;;
            TURNSTILE_*) fields="$fields $1" ;;
            *) echo "journalctl: $1 is not known here"; exit 1 ;;
            esac
            shift
        done
        [ -n "$unit" ] || { echo 'journalctl: whose entries?'; exit 1; }
        [ "$since" != today ] || since=
        awk -F '\t' -v since="$since" -v until="$until" -v form="$form" -v fields="$fields" '
            $1 >= since && (until == "" || $1 < until) {
                split("", wanted); split("", found)
                count = split(fields, field, " ")
                for (i = 1; i <= count; i++) {
                    name = substr(field[i], 1, index(field[i], "="))
                    wanted[name]
                    if (index($2, "\037" field[i] "\037")) found[name]
                }
                for (name in wanted) if (!(name in found)) next
                print (form == "cat" ? "" : "Nov 23 " $1 " gate turnstiled[812]: ") $3
            }' "$(dirname "$0")/entries" | tail -n "$count" | tr '\036' '\n'
        """#
}
