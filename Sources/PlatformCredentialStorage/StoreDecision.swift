import CredentialStorage
import AuthHubPrimitives

/// The recorded choice of a store.
package struct StoreDecision: Sendable, Hashable {
    package let kind: CredentialStoreKind
    /// The store that records are being moved out of; each of its records is the current one until it has been moved.
    package let movingFrom: CredentialStoreKind?

    package init(_ kind: CredentialStoreKind, movingFrom: CredentialStoreKind? = nil) {
        self.kind = kind
        self.movingFrom = movingFrom
    }
}

extension StoreDecision {
    private static let head = "AuthHub store choice "
    private static let format = 1
    private static let movingMark = "moving from "
    /// The largest size of the text in bytes.
    static let largestSize = 256

    /// Two lines: `AuthHub store choice 1`, and the name of the store. While records are moved, a third: `moving from NAME`.
    var text: String {
        "\(Self.head)\(Self.format)\n\(kind.name)\n" + (movingFrom.map { "\(Self.movingMark)\($0.name)\n" } ?? "")
    }

    /// Parses the text of a record.
    ///
    /// - Parameter path: The path of the file, for errors.
    /// - Throws: ``CredentialStoreError`` with `.corrupt` or `.tooNew`.
    init(_ text: String, at path: String) throws(CredentialStoreError) {
        let damaged = CredentialStoreError(
            .corrupt,
            "\(path), which records the chosen credential store, is damaged; restore it from a backup, or remove it (rm \(path.shellWord)) and name the store in the next command that writes (such as file)"
        ).ofChoice
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let first = lines.first, first.hasPrefix(Self.head), let format = Int(first.dropFirst(Self.head.count)), format >= 1 else {
            throw damaged
        }
        guard format == Self.format else {
            throw CredentialStoreError(
                .tooNew, "a newer version of this program chose the credential store (\(path), format \(format)); update this program")
        }
        // A name is shown to users without escaping.
        func isName(_ text: Substring) -> Bool { !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) } }
        guard (3...4).contains(lines.count), isName(lines[1]), lines[lines.count - 1].isEmpty else { throw damaged }
        guard lines.count == 4 else {
            self.init(CredentialStoreKind(named: String(lines[1])))
            return
        }
        guard lines[2].hasPrefix(Self.movingMark), isName(lines[2].dropFirst(Self.movingMark.count)) else { throw damaged }
        self.init(
            CredentialStoreKind(named: String(lines[1])),
            movingFrom: CredentialStoreKind(named: String(lines[2].dropFirst(Self.movingMark.count))))
    }
}
