/// The maximum time of one attempt, from the start of the connection to the last byte of the response's body.
///
/// The time starts again for each redirect, replay and retry. The transport enforces it, or an ``AttemptTimeoutLoader`` in front of a
/// transport that does not. The default is 60 seconds. When the time is over, the attempt fails with ``LoadError/Code/timedOut``.
public enum AttemptTimeout: RequestOption {
    /// The timeout of requests without this option: 60 seconds.
    public static var defaultValue: Duration { .seconds(60) }
}
