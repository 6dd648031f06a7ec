import AuthHub
import AuthHubPrimitives
import CredentialStorage
import PlatformCredentialStorage

/// The records of one store.
struct StoreContents: Sendable {
    let kind: CredentialStoreKind
    /// The accounts, sorted by server, client and label.
    let accounts: [CredentialAccount]
    let unreadable: [CredentialStoreError]
    /// The reason why the store was not opened.
    let problem: CredentialStoreError?
    /// Whether other commands use this store.
    var isInUse = false
}

extension StoreContents {
    /// Returns the contents of all stores of this machine, or of the one that is named. Does not ask the user.
    static func all(_ options: StoreOptions) async throws(Failure) -> [Self] {
        do {
            let tool = try ToolStore(options.choice)
            if tool.database != nil { return [await read(.postgreSQL) { () throws(CredentialStoreError) in try tool.store() }] }
            var lists: [Self] = []
            let report = try await tool.platform.report()
            for step in report.steps where report.origin != .named || options.choice == nil || step.kind == report.chosen {
                var list: Self
                if let reason = step.standing.reason {
                    list = Self(kind: step.kind, accounts: [], unreadable: [], problem: reason)
                } else {
                    list = await read(step.kind) { () throws(CredentialStoreError) in try tool.platform.store(of: step.kind) }
                }
                list.isInUse = step.kind == report.chosen && report.origin != .next
                lists.append(list)
            }
            return lists
        } catch {
            throw Failure(error)
        }
    }

    private static func read(
        _ kind: CredentialStoreKind, _ open: () throws(CredentialStoreError) -> any CredentialInventory
    ) async -> Self {
        do throws(CredentialStoreError) {
            let inventory = try await open().inventory(includingUnlisted: true)
            let accounts = inventory.accounts.sorted { $0.identity.lexicographicallyPrecedes($1.identity) }
            return Self(kind: kind, accounts: accounts, unreadable: inventory.unreadable, problem: nil)
        } catch {
            return Self(kind: kind, accounts: [], unreadable: [], problem: error)
        }
    }

    var json: JSONValue {
        [
            "store": .string(kind.name),
            "records": .array(
                accounts.map { account in
                    [
                        "kind": .string(account.recordKind.replacing("-", with: "_")), "server": .string(account.server),
                        "client_id": .string(account.clientID),
                        "account": .string(account.label),
                    ]
                }),
            "unreadable": .array(unreadable.map(\.json)),
            "problem": problem?.json ?? .null,
        ]
    }
}

extension CredentialAccount {
    /// The kind of its record.
    var recordKind: String {
        if isListed { return "tokens" }
        return switch server {
        case AccountSettings.recordAccount(label: label).server: "settings"
        case RegistrationKey.server: "registration"
        case ClientBook.server: "client"
        case _ where server.hasPrefix("authhub:sign-ins:"): "sign-ins"
        case _ where server.hasPrefix("authhub:sign-outs:"): "sign-out"
        default: "other"
        }
    }
}
