import Platform

#if PostgreSQL

/// A home folder that contains libpq's file of root certificates. It is deleted with this object.
final class TestHome: Sendable {
    let path: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "authhub-home-\(UUID().uuidString)")
        let settings = folder.appending(path: ".postgresql")
        try FileManager.default.createDirectory(at: settings, withIntermediateDirectories: true)
        try Data().write(to: settings.appending(path: "root.crt"))
        path = folder.path(percentEncoded: false)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
#endif
