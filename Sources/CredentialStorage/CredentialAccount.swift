/// The account that a record belongs to: an authorization server, a client, and a label that the user chooses.
///
/// The three strings are compared byte for byte, as OAuth compares issuers and client identifiers. Strings that look the same but have
/// different bytes identify different accounts.
public struct CredentialAccount: Sendable {
    /// The issuer, or another URL that identifies the authorization server.
    public let server: String
    /// The client ID that the tokens were issued to.
    public let clientID: String
    /// The label that distinguishes several accounts of one client at the same server; any string.
    public let label: String

    /// Creates an account. The label distinguishes several accounts of one client at the same server.
    public init(server: String, clientID: String, label: String = "default") {
        self.server = server
        self.clientID = clientID
        self.label = label
    }
}

extension CredentialAccount: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        left.identity == right.identity
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(identity)
    }
}

extension CredentialAccount {
    /// The unique byte representation of the account: each name as UTF-8 after its length, so that no two accounts share it.
    package var identity: [UInt8] {
        [server, clientID, label].flatMap { name in
            let bytes = Array(name.utf8)
            return (0..<4).reversed().map { UInt8(truncatingIfNeeded: bytes.count >> ($0 * 8)) } + bytes
        }
    }

    /// Reads an identity from the start of some bytes, and returns where it ends; nil if there is no identity.
    package static func reading(identityFrom bytes: ArraySlice<UInt8>) -> (account: Self, end: Int)? {
        var rest = bytes
        var names: [String] = []
        for _ in 0..<3 {
            guard rest.count >= 4 else { return nil }
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            guard rest.count >= length, let name = String(validating: rest.prefix(length), as: UTF8.self) else { return nil }
            names.append(name)
            rest = rest.dropFirst(length)
        }
        return (Self(server: names[0], clientID: names[1], label: names[2]), rest.startIndex)
    }
}
