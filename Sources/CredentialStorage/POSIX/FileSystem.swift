import AuthHubPrimitives
import Platform

/// The system calls on file names.
package enum FileSystem {
    package static func rename(_ path: String, to newPath: String) throws(CredentialStoreError) {
        guard retrying({ systemRename(path, newPath) }) == 0 else { throw .systemCall("rename", newPath) }
    }

    /// Gives a file a second name, unless a file with that name exists.
    static func link(_ path: String, to newPath: String) throws(CredentialStoreError) -> Bool {
        if systemLink(path, newPath) == 0 { return true }
        guard errno == EEXIST else { throw .systemCall("link", newPath) }
        return false
    }

    /// Removes a file if it exists.
    package static func remove(_ path: String) throws(CredentialStoreError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw .systemCall("unlink", path) }
    }

    /// Creates a folder and its missing parents, all for their owner only, and all durable.
    package static func makeFolders(_ path: String) throws(CredentialStoreError) {
        if try makeFolder(path) { return try synchronizeFolder(parent(of: path)) }
        if errno == EEXIST { return }
        guard errno == ENOENT, parent(of: path) != path else { throw .systemCall("mkdir", path) }
        try makeFolders(parent(of: path))
        guard try makeFolder(path) || errno == EEXIST else { throw .systemCall("mkdir", path) }
        try synchronizeFolder(parent(of: path))
    }

    /// Creates a folder.
    ///
    /// - Returns: False if it cannot be created, for the reason in `errno`.
    private static func makeFolder(_ path: String) throws(CredentialStoreError) -> Bool {
        guard mkdir(path, 0o700) == 0 else { return false }
        // A umask may remove permissions from the owner, too, who could then no longer use the folder.
        guard let status = try FileStatus.of(path), status.permissions & 0o700 != 0o700 else { return true }
        guard chmod(path, 0o700) == 0 else { throw .systemCall("chmod", path) }
        return true
    }

    /// Returns when the folder's entries are durable.
    package static func synchronizeFolder(_ path: String) throws(CredentialStoreError) {
        guard let folder = try POSIXFile.open(path, to: .synchronizeFolder) else { throw .systemCall("open", path) }
        try folder.synchronize()
    }

    package static func names(in folder: String) throws(CredentialStoreError) -> [String] {
        guard let stream = opendir(folder) else {
            if errno == ENOENT { return [] }
            throw .systemCall("opendir", folder)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw .systemCall("readdir", folder) }
                return names
            }
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
    }

    /// Returns the target of a symbolic link; nil if there is none.
    package static func target(ofLink path: String) throws(CredentialStoreError) -> String? {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &target, target.count)
        if count >= 0 { return String(decoding: target.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) }
        guard errno == ENOENT || errno == EINVAL else { throw .systemCall("readlink", path) }
        return nil
    }

    package static func parent(of path: String) -> String {
        guard let slash = path.dropLast().lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}

// The system calls under other names, because members with the same name hide them.
private func systemRename(_ path: String, _ newPath: String) -> Int32 { rename(path, newPath) }
private func systemLink(_ path: String, _ newPath: String) -> Int32 { link(path, newPath) }
