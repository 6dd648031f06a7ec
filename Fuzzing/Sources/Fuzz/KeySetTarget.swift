import AuthHubPrimitives
import HTTPTypes
import JOSE
import OAuthProtocol

/// Key sets of servers.
enum KeySetTarget: Target {
    static let name = "key-set"

    private static let privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

    static func check(_ input: [UInt8]) throws(Violation) {
        guard let set = read(input) else { return }
        try require(set.keys.count + set.rejected.count <= 100, "a set has at most 100 keys")
        try require(read(input) == set, "parsing a set twice gives the same set")
        for key in set.keys {
            let members = key.publicMembers
            try require(privateMembers.allSatisfy { members[$0] == nil }, "a key of a server has no private members")
            try require(["RSA", "EC", "OKP"].contains(key.keyType), "a key of a server is a public key")
            let again = outcome { () throws(JOSEError) in try JSONWebKey(members) }
            guard case .success(let again) = again, again == key, again.thumbprint == key.thumbprint else {
                throw Violation(sentence: "parsing a key's members again gives the same key")
            }
        }
        let identifications = set.keys.filter { $0.keyID != nil }.map { [$0.keyID, $0.keyType, $0.algorithm, $0.use] }
        try require(Set(identifications).count == identifications.count, "no two keys have the same kid, type, algorithm and use")
    }

    private static func read(_ input: [UInt8]) -> JSONWebKeySet? {
        var head = HTTPResponse(status: .ok)
        head.headerFields[.contentType] = "application/json"
        guard
            case .success(let response) = outcome({ () throws(OAuthError) in
                try KeySetResponse(head, body: Secret(input), at: "https://as.example/keys")
            })
        else {
            return nil
        }
        return response.keys
    }
}
