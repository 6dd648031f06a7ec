import AuthHubPrimitives
import CredentialStorage
import PlatformCredentialStorage

/// The store of the tokens, the reason for it, and its protection.
struct StoreReport: Sendable {
    /// The choice; nil for the database.
    let choice: StoreChoiceReport?
    let kind: CredentialStoreKind?
    let location: String?
    let key: KeyReport?
    /// A warning about the connection to the database; nil if there is none.
    let weakConnection: String?
    /// The number of accounts; nil if the records could not be listed, for the reason in ``problem``, or no store is chosen.
    let accountCount: Int?
    let unreadableCount: Int
    let problem: CredentialStoreError?

    /// The source of the key of encrypted files.
    struct KeyReport: Sendable {
        let source: String
        let strength: String
        /// Whether `AUTHHUB_KEY_FILE` is set, and names a different source than this one.
        let leavesOutKeyFile: Bool
    }
}

extension StoreReport {
    /// Reads the report. Does not ask the user, and changes nothing.
    static func read(_ options: StoreOptions) async throws(Failure) -> Self {
        do {
            let tool = try ToolStore(options.choice)
            let choice = tool.database == nil ? try await tool.platform.report() : nil
            let kind = tool.database == nil ? choice?.chosen : .postgreSQL
            let (count, unreadable, problem) = await count(tool, choice)
            return Self(
                choice: choice, kind: kind, location: choice?.chosenStep?.location, key: tool.key(of: kind),
                weakConnection: tool.weakConnection, accountCount: count, unreadableCount: unreadable, problem: problem)
        } catch {
            throw Failure(error)
        }
    }

    private static func count(_ tool: ToolStore, _ choice: StoreChoiceReport?) async -> (Int?, Int, CredentialStoreError?) {
        // Listing a locked store would ask the user to unlock it.
        if let step = choice?.chosenStep, let reason = step.standing.reason { return (nil, 0, reason) }
        do {
            let inventory = try await tool.store().inventory()
            // Problems with records that are not lost, such as a missing key.
            let problem = inventory.unreadable.first { !$0.asksForReplacement }
            return (inventory.accounts.count, inventory.unreadable.count, problem)
        } catch {
            return (nil, 0, error)
        }
    }
}

extension StoreReport {
    var json: JSONValue {
        [
            "store": kind.map { .string($0.name) } ?? .null,
            "origin": choice.map { .string($0.origin.rawValue) } ?? "named",
            "moving_from": (choice?.movingFrom).map { .string($0.name) } ?? .null,
            "location": location.map(JSONValue.string) ?? .null,
            "strength": kind.map { .string($0.strength) } ?? .null,
            "key": key.map {
                ["source": .string($0.source), "strength": .string($0.strength), "leaves_out_key_file": .bool($0.leavesOutKeyFile)]
            }
                ?? .null,
            "weak_connection": weakConnection.map(JSONValue.string) ?? .null,
            "accounts": accountCount.map { .number(JSONNumber(Int64($0))) } ?? .null,
            "unreadable": .number(JSONNumber(Int64(unreadableCount))),
            "problem": problem?.json ?? .null,
            "steps": .array(choice?.steps.map(\.json) ?? []),
        ]
    }

    func text(_ style: Style, width: Int?) -> String {
        var lines: [(String, String)] = [("store", style(kind?.name ?? "none", .bold))]
        if let location { lines.append(("where", displayable(location, limit: 2_000))) }
        lines.append(("chosen", choice?.origin.words ?? "by name, with --store or AUTHHUB_STORE"))
        if let kind { lines.append(("strength", kind.strength)) }
        if let key { lines.append(("key", "\(key.source): \(key.strength)")) }
        if let key, key.leavesOutKeyFile {
            lines.append(("", style("AUTHHUB_KEY_FILE is set but not used: authhub store rekey key-file switches to it", .yellow)))
        }
        if let weakConnection { lines.append(("connection", style(weakConnection, .yellow))) }
        if let accountCount { lines.append(("accounts", String(accountCount))) }
        if unreadableCount > 0 {
            lines.append(("unreadable", style(Words.count(unreadableCount, "record") + ": authhub store list", .yellow)))
        }
        if let problem {
            lines.append(
                ("problem", style("\(problem.code.description.codeInWords): \(displayable(problem.explanation, limit: 2_000))", .yellow)))
        }
        if let kind, let source = choice?.movingFrom {
            lines.append(("moving", style("not finished: authhub store migrate \(source) \(kind)", .yellow)))
        }
        guard let choice else { return style.facts(lines) }
        var table = Table(columns: [
            .init(title: "STORE", tints: [.bold]), .init(title: "STATE"), .init(title: "CHOSEN"), .init(title: "LOCATION OR REASON"),
        ])
        table.rows = choice.steps.map { step in
            let mark = step.kind == choice.chosen ? (choice.origin == .next ? "next" : "yes") : step.isAutomatic ? "no" : "only by name"
            return [
                step.kind.name, step.standing.words, mark, displayable(step.standing.reason?.explanation ?? step.location, limit: 2_000),
            ]
        }
        return style.facts(lines) + "\n\n" + table.rendered(style, width: nil)
    }
}

extension StoreChoiceReport.Step {
    fileprivate var json: JSONValue {
        [
            "store": .string(kind.name), "state": .string(standing.word), "automatic": .bool(isAutomatic),
            "location": .string(location), "reason": standing.reason?.json ?? .null,
        ]
    }
}

extension CredentialStoreError {
    /// The output for `-o json`; contains no part of a record.
    var json: JSONValue {
        ["code": .string(code.description), "explanation": .string(displayable(explanation, limit: 2000))]
    }
}
