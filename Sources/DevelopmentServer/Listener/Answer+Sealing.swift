import AuthHubPrimitives
import HTTPTypes

extension Answer {
    /// Encrypts the token in the response if the client has registered for encryption. A response without a token is not changed.
    mutating func seal() {
        if let sealIDToken {
            if var members, let token = members["id_token"]?.string, let sealed = sealIDToken(token) {
                members["id_token"] = .string(sealed)
                body = JSONValue.object(members).serialized()
            } else if var parts = callback, let token = parts.parameters["id_token"], let sealed = sealIDToken(token) {
                parts.parameters.set("id_token", to: sealed)
                self = parts.answer
            }
        }
        if let sealBody, status == .ok, let sealed = sealBody(body) {
            headers[.contentType] = "application/jwt"
            body = Array(sealed.utf8)
        }
    }
}
