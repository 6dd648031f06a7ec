import AuthHub
import AuthHubPrimitives
import CredentialStorage
import Platform

extension AccountOverview {
    /// The reason why the list is incomplete.
    var failure: Failure { Self.failure(unreadable) }

    /// Creates an error for unreadable records.
    ///
    /// - Parameter unreadable: The reasons why some records cannot be opened.
    static func failure(_ unreadable: [CredentialStoreError]) -> Failure {
        if let missing = unreadable.first(where: { $0.code == .keyMissing }) { return Failure(missing) }
        let hint =
            if unreadable.contains(where: { $0.code == .corrupt }) {
                "authhub accounts remove --damaged, then sign in again"
            } else if unreadable.contains(where: { $0.code == .rolledBack }) {
                "sign in to the account again, or sign out: authhub logout"
            } else {
                "fix the problem and run the same command again"
            }
        return Failure(
            "store_failed", .storeFailed,
            "\(Words.count(unreadable.count, "record")) cannot be read\(unreadable.first.map { ": \($0.explanation)" } ?? "")", hint: hint)
    }
}

extension AccountOverview.Entry {
    /// The output for `-o json`; nothing in it is secret.
    var json: JSONValue {
        [
            "account": .string(label), "user": user?.json ?? .null, "state": .string(state.rawValue),
            "provider": (settings?.provider.name).map(JSONValue.string) ?? .null, "server": server.map(JSONValue.string) ?? .null,
            "client_id": clientID.map(JSONValue.string) ?? .null,
            "resource": (settings?.resource?.text).map(JSONValue.string) ?? .null,
            "scope": .array(facts?.scope.names.map { .string($0) } ?? []),
            "expires_at": (facts?.expiresAt).map { .string($0.formatted(.iso8601)) } ?? .null,
            "renewable": .bool(isRenewable),
            "problem": problem.map { error in
                let failure = Failure(error)
                return ["code": .string(failure.code), "explanation": .string(failure.message)]
            } ?? .null,
        ]
    }

    /// The reason why the account cannot be used as it is; nil if it can.
    var trouble: String? {
        let name = "“\(displayable(label, limit: 100))”"
        return switch state {
        case .signedIn, .renewable: nil
        case .expired: "The sign-in of \(name) has expired"
        case .revocationPending: "\(name) is signed out here; the server has not revoked the tokens yet"
        case .unreadable: "The record of \(name) cannot be read"
        case .withoutSettings: "The settings of \(name) are missing"
        }
    }

    /// The command to type if the account cannot be used as it is.
    var advice: String? {
        let suffix = AccountOptions.suffix(label)
        return switch state {
        case .signedIn, .renewable: nil
        case .expired: "authhub login\(suffix)"
        case .revocationPending: SignOutNotice.command(for: label)
        case .unreadable where settings != nil: "authhub login\(suffix)"
        case .unreadable, .withoutSettings: "authhub accounts remove \(label.hasPrefix("-") ? "-- " : "")\(label.shellWord)"
        }
    }
}
