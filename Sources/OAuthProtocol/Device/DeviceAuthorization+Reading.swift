package import AuthHubPrimitives
package import HTTPTypes
package import Platform

extension DeviceAuthorization {
    /// Reads the response of a device authorization endpoint.
    ///
    /// `verification_url` is accepted for `verification_uri`, and `expires_in` may be a string. An `interval` that is not a number above 0
    /// means the 5 seconds of RFC 8628 §3.2, and one below a second means a second.
    ///
    /// - Parameter now: The time of the response, for a `Retry-After` with a date; if nil, only seconds are read.
    /// - Throws: ``OAuthError``: `.serverRejected` if the server returned an error, whatever the status; `.invalidResponse` if a code, the
    ///   URL or the lifetime is missing or unusable. The error contains nothing from the body.
    package init(
        _ head: HTTPResponse, body: Secret<[UInt8]>, to request: DeviceAuthorizationRequest, from server: ProviderProfile,
        at now: Date? = nil
    ) throws(OAuthError) {
        let members = try ResponseReader(request: request.message, server: server, now: now).members(of: head, body: body)
        deviceCode = Secret(try Self.text("device_code", in: members))
        userCode = displayable(try Self.text("user_code", in: members), limit: Self.userCodeLimit + 1)
        guard !userCode.isEmpty, userCode.unicodeScalars.count <= Self.userCodeLimit else {
            throw OAuthError(.invalidResponse, "the user_code has invisible characters or is longer than \(Self.userCodeLimit) characters")
        }
        let name = members["verification_uri"]?.string == nil ? "verification_url" : "verification_uri"
        let address = try Self.text(name, in: members, as: "verification_uri")
        verificationURI = VerificationURI(address, transport: server.transport)
        let complete = members["verification_uri_complete"]?.string ?? members["verification_url_complete"]?.string
        let redaction = request.message.redaction
        guard [userCode, address, complete ?? ""].allSatisfy({ redaction.applied(to: $0).hasSameBytes(as: $0) }) else {
            throw OAuthError(.invalidResponse, "the device authorization's user_code or URL repeats a secret of the request")
        }
        completeVerificationURI = complete.flatMap { $0.isEmpty ? nil : VerificationURI($0, transport: server.transport) }
        guard let seconds = Self.seconds(members["expires_in"], mayBeText: true) else {
            throw OAuthError(.invalidResponse, "the device authorization's expires_in is not a positive number of seconds")
        }
        lifetime = seconds
        // A form has only strings.
        let isForm = head.headerFields[.contentType]?.lowercased().contains("json") == false && body.reveal().first != UInt8(ascii: "{")
        switch members["interval"] {
        case nil, .null:
            (interval, diagnostics) = (Self.defaultInterval, [])
        case let value:
            let seconds = Self.seconds(value, mayBeText: isForm)
            interval = max(seconds ?? Self.defaultInterval, Self.shortestInterval)
            diagnostics = seconds == nil ? ["the device authorization's interval is not a positive number; using 5 seconds"] : []
        }
        scope = request.scope
        self.members = Secret(members)
    }

    static let defaultInterval = Duration.seconds(5)
    /// The minimum interval, whatever the server says: polling without a pause would overload the machine and the network.
    static let shortestInterval = Duration.seconds(1)
    private static let userCodeLimit = 100
    private static let longest = 2_147_483_648.0

    private static func text(_ name: String, in members: JSONObject, as known: String? = nil) throws(OAuthError) -> String {
        guard let text = members[name]?.string, !text.isEmpty else {
            throw OAuthError(
                .invalidResponse, "the device authorization has no \(known ?? name), or it is empty or not a string")
        }
        return text
    }

    private static func seconds(_ value: JSONValue?, mayBeText: Bool) -> Duration? {
        let seconds: Double? =
            switch value {
            case .number(let number): number.double
            case .string(let text) where mayBeText: Double(text)
            default: nil
            }
        guard let seconds, !seconds.isNaN, seconds > 0 else { return nil }
        return .seconds(min(seconds, longest))
    }
}
