import AuthHubPrimitives
import OAuthProtocol

/// The account that a command uses, and the rule that chose it.
struct AccountChoice: Sendable, Equatable {
    /// The rules, in the order in which they are tried.
    enum Rule: Sendable, Equatable {
        /// `--as`.
        case option
        /// `AUTHHUB_ACCOUNT`.
        case variable
        /// The working folder or one above it.
        case folder(FolderAccount.Place)
        /// An address that the user has bound to the account.
        case binding(AccountRules.Binding)
        /// The origin of the request, which belongs to no other account.
        case origin(Origin)
        /// `accounts use`.
        case current
        /// There is no other account.
        case only
        /// The label of accounts that were signed in without one.
        case usual
    }

    let label: String
    let rule: Rule

    /// Whether the user named the account.
    var isNamed: Bool { rule == .option || rule == .variable }

    /// The choice for the command that is running; nil if it uses no account.
    @TaskLocal static var made: Self?

    /// Whether the user named the account of the command that is running.
    static var isNamed: Bool { made?.isNamed ?? false }
}

extension AccountOptions {
    /// Like ``suffix``, but names an account only if the user has named it.
    var chosenSuffix: String { AccountChoice.isNamed ? suffix : storage.suffix }
}

/// Everything that decides which account a command uses.
struct AccountSituation: Sendable {
    /// An account, with the origins that receive its token.
    struct Candidate: Sendable, Equatable {
        let label: String
        var origins: Set<Origin> = []
        /// The only resource that receives the token; nil for whole origins.
        var resource: ResourceIndicator?

        /// Whether the account's token is for requests to a target.
        func serves(_ target: RequestTarget) -> Bool {
            guard let origin = Origin(target) else { return false }
            return resource?.contains(origin, path: target.path) ?? origins.contains(origin)
        }
    }

    /// The label after `--as`.
    var option: String?
    /// The label in `AUTHHUB_ACCOUNT`.
    var variable: String?
    /// The account of the working folder.
    var folder: FolderAccount?
    /// The rules that the user has stored.
    var rules = AccountRules()
    /// The URL of the request; nil if the command does not send one.
    var target: RequestTarget?
    /// The accounts that exist; empty if they make no difference. They need their origins only if there is a target.
    var accounts: [Candidate] = []
}

extension AccountSituation {
    /// Chooses the account. The first rule that names one decides.
    ///
    /// The names in a folder and in stored rules must be those of existing accounts. The commands themselves report unknown names after
    /// `--as` and in `AUTHHUB_ACCOUNT`.
    ///
    /// - Throws: ``Failure`` if a rule names an account that does not exist, or several accounts have the origin of the request.
    func choice() throws(Failure) -> AccountChoice {
        if let option { return AccountChoice(label: option, rule: .option) }
        if let variable { return AccountChoice(label: variable, rule: .variable) }
        if let folder {
            guard exists(folder.label) else { throw unknown(folder.label, in: folder.place.words, hint: folder.place.advice) }
            return AccountChoice(label: folder.label, rule: .folder(folder.place))
        }
        let owners = target.map { accounts.owners(of: $0) } ?? []
        if let target, let binding = rules.binding(for: target) {
            guard exists(binding.account) else {
                throw unknown(
                    binding.account, in: "the binding of \(binding.address)", hint: "authhub accounts unbind\(binding.options)")
            }
            return AccountChoice(label: binding.account, rule: .binding(binding))
        }
        if let only = owners.first, owners.count == 1, let origin = target.flatMap({ Origin($0) }) {
            return AccountChoice(label: only, rule: .origin(origin))
        }
        let current =
            if let label = rules.current {
                AccountChoice(label: label, rule: .current)
            } else if target == nil, accounts.count == 1, !exists(AccountOptions.defaultLabel) {
                AccountChoice(label: accounts[0].label, rule: .only)
            } else {
                AccountChoice(label: AccountOptions.defaultLabel, rule: .usual)
            }
        guard owners.isEmpty || owners.contains(current.label) else { throw ambiguous(owners) }
        return current
    }

    private func exists(_ label: String) -> Bool { accounts.contains { $0.label == label } }

    private func unknown(_ label: String, in place: String, hint: String) -> Failure {
        let others = accounts.isEmpty ? "" : "; the accounts are \(accounts.map(\.label).joined(separator: ", "))"
        return Failure(
            "unknown_account", .failed, "\(place) names the account “\(label)”, which does not exist\(others)",
            hint: "\(hint); or add --as NAME")
    }

    private func ambiguous(_ labels: [String]) -> Failure {
        let origin = target.flatMap { Origin($0) }.map(\.description) ?? ""
        let host = origin.hasPrefix("https://") ? String(origin.dropFirst("https://".count)) : origin
        let resources = accounts.filter { labels.contains($0.label) }.compactMap(\.resource)
        let path = resources.count == labels.count ? resources.first.flatMap { RequestTarget($0.text) }?.path : nil
        let option = path.map { $0 == "/" ? "" : " --path \($0.shellWord)" } ?? ""
        return Failure(
            "ambiguous_account", .usage,
            "several accounts have a token for \(resources.first.map(\.text) ?? origin): \(labels.joined(separator: ", "))",
            hint: "add --as NAME, or choose one for this server: authhub accounts bind NAME --host \(host.shellWord)\(option)")
    }
}

extension [AccountSituation.Candidate] {
    /// Returns the accounts whose tokens are for a target: those for the nearest resource around it, or else those for its origin.
    func owners(of target: RequestTarget) -> [String] {
        let serving = filter { $0.serves(target) }
        let nearest = serving.compactMap { $0.resource?.text.utf8.count }.max()
        return serving.filter { $0.resource?.text.utf8.count == nearest }.map(\.label)
    }
}

extension AccountChoice.Rule {
    /// The machine-readable name.
    var name: String {
        switch self {
        case .option: "option"
        case .variable: "variable"
        case .folder(.rules): "folder"
        case .folder(.git): "git"
        case .binding: "binding"
        case .origin: "origin"
        case .current: "current"
        case .only: "only"
        case .usual: "default"
        }
    }

    /// The reason for the choice, in words; nil if the user knows it, because the account was typed or there is nothing to choose.
    var words: String? {
        switch self {
        case .option, .only, .usual: nil
        case .variable: "AUTHHUB_ACCOUNT"
        case .folder(let place): place.words
        case .binding(let binding): "the binding of \(binding.address)"
        case .origin(let origin): "\(origin), which belongs to no other account"
        case .current: "authhub accounts use"
        }
    }
}
