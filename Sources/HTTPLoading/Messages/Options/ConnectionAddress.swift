/// The IP address that a request's connection goes to, instead of the address that the host name resolves to.
///
/// For loaders that check an address before anything is sent: a name may resolve to another address the second time (DNS rebinding).
/// `Host`, SNI and the certificate check still use the name. If nil, the default, the transport resolves the name. Only `NetworkTransport`
/// uses this option; other transports resolve the name themselves.
public enum ConnectionAddress: RequestOption {
    /// The default: nil, so that the transport resolves the host name.
    public static var defaultValue: String? { nil }
}
