import Foundation
import Testing

@testable import Turnstile

/// A state that was recorded is read by a machine of the same version alone. So another form of it
/// is another version: read as the same, it would be taken for damage, or for what it is not.
@Suite struct StateFormTests {
    /// The fields of each part of the state, and its lists of names, a line each.
    private static var form: String {
        let shapes = Turnstile.stateShapes.flatMap { shape in
            shape.forms.map { form in
                let fields = form.fields.map { field in
                    "\(field.name.rawValue)\(field.isOptional ? "?" : ""): \(field.type.words)"
                }
                return
                    ([shape.title, form.name].filter { !$0.isEmpty }
                    + fields).joined(separator: ", ")
            }
        }
        let lists = Turnstile.stateLists.map { "\($0.title): \($0.names.joined(separator: ", "))" }
        return (shapes + lists).map { $0 + "\n" }.joined()
    }

    @Test func `another form of the state is another version`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "state-\(Turnstile.snapshotVersion)")
        let isNew = !FileManager.default.fileExists(atPath: file.path)
        if isNew, ProcessInfo.processInfo.environment["UPDATE_GENERATED"] != nil {
            try Self.form.write(to: file, atomically: true, encoding: .utf8)
        }
        let form = try String(contentsOf: file, encoding: .utf8)
        #expect(
            Self.form == form,
            """
            the state has another form than in version \(Turnstile.snapshotVersion): raise \
            Turnstile.snapshotVersion, and write the file of the next one with UPDATE_GENERATED=1
            """)
    }
}
