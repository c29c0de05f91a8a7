import PrivateBus
import Testing

@testable import System

/// What is left of messages that are longer than they may be, however they come in parts.
@Suite struct MessageBoundTests {
    private static let most = 400

    private static func call(
        of length: Int, at path: String = "/a", isLittle: Bool = true
    ) -> [UInt8] {
        RawMessage(
            "Try", on: "io.example1.Test", at: path, of: "io.example1",
            String(repeating: "x", count: length), isLittle: isLittle
        ).bytes
    }

    private static func kept(of bytes: [UInt8], by step: Int) -> [UInt8] {
        var bound = MessageBound(most: most)
        var kept: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: step) {
            bound.take(bytes[start..<min(start + step, bytes.count)], into: &kept)
        }
        return kept
    }

    @Test(arguments: [1, 3, 16, 4_096], [true, false])
    func `lines and messages that are short enough are passed on`(step: Int, isLittle: Bool) {
        let empty = Self.call(of: 0, isLittle: isLittle)
        let longest = Self.call(of: Self.most - empty.count, isLittle: isLittle)
        #expect(longest.count == Self.most)
        let all = Array("DATA\r\nOK 1234\r\n".utf8) + longest + empty + longest
        #expect(Self.kept(of: all, by: step) == all)
    }

    @Test(arguments: [1, 3, 16, 4_096], [true, false])
    func `of one that is too long the rest is left out, and its head says so`(
        step: Int, isLittle: Bool
    ) {
        let short = Self.call(of: 0, isLittle: isLittle)
        let long = Self.call(of: 5_000, isLittle: isLittle)
        // The body is a length, the text and its end.
        let left = Self.most - (short.count - 5)
        var cut = Array(long.prefix(Self.most))
        let length = [UInt8(left & 255), UInt8(left >> 8), 0, 0]
        cut.replaceSubrange(4..<8, with: isLittle ? length : length.reversed())
        #expect(Self.kept(of: short + long + short, by: step) == short + cut + short)
    }

    @Test(arguments: [1, 3, 16, 4_096])
    func `one whose names are too long is left out`(step: Int) {
        let short = Self.call(of: 0)
        let path = "/" + String(repeating: "a", count: Self.most)
        let all = short + Self.call(of: 5_000, at: path) + short
        #expect(Self.kept(of: all, by: step) == short + short)
    }

    @Test func `lengths beyond all bounds are no trap`() {
        var head = Self.call(of: 0)
        head.replaceSubrange(4..<16, with: Array(repeating: 255, count: 12))
        #expect(Self.kept(of: head, by: 7).isEmpty)
    }
}

/// Where a bus is, as D-Bus writes it.
@Suite struct BusAddressTests {
    @Test(arguments: [
        ("unix:path=/run/bus", "/run/bus"), ("unix:path=/run/bus,guid=12ab", "/run/bus"),
        ("unix:guid=12ab,path=/run/bus", "/run/bus"), ("unix:abstract=/tmp/a-b", "@/tmp/a-b"),
        ("tcp:host=a,path=/x;unix:path=/run/b", "/run/b"), ("unix:path=/a%20b%2Fc%", "/a b/c%"),
    ]) func `a socket of this machine is found`(address: String, path: String) throws {
        #expect(try LocalAddress(ofBus: address)?.path == path)
    }

    @Test(arguments: [
        "", "tcp:host=localhost,port=1", "unix:tmpdir=/tmp", "unix:path", "unix:path=",
    ])
    func `anything else is none`(address: String) throws {
        #expect(try LocalAddress(ofBus: address) == nil)
    }
}
