/// How long one sending of a request may take, from the start of the connection to the last byte of the response's body.
///
/// Each redirect, replay and retry starts anew; transports keep it, or an ``AttemptTimeoutLoader`` in front of one that does not. Without
/// the option it is 60 seconds. A time that is used up ends in ``LoadError/Code/timedOut``.
public enum AttemptTimeout: RequestOption {
    public static var defaultValue: Duration { .seconds(60) }
}
