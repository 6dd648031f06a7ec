import AuthHubPrimitives
package import CredentialStorage
package import Platform

/// A folder for one test. It is removed with its contents when the test releases this object.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        path = "/tmp/credential-storage-tests-\(Base64URL.encode(randomBytes(count: 12)))"
        try check(mkdir(path, 0o700), "mkdir", path)
    }

    deinit {
        removeTree(path)
    }

    package var storePath: String { "\(path)/service/credentials" }
    package var keyPath: String { "\(path)/service/credentials.key" }

    /// A new handle on the store in this folder.
    package func store(reached: @escaping StorageStepHook = { _ in }) -> EncryptedFileStore {
        Self.store(below: path) { step throws(CredentialStoreError) in
            // The folder exists as long as its stores.
            try withExtendedLifetime(self) { () throws(CredentialStoreError) in try reached(step) }
        }
    }

    /// Returns a store for another process, which knows only the path.
    package static func store(below path: String, reached: @escaping StorageStepHook = { _ in }) -> EncryptedFileStore {
        EncryptedFileStore(
            folder: "\(path)/service/credentials", key: KeyFile(path: "\(path)/service/credentials.key"), reached: reached)
    }

    /// Returns the path of the only record.
    package func recordPath() throws -> String {
        let names = try names(in: storePath).filter { $0.hasSuffix(".credential") }
        guard names.count == 1 else { throw TestFailure("There are \(names.count) records.") }
        return "\(storePath)/\(names[0])"
    }

    /// Copies the whole folder in its current state.
    package func image() throws -> TemporaryFolder {
        let image = try TemporaryFolder()
        try copyTree(path, image.path)
        return image
    }
}

package struct TestFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

package func check(_ outcome: Int32, _ call: String, _ path: String) throws {
    guard outcome == 0 else { throw TestFailure("\(call) \(path): \(String(cString: strerror(errno)))") }
}

package func names(in folder: String) throws -> [String] {
    guard let stream = opendir(folder) else { throw TestFailure("opendir \(folder): \(String(cString: strerror(errno)))") }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
}

package func contents(of path: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw TestFailure("open \(path): \(String(cString: strerror(errno)))") }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return bytes }
        bytes += buffer[..<count]
    }
}

package func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o600) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw TestFailure("open \(path): \(String(cString: strerror(errno)))") }
    defer { close(descriptor) }
    guard write(descriptor, bytes, bytes.count) == bytes.count else { throw TestFailure("write \(path)") }
}

package func mode(of path: String) throws -> mode_t {
    var status = stat()
    try check(lstat(path, &status), "lstat", path)
    return status.st_mode & 0o7777
}

package func exists(_ path: String) -> Bool {
    access(path, F_OK) == 0
}

private func isFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

private func copyTree(_ path: String, _ newPath: String) throws {
    for name in try names(in: path) {
        let (from, to) = ("\(path)/\(name)", "\(newPath)/\(name)")
        if isFolder(from) {
            try check(mkdir(to, 0o700), "mkdir", to)
            try copyTree(from, to)
        } else {
            try write(contents(of: from), to: to)
        }
    }
}

private func removeTree(_ path: String) {
    for name in (try? names(in: path)) ?? [] {
        let path = "\(path)/\(name)"
        if isFolder(path) { removeTree(path) } else { unlink(path) }
    }
    rmdir(path)
}
