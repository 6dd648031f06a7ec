extension Persona {
    /// The quirks of the device flow, for devices without a browser (RFC 8628).
    public struct DeviceQuirks: Sendable, Hashable {
        /// The path of the endpoint at which devices request a code.
        public var authorizationPath = "/device_authorization"
        /// The path of the page on which users enter it.
        public var pagePath = "/device"
        /// The lifetime of a code.
        public var lifetime = Duration.seconds(900)
        /// The minimum interval between polls.
        public var interval = Duration.seconds(5)
        /// The member with the URL of ``pagePath``.
        public var addressName = "verification_uri"
        /// Whether responses include a URL with the code.
        public var givesCompleteAddress = true
        /// Whether `slow_down` includes the new interval.
        public var tellsNewInterval = false
        /// Whether a client with a secret may omit it, both here and when it refreshes tokens it got here.
        public var secretMayBeLeftOut = false

        /// Creates the quirks of a server that follows RFC 8628.
        public init() {}
    }

    /// GitHub's quirks.
    static var gitHubDevice: DeviceQuirks {
        var quirks = DeviceQuirks()
        quirks.authorizationPath = "/login/device/code"
        quirks.pagePath = "/login/device"
        quirks.givesCompleteAddress = false
        quirks.tellsNewInterval = true
        quirks.secretMayBeLeftOut = true
        return quirks
    }
}
