import AuthHubPrimitives
import CredentialStorage

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The file `.authhub.toml`, which names the account of a folder in one line: `account = "work"`.
///
/// The file may come from anyone, for example with a clone of a repository. So it only counts if the user has approved it, and it can only
/// name an existing account. Anything else in it is an error, and another user's file is not accepted.
extension FolderAccount {
    static let fileName = ".authhub.toml"
    private static let sizeLimit = 4096

    /// Reads the file in a folder; nil if there is none.
    ///
    /// - Throws: ``Failure`` if the file belongs to another user, or does not have the format.
    static func inFile(of folder: String) throws(Failure) -> Self? {
        let path = path(in: folder)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw unusable(path, "cannot be read: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw unusable(path, "is not a regular file") }
        guard [0, geteuid()].contains(status.st_uid), status.st_mode & S_IWOTH == 0 else {
            throw unusable(path, "belongs to another user, or other users may write to it")
        }
        var buffer = [UInt8](repeating: 0, count: sizeLimit + 1)
        var bytes: [UInt8] = []
        while bytes.count <= sizeLimit {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        guard bytes.count <= sizeLimit, let text = String(validating: bytes.withoutByteOrderMark, as: UTF8.self),
            let label = label(in: text)
        else {
            throw unusable(path, "does not consist of one line: account = \"NAME\"")
        }
        return Self(label: label, place: .file(path))
    }

    /// Returns the label in the text of a file; nil if the text has another format. Empty lines and comments are ignored.
    static func label(in text: String) -> String? {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimming(" \t") }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
        guard lines.count == 1, let line = lines.first, let sign = line.firstIndex(of: "="), line[..<sign].trimming(" \t") == "account"
        else { return nil }
        let value = line[line.index(after: sign)...].trimming(" \t")
        guard value.utf8.count > 2, value.hasPrefix("\""), value.hasSuffix("\"") else { return nil }
        let label = String(value.dropFirst().dropLast())
        return (try? AccountOptions.check(label)) == nil ? nil : label
    }

    /// Writes the file, unless it already names the account.
    ///
    /// - Returns: The path of the file, and whether it was written.
    /// - Throws: ``Failure`` if the folder cannot be written, or has a file with the name that contains anything else.
    static func write(_ label: String, in folder: String) throws(Failure) -> (path: String, isNew: Bool) {
        let path = path(in: folder)
        guard try inFile(of: folder)?.label != label else { return (path, false) }
        do throws(CredentialStoreError) {
            try FileSystem.replaceFile(path, with: Array("account = \"\(label)\"\n".utf8))
        } catch {
            throw unusable(path, "cannot be written: \(error.explanation)")
        }
        return (path, true)
    }

    /// Removes the file.
    ///
    /// - Returns: The account that it named; nil if there is no file.
    static func remove(from folder: String) throws(Failure) -> Self? {
        guard let account = try inFile(of: folder) else { return nil }
        let path = path(in: folder)
        guard unlink(path) == 0 else { throw unusable(path, "cannot be removed: \(String(cString: strerror(errno)))") }
        return account
    }

    private static func path(in folder: String) -> String { folder == "/" ? "/\(fileName)" : "\(folder)/\(fileName)" }

    private static func unusable(_ path: String, _ problem: String) -> Failure {
        .usage("\(path) \(problem)", hint: "correct or delete the file, or add --as NAME")
    }
}

extension StringProtocol {
    fileprivate func trimming(_ characters: Set<Character>) -> String {
        let start = drop { characters.contains($0) }
        let rest = start.reversed().drop { characters.contains($0) }
        return String(rest.reversed())
    }

    fileprivate func trimming(_ characters: String) -> String { trimming(Set(characters)) }
}
