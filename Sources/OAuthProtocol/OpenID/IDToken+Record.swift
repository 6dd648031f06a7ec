package import AuthHubPrimitives

extension IDToken {
    /// Reads an ID token that was verified before it was stored. Its signature is not verified again: the keys may have been replaced.
    ///
    /// - Returns: nil if the text is not an ID token.
    package init?(stored text: Secret<String>) {
        let parts = text.reveal().split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64URL.decode(parts[1]), let claims = try? JSONValue(received: bytes).object else {
            return nil
        }
        let reader = ClaimsReader(claims: claims)
        do throws(ClaimProblem) {
            self.init(
                issuer: try reader.text("iss"), subject: try reader.subject(), audience: try reader.audience(),
                issuedAt: try reader.time("iat"), expiresAt: try reader.time("exp"),
                authenticatedAt: try reader.optionalTime("auth_time"), claims: claims, text: text)
        } catch {
            return nil
        }
    }
}
