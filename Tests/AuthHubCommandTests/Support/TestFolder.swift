import AuthHubPrimitives
import Platform

/// A folder for one test, removed with this value.
final class TestFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path(percentEncoded: false).trimmingSlash + "/authhub-tool-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file and returns its path. A process that reads the file at the same time sees all of the old or all of the new text.
    func write(_ text: String, to name: String, permissions: Int = 0o600) throws -> String {
        let file = "\(path)/\(name)"
        let unfinished = "\(file).\(UUID().uuidString)"
        try Data(text.utf8).write(to: URL(filePath: unfinished))
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: unfinished)
        guard rename(unfinished, file) == 0 else { throw SystemCallError.last() }
        return file
    }

    func read(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: "\(path)/\(name)")), as: UTF8.self)
    }

    func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: "\(path)/\(name)")
    }

    /// The paths of all files in it, at any depth.
    func files(in subfolder: String = "") throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path + subfolder).map { "\(path)\(subfolder)/\($0)" }.filter { path in
            var isFolder = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder
        }
    }
}

extension String {
    fileprivate var trimmingSlash: String { hasSuffix("/") ? String(dropLast()) : self }
}
