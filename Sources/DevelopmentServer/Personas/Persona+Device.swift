extension Persona {
    /// The quirks of the device flow, for devices without a browser (RFC 8628).
    package struct DeviceQuirks: Sendable, Hashable {
        /// The path of the endpoint at which devices request a code.
        package var authorizationPath = "/device_authorization"
        /// The path of the page on which users enter it.
        package var pagePath = "/device"
        /// The lifetime of a code.
        package var lifetime = Duration.seconds(900)
        /// The minimum interval between polls.
        package var interval = Duration.seconds(5)
        /// The member with the URL of ``pagePath``.
        package var addressName = "verification_uri"
        /// Whether responses include a URL with the code.
        package var givesCompleteAddress = true
        /// Whether `slow_down` includes the new interval.
        package var tellsNewInterval = false
        /// Whether a client with a secret may omit it, both here and when it refreshes tokens it got here.
        package var secretMayBeLeftOut = false

        /// Creates the quirks of a server that follows RFC 8628.
        package init() {}
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
