import AuthHub
import AuthHubPrimitives
import Platform

/// The human-readable table of accounts.
struct AccountTable {
    private var table = Table(columns: [
        .init(title: "ACCOUNT", tints: [.bold]),
        .init(title: "USER"),
        .init(title: "STATE"),
        .init(title: "TOKEN EXPIRES"),
        .init(title: "SERVER", minimumWidth: 16, keepsEnd: true, tints: [.cyan]),
        .init(title: "CLIENT"),
    ])

    private static let textLimit = 200

    init(_ entries: [AccountOverview.Entry], now: Date) {
        table.rows = entries.map { entry in
            [
                displayable(entry.label, limit: Self.textLimit), entry.user?.shortWords ?? "", entry.state.words,
                Self.end(of: entry, now: now),
                displayable(entry.server ?? "unknown", limit: Self.textLimit),
                displayable(entry.clientID ?? "unknown", limit: Self.textLimit),
            ]
        }
    }

    func rendered(_ style: Style, width: Int?) -> String {
        table.rendered(style, width: width)
    }

    private static func end(of entry: AccountOverview.Entry, now: Date) -> String {
        guard let facts = entry.facts else { return "" }
        return Words.shortExpiry(facts.expiresAt, now: now)
    }
}

extension AccountOverview.Entry.State {
    fileprivate var words: String {
        switch self {
        case .signedIn: "signed in"
        case .renewable: "renewable"
        case .expired: "expired"
        case .revocationPending: "not revoked"
        case .unreadable: "unreadable"
        case .withoutSettings: "no settings"
        }
    }
}
