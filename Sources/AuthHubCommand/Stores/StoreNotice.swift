import CredentialStorage
import PlatformCredentialStorage

/// The notice of a login about tokens that are stored with less protection than in a keyring.
struct StoreNotice: Sendable {
    private let tool: ToolStore
    private let wasChosen: Bool

    /// Creates a notice. Must be called before the first write.
    init(_ options: StoreOptions) throws(Failure) {
        let tool = try Failure.translating { try ToolStore(options.choice) }
        wasChosen = try Failure.translating { try tool.platform.recordedDecision() != nil }
        self.tool = tool
    }

    /// Returns the text; nil if no store was chosen since, or the store needs no notice. Plain files, an unused key file and a weak
    /// connection are mentioned each time.
    func text() async -> String? {
        guard tool.database == nil else { return tool.weakConnection }
        guard let kind = try? tool.platform.decision()?.kind else { return nil }
        let lines = [await place(of: kind), tool.unusedKeyFile(of: kind)].compactMap(\.self)
        return lines.isEmpty ? nil : lines.joined(separator: " ")
    }

    private func place(of kind: CredentialStoreKind) async -> String? {
        guard kind.isBelowKeyring, !wasChosen || kind == .plainFile, let report = try? await tool.platform.report() else { return nil }
        let place = report.chosenStep?.location ?? kind.name
        guard kind == .encryptedFile else { return "The tokens are stored unencrypted in \(place). \(kind.strength)" }
        // If the store was requested by name, none was skipped.
        let reason =
            report.origin == .named
            ? nil : report.passedOver.first.map { " The store \($0.kind) is not available: \($0.reason.explanation)." }
        let key = tool.key(of: kind).map { " \($0.strength)" } ?? ""
        return "The tokens are stored in encrypted files in \(place).\(key)\(reason ?? "") See: authhub store info"
    }
}
