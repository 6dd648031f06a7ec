/// How long one sending of a request may take, from the start of the connection to the last byte of the response's body.
///
/// A redirect or a replay starts anew. Without the option it is 60 seconds. A time that is used up ends in ``LoadError/Code/timedOut``.
public enum Deadline: RequestOption {
    public static var defaultValue: Duration { .seconds(60) }
}
