import Platform

/// A file that is replaced like in a careful program, without locks, checks or encryption.
struct BareFile {
    let folder: String
    private var path: String { "\(folder)/bare" }

    func saveAndLoad(_ bytes: [UInt8], synchronizingFolder: Bool) throws {
        let temporaryPath = path + ".new"
        let file = try ScratchError.check(open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600), "open")
        try ScratchError.check(write(file, bytes, bytes.count), "write")
        try ScratchError.check(fsync(file), "fsync")
        close(file)
        try ScratchError.check(rename(temporaryPath, path), "rename")
        if synchronizingFolder {
            let descriptor = try ScratchError.check(open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), "open")
            try ScratchError.check(fsync(descriptor), "fsync")
            close(descriptor)
        }
        var buffer = [UInt8](repeating: 0, count: bytes.count)
        let reader = try ScratchError.check(open(path, O_RDONLY | O_CLOEXEC), "open")
        try ScratchError.check(read(reader, &buffer, buffer.count), "read")
        close(reader)
    }
}

/// A separate folder of the run, on a disk.
struct ScratchFolder {
    let path: String

    init() throws {
        path = "/var/tmp/authhub-store-saves-\(getpid())"
        try ScratchError.check(mkdir(path, 0o700), "mkdir")
    }

    func remove() {
        for folder in ["/sealed/locks", "/sealed", "/plain/locks", "/plain", ""] {
            for name in names(in: path + folder) { unlink("\(path)\(folder)/\(name)") }
            rmdir(path + folder)
        }
    }

    private func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
        return names
    }
}

struct ScratchError: Error, CustomStringConvertible {
    let call: String
    var number = errno

    var description: String { "\(call): \(String(cString: strerror(number)))" }

    @discardableResult
    static func check<Outcome: SignedInteger>(_ outcome: Outcome, _ call: String) throws -> Outcome {
        guard outcome >= 0 else { throw ScratchError(call: call) }
        return outcome
    }
}
