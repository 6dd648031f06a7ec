import AuthHubPrimitives
import JOSE
import OAuthProtocol

/// The keys of a server: human-readable, machine-readable, and with warnings.
struct KeySetReport: Sendable {
    /// The URL of the key set.
    let url: String
    /// The issuer, exactly as its metadata names it; nil if the URL of the key set was typed.
    var issuer: String?
    let response: KeySetResponse

    var keys: JSONWebKeySet { response.keys }

    /// The warnings about the key set and about keys that cannot be used.
    var warnings: [String] {
        let none = keys.keys.isEmpty ? ["the key set has no key that can be used"] : []
        return response.irregularities + keys.rejected.map(\.warning) + none
    }

    var json: JSONValue {
        [
            "url": .string(url), "issuer": issuer.map(JSONValue.string) ?? .null, "keys": .array(keys.keys.map(\.json)),
            "rejected": .array(keys.rejected.map(\.json)), "warnings": .array(warnings.map(JSONValue.string)),
        ]
    }

    func text(_ style: Style, width: Int?) -> String {
        var table = Table(columns: [
            .init(title: "KEY ID", minimumWidth: 12, tints: [.cyan]), .init(title: "TYPE"), .init(title: "ALG"), .init(title: "USE"),
            .init(title: "THUMBPRINT", tints: [.faint]),
        ])
        table.rows = keys.keys.map { key in
            [key.keyID ?? "none", key.kind, key.algorithm ?? "any", key.use ?? "any", key.thumbprint].map { escaped($0, limit: 200) }
        }
        return table.rendered(style, width: width)
    }

    /// The keys in one line: `ES256 “k1”, RSA 2048 bits “k2”`.
    var summary: String {
        let names = keys.keys.map { key in
            (key.algorithm ?? key.kind) + (key.keyID.map { " “\($0)”" } ?? "")
        }
        let rejected = keys.rejected.isEmpty ? "" : "; \(keys.rejected.count) rejected"
        return Words.count(names.count, "key") + (names.isEmpty ? "" : ": " + names.joined(separator: ", ")) + rejected
    }
}
