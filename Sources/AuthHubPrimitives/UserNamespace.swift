import Platform

/// The user IDs that identify the owner of a file or a socket.
///
/// In a user namespace that does not map all users (user_namespaces(7)), the kernel reports all other users as one overflow user, usually
/// 65534. If this process runs as that user, files of other users seem to be its own.
package struct UserNamespace: Sendable {
    private let overflowID: UInt32?

    /// Creates a description of a namespace.
    ///
    /// - Parameters:
    ///   - map: The contents of `/proc/self/uid_map`; nil if unknown.
    ///   - overflowID: The contents of `/proc/sys/kernel/overflowuid`; nil if unknown, for the kernel's default.
    package init(map: String?, overflowID: String?) {
        let isComplete = map.map { Self.mappedUsers(in: $0) >= Self.allUsers } ?? false
        let number = overflowID?.split(whereSeparator: \.isWhitespace).first.flatMap { UInt32($0) }
        self.overflowID = isComplete ? nil : number ?? 65_534
    }

    /// Returns whether an ID identifies a single user instead of all users that the namespace does not map.
    package func identifies(_ user: UInt32) -> Bool { user != overflowID }

    /// Returns whether a file or a socket with this owner certainly belongs to the user who runs this process.
    package func isOurs(_ owner: UInt32) -> Bool { owner == UInt32(geteuid()) && identifies(owner) }

    /// Returns why this process cannot tell whether something is its own, and what to do, as a clause for the end of a sentence; nil if it
    /// can.
    package func doubt(about owner: UInt32) -> String? {
        guard owner == UInt32(geteuid()), !identifies(owner) else { return nil }
        return
            "user ID \(owner) represents every user that this user namespace does not map; run this process with another ID in the namespace, "
            + "as unshare --map-current-user does, or run it outside the namespace"
    }

    /// 2³² − 1 is not a user.
    private static let allUsers = UInt64(UInt32.max)

    /// Returns the number of mapped users. The extents of a map do not overlap, and no namespace can map users that its parent does not
    /// map.
    private static func mappedUsers(in map: String) -> UInt64 {
        map.split(whereSeparator: \.isNewline).reduce(0) { total, line in
            let numbers = line.split(whereSeparator: \.isWhitespace).compactMap { UInt32($0) }
            return numbers.count == 3 ? total + UInt64(numbers[2]) : total
        }
    }
}

extension UserNamespace {
    #if os(Linux)
    /// The namespace of this process.
    package static let current = Self(map: text(at: "/proc/self/uid_map"), overflowID: text(at: "/proc/sys/kernel/overflowuid"))

    /// Reads a small file. A map has at most 340 lines of 33 bytes.
    private static func text(at path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = retrying { read(descriptor, &buffer, buffer.count) }
            guard count >= 0 else { return nil }
            guard count > 0 else { return String(decoding: text, as: UTF8.self) }
            text += buffer[..<count]
        }
    }
    #else
    /// There is one namespace, and all users are in it.
    package static let current = Self(map: "0 0 \(UInt32.max)", overflowID: nil)
    #endif
}
