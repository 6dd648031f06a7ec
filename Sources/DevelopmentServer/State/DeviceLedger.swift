import AuthHubPrimitives
import Platform

/// The issued device codes, and the users' decisions about them.
struct DeviceLedger: Sendable {
    /// The request of a device.
    struct Request: Sendable {
        let clientID: String
        let scope: [String]
        /// The APIs that the tokens are for (RFC 8707); empty for all.
        let resources: [String]
        /// `authorization_details` (RFC 9396).
        let details: JSONValue?
        let userCode: String
        let expiresAt: Date
        fileprivate var interval: Duration
        fileprivate var polledAt: Date?
        fileprivate var decision = Decision.none
    }

    fileprivate enum Decision: Sendable {
        case none, denied, allowed(AuthorizationGrant)
    }

    /// The reason why a poll returns no tokens (RFC 8628 §3.5).
    enum Refusal: Error, Hashable, Sendable {
        case unknown, pending, expired, denied
        /// The device asks for tokens for an API that was not granted (RFC 8707 §2.2).
        case resourceNotGranted
        case tooSoon(newInterval: Duration)
    }

    private var requests = LimitedTable<Secret<String>, Request>(limit: 10_000)
    private var deviceCodes = LimitedTable<Secret<String>, Secret<String>>(limit: 10_000)
}

extension DeviceLedger {
    mutating func open(
        clientID: String, scope: [String], resources: [String] = [], details: JSONValue? = nil,
        quirks: Persona.DeviceQuirks, at now: Date
    ) -> (deviceCode: String, userCode: String) {
        let deviceCode = Base64URL.encode(randomBytes(count: 30))
        var userCode = Self.userCode()
        while deviceCodes[Secret(Self.normalized(userCode))] != nil { userCode = Self.userCode() }
        requests[Secret(deviceCode)] = Request(
            clientID: clientID, scope: scope, resources: resources, details: details, userCode: userCode, expiresAt: now + quirks.lifetime,
            interval: quirks.interval)
        deviceCodes[Secret(Self.normalized(userCode))] = Secret(deviceCode)
        return (deviceCode, userCode)
    }

    /// Returns the request that waits for a decision about this code, however the user has typed it.
    func request(userCode: String, at now: Date) -> Request? {
        guard let deviceCode = deviceCodes[Secret(Self.normalized(userCode))], let request = requests[deviceCode], now < request.expiresAt,
            case .none = request.decision
        else { return nil }
        return request
    }

    /// Records a decision.
    ///
    /// - Parameter grant: nil if the user denies access.
    /// - Returns: False if no request waits for a decision any more.
    mutating func decide(userCode: String, _ grant: AuthorizationGrant?, at now: Date) -> Bool {
        let key = Secret(Self.normalized(userCode))
        guard var request = request(userCode: userCode, at: now), let deviceCode = deviceCodes[key] else { return false }
        request.decision = grant.map { .allowed($0) } ?? .denied
        requests[deviceCode] = request
        deviceCodes[key] = nil
        return true
    }

    /// Handles the poll of a device. A grant is returned only once.
    mutating func poll(_ deviceCode: String, clientID: String, resources: [String] = [], at now: Date) throws(Refusal) -> AuthorizationGrant
    {
        let key = Secret(deviceCode)
        guard var request = requests[key], request.clientID == clientID else { throw .unknown }
        guard now < request.expiresAt else { throw .expired }
        let last = request.polledAt
        request.polledAt = now
        if let last, now < last + request.interval {
            request.interval += .seconds(5)
            requests[key] = request
            throw .tooSoon(newInterval: request.interval)
        }
        requests[key] = request
        switch request.decision {
        case .none: throw .pending
        case .denied: throw .denied
        case .allowed(let grant):
            guard grant.resources.isEmpty || Set(resources).isSubset(of: grant.resources) else { throw .resourceNotGranted }
            requests[key] = nil
            return grant
        }
    }
}

extension DeviceLedger {
    /// Normalizes a code as users type it: in any case, with or without dashes and spaces (RFC 8628 §6.1).
    private static func normalized(_ userCode: String) -> String {
        String(decoding: userCode.utf8.filter { $0.isASCIILetter || $0.isASCIIDigit }, as: UTF8.self).uppercased()
    }

    /// Generates a code from the letters of RFC 8628 §6.1: without vowels, so that it does not form words.
    private static func userCode() -> String {
        var generator = SystemRandomNumberGenerator()
        let text = (0..<8).map { _ in letters[Int.random(in: letters.indices, using: &generator)] }
        return String(text[..<4]) + "-" + String(text[4...])
    }

    private static let letters = Array("BCDFGHJKLMNPQRSTVWXZ")
}
