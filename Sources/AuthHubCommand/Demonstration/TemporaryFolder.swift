import Platform

/// A temporary folder for the demonstration. It is removed afterwards.
struct TemporaryFolder: Sendable {
    let path: String

    init() throws(Failure) {
        let parent = ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        var template = Array("\(parent)/authhub-demo.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw Failure(
                "store_failed", .storeFailed, "no folder can be created in \(parent): \(String(cString: strerror(errno)))",
                hint: "set TMPDIR to a writable folder")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }
}
