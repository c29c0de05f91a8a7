import Foundation
import System
import Testing
import Turnstile

@testable import Doctor

/// What the system knows of files, folders and disks.
@Suite struct FileStatusTests {
    let folder: Folder

    init() throws {
        folder = try Folder()
        try folder.write("text", to: "file")
        try folder.link("link", to: "file")
    }

    @Test func `kind, owner, permissions and age of a file`() throws {
        let path = folder.path("file")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o640, .modificationDate: Date(timeIntervalSince1970: 86_400)],
            ofItemAtPath: path)
        let status = try FileStatus(path: path)
        #expect(status.kind == .file && status.permissions == 0o640)
        #expect(status.owner == geteuid() && status.modified == 86_400)
        #expect(try FileStatus(path: folder.path("")).kind == .folder)
        #expect(try FileStatus(path: "/dev/null").kind == .device)
    }

    @Test func `a link is followed unless it is asked for itself`() throws {
        let path = folder.path("link")
        #expect(try FileStatus(path: path).kind == .file)
        #expect(try FileStatus(path: path, followsLinks: false).kind == .link)
        #expect(try File.target(ofLink: path) == "file")
        #expect(throws: SystemError.self) { try File.target(ofLink: folder.path("file")) }
        #expect(throws: SystemError.self) { try File(path: path, for: .reading) }
        let file = try File(path: path, for: .reading, followsLinks: true)
        #expect(try file.read(10) == Array("text".utf8))
    }

    @Test func `what is not there is absent, and not merely unreadable`() {
        let error = #expect(throws: SystemError.self) {
            try FileStatus(path: folder.path("nothing"))
        }
        #expect(error?.meansAbsence == true)
    }

    @Test func `the names in a folder are in order, and a file that is removed is gone`() throws {
        #expect(try File.names(in: folder.path("")) == ["file", "link"])
        try File.remove(folder.path("link"))
        #expect(try File.names(in: folder.path("")) == ["file"])
        #expect(throws: SystemError.self) { try File.remove(folder.path("link")) }
        #expect(throws: SystemError.self) { try File.names(in: folder.path("file")) }
    }

    @Test func `a file system has some of its bytes free`() throws {
        let room = try Room(at: folder.path(""))
        #expect(room.total > 0 && (0...room.total).contains(room.free))
        #expect(throws: SystemError.self) { try Room(at: folder.path("nothing")) }
    }

    @Test func `the kernel has a release, and an answer about the clock`() {
        #expect(Kernel.running.release.contains(/^\d+\.\d+/))
        #expect(Kernel.running.architecture.contains(/^\w+$/))
        #expect(clockIsSet() != nil)
    }

    @Test func `an object of JSON has the values that are there`() throws {
        let object = JSON.object([("a", .text("\"\n")), ("b", nil), ("c", .number(3))])
        #expect(
            try JSONSerialization.jsonObject(with: Data(object.description.utf8)) as? NSDictionary
                == ["a": "\"\n", "c": 3])
        let array = JSON.array([object, .object([]), .null])
        #expect("\(array)" == "[{\"a\": \"\\\"\\u000a\", \"c\": 3}, {}, null]")
        #expect("\(JSON.array([]))" == "[]")
    }
}
