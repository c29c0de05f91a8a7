import Foundation
import SystemFixtures
import Testing

@testable import System

/// Disks that should be mounted, on machines that are a folder each.
@Suite struct MountsTests {
    private let machine: TemporaryFolder
    private let state = "/var/lib/turnstiled"
    private let root = "22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw"
    /// What the sandbox makes of a folder that may be written.
    private let bound = "40 22 254:0 /var/lib/turnstiled /var/lib/turnstiled rw - ext4 /dev/vda rw"
    private let disk = "41 40 254:16 / /var/lib/turnstiled rw - ext4 /dev/vdb rw"

    init() throws { machine = try TemporaryFolder() }

    private func missing(_ mounts: String..., of folder: String? = nil) throws -> String? {
        let table = mounts.map { "\($0)\n" }.joined()
        try machine.write(table, to: "proc/self/mountinfo")
        return Mounts(root: String(machine.path("-").dropLast(2))).missingUnit(of: folder ?? state)
    }

    private func ask(for unit: String) throws {
        try machine.write("", to: "run/systemd/generator/\(unit)")
    }

    @Test func `where nobody asks for a disk none is missing`() throws {
        #expect(try missing(root) == nil)
        #expect(try missing(of: "a relative/path") == nil)
    }

    @Test func `a disk that is not mounted is missing, in the sandbox and outside`() throws {
        try ask(for: "var-lib-turnstiled.mount")
        let unit = "var-lib-turnstiled.mount"
        #expect(try missing(root) == unit)
        #expect(try missing(root, bound) == unit)
        #expect(try missing(root, bound, of: "\(state)/ledger") == unit)
        #expect(try missing(root, bound, of: "/var/lib/other") == nil)
        #expect(try missing(root, disk) == nil)
        #expect(try missing(root, bound, disk) == nil)
    }

    @Test func `a folder of the same disk that is bound here is a mount`() throws {
        try ask(for: "var-lib-turnstiled.mount")
        let other = "40 22 254:0 /data/turnstiled /var/lib/turnstiled rw - ext4 /dev/vda rw"
        #expect(try missing(root, other) == nil)
        // The root may be a folder of its disk itself.
        let root = "22 1 0:25 /@ / rw,relatime shared:1 - btrfs /dev/vda rw"
        let bound = "40 22 0:25 /@/var/lib/turnstiled /var/lib/turnstiled rw - btrfs /dev/vda rw"
        #expect(try missing(root, bound) == "var-lib-turnstiled.mount")
    }

    @Test func `a disk above the folder is looked at as well`() throws {
        try ask(for: "var.mount")
        #expect(try missing(root) == "var.mount")
        let disk = "30 22 254:32 / /var rw - ext4 /dev/vdc rw"
        #expect(try missing(root, disk) == nil)
        let bound = "40 30 254:32 /lib/turnstiled /var/lib/turnstiled rw - ext4 /dev/vdc rw"
        #expect(try missing(root, disk, bound) == nil)
        try ask(for: "var-lib-turnstiled.mount")
        #expect(try missing(root, disk, bound) == "var-lib-turnstiled.mount")
    }

    @Test func `a unit of the owner's counts, and one that is masked does not`() throws {
        try machine.write("", to: "etc/systemd/system/var-lib-turnstiled.mount")
        #expect(try missing(root) == "var-lib-turnstiled.mount")
        let unit = machine.path("etc/systemd/system/var-lib-turnstiled.mount")
        try FileManager.default.removeItem(atPath: unit)
        try FileManager.default.createSymbolicLink(
            atPath: unit, withDestinationPath: "/dev/null")
        try ask(for: "var-lib-turnstiled.mount")
        #expect(try missing(root) == nil)
    }

    @Test(arguments: [
        ("/var/lib/turnstiled", "var-lib-turnstiled.mount"),
        ("/media/usb-1", #"media-usb\x2d1.mount"#),
        ("/.hidden/a.b", #"\x2ehidden-a.b.mount"#),
        ("/srv/gate ä", #"srv-gate\x20\xc3\xa4.mount"#),
    ]) func `a unit has the name that systemd gives it`(path: String, unit: String) throws {
        #expect(Mounts.unit(of: path) == unit)
        let tool = "/usr/bin/systemd-escape"
        guard has(tool) else { return }
        #expect(try run(tool, "--path", "--suffix=mount", path) == "\(unit)\n")
    }

    @Test func `a blank in a path is found in the list of mounts`() throws {
        try ask(for: #"srv-the\x20gate.mount"#)
        let disk = #"41 22 254:16 / /srv/the\040gate rw - ext4 /dev/vdb rw"#
        #expect(try missing(root, disk, of: "/srv/the gate") == nil)
        #expect(try missing(root, of: "/srv/the gate") == #"srv-the\x20gate.mount"#)
    }

    @Test func `what hinders a folder is told in a sentence`() throws {
        let path = machine.path("state")
        let absence = "there is no folder \(path): make it, or mount its disk"
        #expect(File.obstacle(inFolder: path) == absence)
        try machine.write("", to: "state")
        #expect(File.obstacle(inFolder: path)?.hasPrefix("\(path) is no folder: ") == true)
        #expect(File.obstacle(inFolder: machine.path("")) == nil)
    }
}
