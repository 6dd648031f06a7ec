import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A settings file: a regular file of limited size.
struct SettingsFile {
    let path: String

    private static let sizeLimit = 1024 * 1024
    private static let secretLimit = 64 * 1024

    /// The name of the file without its folder and extension.
    var baseName: String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return name.hasSuffix(".json") && name != ".json" ? String(name.dropLast(5)) : name
    }

    func contents() throws(SettingsError) -> [UInt8] {
        switch Self.bytes(of: path, limit: Self.sizeLimit) {
        case .success(let bytes): return bytes
        case .failure(let problem): throw SettingsError(file: path, problem: problem.text)
        }
    }

    /// Reads the only line of a file next to the settings that the settings name.
    func secret(in name: String) throws(SettingsError) -> Secret<String> {
        let field = "client_secret_file"
        let secretPath = name.hasPrefix("/") ? name : folder + name
        let bytes: [UInt8]
        switch Self.bytes(of: secretPath, limit: Self.secretLimit, isSecret: true) {
        case .success(let content): bytes = content
        case .failure(let problem): throw SettingsError(file: path, field: field, problem: "names \(secretPath), which \(problem.text)")
        }
        guard let text = String(validating: bytes, as: UTF8.self)?.withoutPasteRemnants else {
            throw SettingsError(file: path, field: field, problem: "names \(secretPath), which is not UTF-8 text")
        }
        guard !text.isEmpty, !text.contains(where: \.isNewline) else {
            throw SettingsError(file: path, field: field, problem: "names \(secretPath), which does not contain one line with a secret")
        }
        return Secret(text)
    }

    /// The folder with a trailing slash; empty for the current directory.
    private var folder: String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "" }
}

extension SettingsFile {
    private struct Problem: Error {
        let text: String

        static var ofSystem: Self { Self(text: "cannot be read: \(SystemCallError.last())") }
    }

    /// Opens the file without blocking, because a pipe without a writer would block the window.
    private static func bytes(of path: String, limit: Int, isSecret: Bool = false) -> Result<[UInt8], Problem> {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return .failure(.ofSystem) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return .failure(.ofSystem) }
        guard UInt32(status.st_mode) & UInt32(S_IFMT) == UInt32(S_IFREG) else { return .failure(Problem(text: "is not a regular file")) }
        if isSecret {
            do throws(FileProblem) {
                try FileStatus.checkSecret(descriptor, path)
            } catch {
                return .failure(Problem(text: "cannot be trusted: \(error.problem); \(error.advice)"))
            }
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = retrying { buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) } }
            if count == 0 { return .success(bytes) }
            guard count > 0 else { return .failure(.ofSystem) }
            bytes += buffer[..<count]
            guard bytes.count <= limit else { return .failure(Problem(text: "is larger than \(limit) bytes")) }
        }
    }

    /// Returns the settings files in a folder, sorted by name; an empty array if the folder does not exist.
    static func all(inFolder folder: String) throws(SettingsError) -> [SettingsFile] {
        guard let stream = opendir(folder) else {
            if errno == ENOENT { return [] }
            throw SettingsError(file: folder, problem: Problem.ofSystem.text)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw SettingsError(file: folder, problem: Problem.ofSystem.text) }
                break
            }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if name.hasSuffix(".json"), !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted().map { SettingsFile(path: folder.hasSuffix("/") ? folder + $0 : "\(folder)/\($0)") }
    }
}
