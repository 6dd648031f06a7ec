import AuthHubPrimitives
import JOSE
import Platform

extension OAuthClient {
    /// Decrypts a message if the client registered for encryption.
    ///
    /// - Parameters:
    ///   - encryption: The registered encryption; nil if the message must not be encrypted.
    ///   - name: The name of the message for errors, such as `the ID token`.
    /// - Returns: The content, which is not trusted: anyone can encrypt a message. The message itself if it is not encrypted.
    /// - Throws: ``OAuthError`` with `.securityCheckFailed`. If the message cannot be decrypted, the error is always the same (RFC 7516
    ///   §11.5). It has no `JOSEError`, because other keys of the server would not help.
    func opened(
        _ text: Secret<String>, as encryption: OpenIDRegistration.Encryption?, called name: String, at now: Date
    ) throws(OAuthError) -> Secret<String> {
        let isEncrypted = text.reveal().count(of: UInt8(ascii: ".")) == 4
        guard let encryption else {
            guard !isEncrypted else { throw Self.rejected(name, "it is encrypted, although the client did not register for encryption") }
            return text
        }
        guard isEncrypted else { throw Self.rejected(name, "it is not encrypted, although the client registered for encryption") }
        do throws(JOSEError) {
            let message = try JSONWebEncryption(text)
            // RFC 7519 §5.2. Not every server sends it.
            guard message.header.contentType.map({ ["jwt", "application/jwt"].contains($0.lowercased()) }) ?? true else {
                throw JOSEError(.notAllowed, "the header has the cty of another kind of content")
            }
            let content = try message.decrypted(by: decryptionKeys(for: encryption, at: now), allowing: encryption.policy)
            return Secret(String(decoding: content.reveal(), as: UTF8.self))
        } catch {
            throw Self.rejected(name, error.explanation)
        }
    }

    /// Checks that messages can be decrypted, before the user is asked for anything.
    ///
    /// - Throws: ``OAuthError`` with `.misuse` if an algorithm is not supported, or if there is no key.
    func checkDecryption(as encryption: OpenIDRegistration.Encryption?, called name: String, at now: Date) throws(OAuthError) {
        guard let encryption else { return }
        guard encryption.algorithm.isSupported, encryption.content.isSupported else {
            throw OAuthError(
                .misuse, "the registered encryption of \(name) is not supported; register another algorithm")
        }
        guard !decryptionKeys(for: encryption, at: now).isEmpty else {
            throw OAuthError(.misuse, "the client registered for encrypted \(name), but has no key to decrypt them; set its keys")
        }
    }

    private func decryptionKeys(for encryption: OpenIDRegistration.Encryption, at now: Date) -> [DecryptionKey] {
        let own = keys?.decryptionKeys(at: now) ?? []
        // OpenID Connect Core 1.0 §10.2: symmetric keys are derived from the client secret.
        let shared = secret.flatMap { try? DecryptionKey(clientSecret: $0, for: encryption.algorithm, with: encryption.content) }
        return own + (shared.map { [$0] } ?? [])
    }

    private static func rejected(_ name: String, _ reason: String) -> OAuthError {
        OAuthError(.securityCheckFailed, "\(name) was rejected: \(reason)")
    }
}
