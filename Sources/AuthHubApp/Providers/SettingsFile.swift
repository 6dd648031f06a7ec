import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol
import Platform

/// A settings file: a regular file of limited size.
struct SettingsFile {
    let path: String

    private static let sizeLimit = 1024 * 1024

    /// The name of the file without its folder and extension.
    var baseName: String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return name.hasSuffix(".json") && name != ".json" ? String(name.dropLast(5)) : name
    }

    /// Reads the settings. Opens the file without blocking, because a pipe without a writer would block the window.
    func contents() throws(SettingsError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable(path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unreadable(path) }
        guard UInt32(status.st_mode) & UInt32(S_IFMT) == UInt32(S_IFREG) else {
            throw SettingsError(file: path, problem: "is not a regular file")
        }
        do throws(FileProblem) {
            try FileStatus.checkTrusted(descriptor, path)
        } catch {
            throw SettingsError(file: path, problem: "cannot be trusted: \(error.problem); \(error.advice)")
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = retrying { buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) } }
            if count == 0 { return bytes }
            guard count > 0 else { throw .unreadable(path) }
            bytes += buffer[..<count]
            guard bytes.count <= Self.sizeLimit else {
                throw SettingsError(file: path, problem: "is larger than \(Self.sizeLimit) bytes")
            }
        }
    }

    /// Reads the only line of a file next to the settings that the settings name.
    func secret(in name: String) throws(SettingsError) -> Secret<String> {
        do throws(CredentialStoreError) {
            return try SecretFile.line(in: name.hasPrefix("/") ? name : folder + name, patience: 0)
        } catch {
            throw SettingsError(
                file: path, field: "client_secret_file", problem: "does not name a usable secret: \(error.explanation)")
        }
    }

    /// The folder with a trailing slash; empty for the current directory.
    private var folder: String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "" }
}

extension SettingsFile {
    /// Returns the settings files in a folder, sorted by name; an empty array if the folder does not exist.
    static func all(inFolder folder: String) throws(SettingsError) -> [SettingsFile] {
        guard let stream = opendir(folder) else {
            if errno == ENOENT { return [] }
            throw SettingsError.unreadable(folder)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw SettingsError.unreadable(folder) }
                break
            }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if name.hasSuffix(".json"), !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted().map { SettingsFile(path: folder.hasSuffix("/") ? folder + $0 : "\(folder)/\($0)") }
    }
}

extension SettingsError {
    /// The error of the last failed system call.
    fileprivate static func unreadable(_ path: String) -> Self {
        Self(file: path, problem: "cannot be read: \(SystemCallError.last())")
    }
}
