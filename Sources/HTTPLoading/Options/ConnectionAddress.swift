/// The IP address that a request's connection goes to, instead of what the host's name stands for when the connection is made.
///
/// For loaders that check an address before anything is sent: a name that is resolved a second time may stand for another address by then
/// (DNS rebinding). `Host`, SNI and certificates go by the name all the same. Nil, the default, leaves it to the transport. Only
/// `NetworkTransport` connects to it; other transports resolve the name themselves.
public enum ConnectionAddress: RequestOption {
    public static var defaultValue: String? { nil }
}
