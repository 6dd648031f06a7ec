import CredentialStorage
import PlatformCredentialStorage

/// The line that a login says where tokens go to a place that guards them less than a keyring would.
struct StoreNotice: Sendable {
    private let tool: ToolStore
    private let wasChosen: Bool

    /// To be made before the first write.
    init(_ options: StoreOptions) throws(Failure) {
        do {
            tool = try ToolStore(options.choice)
            wasChosen = try tool.platform.recordedDecision() != nil
        } catch {
            throw Failure(error)
        }
    }

    /// Nil if no store was chosen since, or the store needs no notice. Plain files, an unused key file and a weak connection are mentioned each
    /// time.
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
        // By its name, nothing was passed over: it was asked for.
        let reason =
            report.origin == .named
            ? nil : report.passedOver.first.map { " The store \($0.kind) is not available: \($0.reason.explanation)." }
        let key = tool.key(of: kind).map { " \($0.strength)" } ?? ""
        return "The tokens are stored in encrypted files in \(place).\(key)\(reason ?? "") See: authhub store info"
    }
}
