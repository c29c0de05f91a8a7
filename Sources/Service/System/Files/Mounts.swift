/// The disks that should be mounted according to /etc/fstab or a unit of the owner's, and those
/// that are.
///
/// A disk that does not mount leaves an empty folder in its place. Files written there are hidden
/// once the disk is mounted: a ledger there would be a second one, with other money.
public struct Mounts {
    /// Where systemd has units of the owner's, and those that it makes of /etc/fstab.
    private static let unitFolders = ["/etc/systemd/system", "/run/systemd/generator"]

    private let root: String
    private let mounts: [Mount]

    /// This machine's; its units and mounts below the folder `root`.
    public init(root: String = "") {
        self.root = root
        mounts = Self.read("\(root)/proc/self/mountinfo").split(separator: "\n")
            .compactMap(Mount.init)
    }

    /// The unit of an unmounted disk that `folder` should lie on, by its path without links; nil if
    /// no such disk is missing.
    public func missingUnit(of folder: String) -> String? {
        var path = folder
        while path.hasPrefix("/"), path != "/" {
            let unit = Self.unit(of: path)
            if isUnmasked(unit), !isMounted(path) { return unit }
            path = Self.parent(of: path)
        }
        return nil
    }

    /// Whether there is a unit of this name that is not masked.
    private func isUnmasked(_ unit: String) -> Bool {
        let paths = Self.unitFolders.map { "\(root)\($0)/\(unit)" }
        return paths.first(where: File.exists).map { !File.areSame($0, "/dev/null") } ?? false
    }

    /// Whether another file system begins here. The sandbox binds a folder that may be written to
    /// itself, which is no disk.
    private func isMounted(_ path: String) -> Bool {
        let parent = Self.parent(of: path)
        let outer = mounts.filter { Self.isPath(parent, below: $0.place) }
            .max { $0.place.utf8.count < $1.place.utf8.count }
        let itself = outer.map { outer in
            Self.join(
                outer.folder, String(path.dropFirst(outer.place == "/" ? 0 : outer.place.count)))
        }
        return mounts.contains {
            $0.place == path && !($0.device == outer?.device && $0.folder == itself)
        }
    }

    private static func isPath(_ path: String, below folder: String) -> Bool {
        path == folder || folder == "/" || path.hasPrefix("\(folder)/")
    }

    private static func join(_ folder: String, _ rest: String) -> String {
        folder == "/" ? rest : folder + rest
    }

    private static func parent(of path: String) -> String {
        let parent = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
        return parent.isEmpty ? "/" : String(parent)
    }

    private static func read(_ path: String) -> String {
        let bytes = try? File(path: path, for: .reading).read(1 << 20)
        return String(decoding: bytes ?? [], as: UTF8.self)
    }

    /// The name of the unit that mounts at `path`, as `systemd-escape --path` has it.
    static func unit(of path: String) -> String {
        var name = ""
        for byte in path.utf8.dropFirst() {
            let sign = Unicode.Scalar(byte)
            switch sign {
            case "/": name += "-"
            case "a"..."z", "A"..."Z", "0"..."9", ":", "_": name.unicodeScalars.append(sign)
            case "." where !name.isEmpty: name += "."
            default:
                name += "\\x\(String(byte, radix: 16).zeroPadded(to: 2))"
            }
        }
        return "\(name).mount"
    }
}

/// A line of /proc/self/mountinfo: proc_pid_mountinfo(5).
private struct Mount {
    /// The file system's device: `254:0`.
    let device: Substring
    /// Which of its folders is mounted.
    let folder: String
    let place: String

    init?(_ line: Substring) {
        let fields = line.split(separator: " ")
        guard fields.count > 4 else { return nil }
        device = fields[2]
        folder = Self.plain(fields[3])
        place = Self.plain(fields[4])
    }

    /// Decodes the octal escapes of the kernel: `\040`.
    private static func plain(_ path: Substring) -> String {
        let parts = path.utf8.split(separator: UInt8(ascii: "\\"), omittingEmptySubsequences: false)
        var bytes = Array(parts[0])
        for part in parts.dropFirst() {
            if let byte = UInt8(String(Substring(part.prefix(3))), radix: 8) { bytes.append(byte) }
            bytes += part.dropFirst(3)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
