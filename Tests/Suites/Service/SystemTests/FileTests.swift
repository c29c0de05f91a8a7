import Foundation
import Glibc
import SystemFixtures
import Testing

@testable import System

/// Files take the place of others only where that is meant.
@Suite struct FileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `one that is created takes the place of none, nor of a link to none`() throws {
        try folder.write("a", to: "there")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link"), withDestinationPath: folder.path("nowhere"))
        for name in ["there", "link"] {
            #expect(File.exists(folder.path(name)))
            let error = #expect(throws: SystemError.self) {
                try File(path: folder.path(name), for: .creating)
            }
            #expect(error?.errno == EEXIST)
        }
        #expect(!File.exists(folder.path("nowhere")))
        try File(path: folder.path("new"), for: .creating).write([98])
        #expect(try folder.read("new") == "b")
    }

    @Test func `a new name is one that nothing has`() throws {
        try folder.write("a", to: "there")
        try folder.write("b", to: "draft")
        let error = #expect(throws: SystemError.self) {
            try File.rename(folder.path("draft"), toNew: folder.path("there"))
        }
        #expect(error?.errno == EEXIST)
        #expect(try folder.read("there") == "a" && folder.read("draft") == "b")
        try File.rename(folder.path("draft"), toNew: folder.path("new"))
        #expect(try folder.read("new") == "b" && !File.exists(folder.path("draft")))
    }
}
