/// What becomes of a load that is asked for while its chain is being reset.
public enum WhileResetting: Sendable, Hashable, RequestOption {
    /// It ends in ``LoadError/Code/resetInProgress``.
    case fail
    /// It begins when the reset has ended.
    case wait

    public static var defaultValue: WhileResetting { .fail }
}
