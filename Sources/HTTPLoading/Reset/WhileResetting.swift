/// What happens to a request that starts while its chain is being reset.
public enum WhileResetting: Sendable, Hashable, RequestOption {
    /// The request fails with ``LoadError/Code/resetInProgress``.
    case fail
    /// The request starts when the reset has ended. A request from within a reset, of any chain, fails anyway, because the two might wait
    /// for each other.
    case wait

    /// The value for requests without this option: they fail.
    public static var defaultValue: WhileResetting { .fail }
}
