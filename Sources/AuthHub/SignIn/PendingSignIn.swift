import AuthHubPrimitives
import OAuthProtocol
public import Platform

/// A sign-in that waits for its callback, to be kept in the user's own browser session. It holds secrets, such as the code verifier.
///
/// The value checks everything that the callback says. Your program has to guarantee four things:
///
/// - **It is sealed.** Encrypt and authenticate the encoded value, for example with AES-GCM, and set the cookie `Secure`, `HttpOnly` and
///   `SameSite=Lax`. Anyone who can write the value decides where the code is sent, and anyone who can read it can use a stolen code.
/// - **It is bound to the browser.** Take it only from the browser that sends the callback. A store of all sign-ins, in which the callback's
///   `state` finds the value, signs a victim in as the attacker who sent the link (RFC 6749 §10.12).
/// - **It is used once.** Delete the cookie with the response to the callback. ``AuthorizationServer/finishSignIn(_:as:callback:)`` marks the
///   value as used, but cannot mark another copy. A server that gets the code twice may revoke the tokens (RFC 6749 §4.1.2).
/// - **It belongs to one server.** If your program uses several, give each a separate redirect URI (RFC 9700 §4.4.2.2). A value of another
///   server is rejected.
///
/// The value expires at ``expiresAt``. Once its callback has arrived, it can no longer be encoded.
public struct PendingSignIn: Sendable {
    var authorization: PendingAuthorization
    /// The identity of the server's profile.
    let server: String
    /// The APIs that the tokens are for.
    let resources: [ResourceIndicator]

    /// The time from which the callback is rejected.
    public var expiresAt: Date { authorization.expiresAt }
}

extension PendingSignIn: Codable {
    private enum CodingKeys: String, CodingKey {
        case signIn = "sign_in"
        case server, resources
    }

    /// Decodes a value. Your program must have authenticated the encoded value first.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        server = try members.decode(String.self, forKey: .server)
        let texts = try members.decode([String].self, forKey: .resources)
        resources = texts.compactMap(ResourceIndicator.init)
        let text = try members.decode(String.self, forKey: .signIn)
        do throws(OAuthError) {
            authorization = try PendingAuthorization(serialized: Secret(Array(text.utf8)))
        } catch {
            throw DecodingError.dataCorruptedError(forKey: .signIn, in: members, debugDescription: error.explanation)
        }
        guard resources.count == texts.count else {
            throw DecodingError.dataCorruptedError(forKey: .resources, in: members, debugDescription: "a resource is not a URI")
        }
    }

    /// Encodes the value with its secrets, so the result has to be encrypted.
    ///
    /// - Throws: ``OAuthProtocol/OAuthError`` with `.misuse` if the callback has already arrived.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(String(decoding: authorization.serialized().reveal(), as: UTF8.self), forKey: .signIn)
        try members.encode(server, forKey: .server)
        try members.encode(resources.map(\.text), forKey: .resources)
    }
}

extension PendingSignIn: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "<pending sign-in>" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
