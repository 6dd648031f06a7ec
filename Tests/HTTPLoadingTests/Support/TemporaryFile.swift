import Platform

/// A file that is deleted with this value.
final class TemporaryFile: Sendable {
    let path: String

    init(_ bytes: [UInt8]) throws {
        path = FileManager.default.temporaryDirectory.path + "/authhub-loading-tests-canary-\(UInt64.random(in: 0 ... .max))"
        try write(bytes)
    }

    deinit {
        remove()
    }

    func write(_ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(filePath: path))
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }

    #if os(Linux)
    /// The flags of each descriptor of this process that has the file open, as the system reports them.
    var openDescriptors: [String] {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return numbers.filter { (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path }
            .map { (try? String(contentsOfFile: "/proc/self/fdinfo/\($0)", encoding: .utf8)) ?? "" }
    }
    #endif
}
