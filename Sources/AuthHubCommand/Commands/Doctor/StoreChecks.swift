import CredentialStorage
import PlatformCredentialStorage

/// The checks of the keyring, the store and its key.
enum StoreChecks {
    private static let info = "authhub store info"

    static func findings(_ options: StoreOptions) async -> [Finding] {
        do throws(Failure) {
            let report = try await StoreReport.read(options)
            return [keyring(report.choice), store(report, await trial(report, options)), key(report)].compactMap(\.self)
        } catch {
            return [.fail("store", error.message, next: info)]
        }
    }

    /// Returns the state of the keyring; nil if the store is a database.
    static func keyring(_ choice: StoreChoiceReport?) -> Finding? {
        guard let step = choice?.steps.first(where: { $0.kind == .secretService }) else { return nil }
        switch step.standing {
        case .usable: return .ok("keyring", "the keyring is ready")
        case .needsPerson(let reason):
            return .warn("keyring", reason.explanation, next: "authhub store test --store secret-service")
        // If the keyring is the chosen store, the check of the store fails.
        case .absent(let reason): return .warn("keyring", reason.explanation, next: info)
        case .unclear(let reason): return .fail("keyring", reason.explanation, next: info)
        }
    }

    /// Writes a temporary record and deletes it, if a store is chosen and can be used without asking the user.
    ///
    /// - Returns: What failed; nil if nothing did, or nothing was tried.
    private static func trial(_ report: StoreReport, _ options: StoreOptions) async -> CredentialStoreError? {
        guard report.problem == nil, report.choice?.origin != .next, let store = try? ToolStore.open(options) else { return nil }
        return await StoreTrial(store: store).perform().last?.problem
    }

    /// - Parameter trial: What failed when the store was tried.
    static func store(_ report: StoreReport, _ trial: CredentialStoreError? = nil) -> Finding {
        guard let kind = report.kind else { return .fail("store", "no store for tokens is available", next: info) }
        let place = report.location.map { " in \($0)" } ?? ""
        if let problem = report.problem, problem.code != .keyMissing {
            return .fail("store", "\(kind.name)\(place): \(problem.explanation)", next: info)
        }
        if let trial { return .fail("store", "\(kind.name)\(place): \(trial.explanation)", next: "authhub store test") }
        if report.unreadableCount > 0, report.problem == nil {
            let count = Words.count(report.unreadableCount, "record")
            return .fail("store", "\(kind.name)\(place): \(count) cannot be read", next: "authhub store list")
        }
        if let source = report.choice?.movingFrom {
            return .warn("store", "a move of the tokens is not finished", next: "authhub store migrate \(source) \(kind)")
        }
        if let warning = report.weakConnection { return .warn("store", warning, next: info) }
        if kind == .plainFile {
            return .warn("store", "the tokens are stored unencrypted\(place)", next: "authhub store migrate plain file")
        }
        return .ok("store", "\(kind.name)\(place), \(Words.count(report.accountCount ?? 0, "account"))")
    }

    /// Returns the state of the key; nil for a store without one.
    static func key(_ report: StoreReport) -> Finding? {
        if let problem = report.problem, problem.code == .keyMissing { return .fail("key", problem.explanation, next: info) }
        guard let key = report.key else { return nil }
        guard !key.leavesOutKeyFile else {
            return .warn("key", "AUTHHUB_KEY_FILE is set but not used; the key is from \(key.source)", next: "authhub store rekey key-file")
        }
        return .ok("key", "\(key.source): \(key.strength)")
    }
}
