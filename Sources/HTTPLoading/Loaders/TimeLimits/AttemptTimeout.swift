/// The timeout of one attempt, from the start of the connection to the last byte of the response's body; 60 seconds by default.
///
/// The time starts again with each redirect, replay and retry. The transport enforces the timeout; for a transport that does not, use an
/// ``AttemptTimeoutLoader``. When the time is over, the attempt fails with ``LoadError/Code/timedOut``.
public enum AttemptTimeout: RequestOption {
    /// The timeout of requests without this option: 60 seconds.
    public static var defaultValue: Duration { .seconds(60) }
}
