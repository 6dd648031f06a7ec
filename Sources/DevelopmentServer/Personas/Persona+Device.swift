extension Persona {
    /// How people sign in on devices without a browser (RFC 8628).
    public struct DeviceQuirks: Sendable, Hashable {
        /// Where devices ask for a code.
        public var authorizationPath = "/device_authorization"
        /// Where people enter it.
        public var pagePath = "/device"
        /// For how long a code is good.
        public var lifetime = Duration.seconds(900)
        /// How far apart polls have to be.
        public var interval = Duration.seconds(5)
        /// The member that tells ``pagePath``.
        public var addressName = "verification_uri"
        /// Whether answers have an address with the code in it.
        public var givesCompleteAddress = true
        /// Whether `slow_down` tells the new interval.
        public var tellsNewInterval = false
        /// Whether a client that has a secret need not send it, neither here nor to refresh what it got here.
        public var secretMayBeLeftOut = false

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
