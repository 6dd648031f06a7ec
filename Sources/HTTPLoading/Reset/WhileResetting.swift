/// What happens to a request that starts while its chain is being reset.
public enum WhileResetting: Sendable, Hashable, RequestOption {
    /// The request fails with ``LoadError/Code/resetInProgress``.
    case fail
    /// The request waits until the reset has ended. A request that is sent by a reset itself, of any chain, fails nevertheless, because the
    /// request and the reset might wait for each other.
    case wait

    /// The value for requests without this option: they fail.
    public static var defaultValue: WhileResetting { .fail }
}
