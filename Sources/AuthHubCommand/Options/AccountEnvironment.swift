/// What names an account if the command line does not: the environment, the working folder and the stored rules.
struct AccountEnvironment: Sendable {
    var variable: String?
    var folder: FolderAccount?
    var rules = AccountRules()
    /// The reason why one of them cannot be read. A command that would use an account then fails, because another one might be meant.
    var problem: Failure?

    /// The surroundings of the command that is running.
    @TaskLocal static var current = Self()

    /// Whether commands without `--as` may use an account other than `default`.
    var nameAnotherAccount: Bool {
        guard problem == nil else { return true }
        let label = variable ?? folder?.label ?? rules.current ?? AccountOptions.defaultLabel
        return label != AccountOptions.defaultLabel
    }
}
