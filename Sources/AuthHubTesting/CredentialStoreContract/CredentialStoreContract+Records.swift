import AuthHubPrimitives
import CredentialStorage

extension CredentialStoreContract {
    static let recordChecks = [
        Check("Reading an account without a record returns nil.") { bench in
            try await bench.expect(nil)
        },
        Check("A record is read back with its version through every handle.") { bench in
            let version = try await bench.write("first")
            for store in [bench.store, try await bench.anotherHandle()] {
                let found = try await store.read(bench.account)
                try bench.expect(found?.payload.reveal() == Array("first".utf8), "Another payload was read.")
                try bench.expect(found?.version == version, "Another version was read.")
            }
        },
        Check("An empty record is stored and read back as empty.") { bench in
            try await bench.write("")
            try await bench.expect("")
        },
        Check("A record is replaced as a whole, and each write has its own version.") { bench in
            let first = try await bench.write("a long record")
            let second = try await bench.write("short", replacing: first)
            let third = try await bench.write("short", replacing: second)
            try bench.expect(Set([first, second, third]).count == 3, "Two writes have the same version.")
            try await bench.expect("short")
        },
        Check("Records of 20 kB and of the largest size are stored byte for byte.") { bench in
            var version: CredentialVersion?
            for size in [20_000, StoredCredential.largestPayload] {
                let payload = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
                version = try await bench.write(payload, bench.account, replacing: version)
                let found = try await bench.store.read(bench.account)
                try bench.expect(found?.payload.reveal() == payload, "A record of \(size) bytes was not read back unchanged.")
            }
        },
        Check("A record above the largest size is rejected, and the old record stays.") { bench in
            let version = try await bench.write("small")
            try await bench.expect(.tooLarge) {
                let payload = [UInt8](repeating: 7, count: StoredCredential.largestPayload + 1)
                try await bench.write(payload, bench.account, replacing: version)
            }
            try await bench.expect("small")
        },
        Check("Exactly the accounts that have a record are listed, each once.") { bench in
            try bench.expect(try await listed(bench).isEmpty, "An account without a record is listed.")
            let accounts = ["a", "b", "c"].map { bench.account($0) }
            for account in accounts { try await bench.write("record", account) }
            try await bench.store.delete(accounts[1], at: nil)
            let found = try await listed(bench)
            try bench.expect(found.count == 2 && Set(found) == [accounts[0], accounts[2]], "Other accounts are listed: \(found).")
        },
        Check("The record of an account's sign-ins is stored separately and not listed.") { bench in
            let (account, signIns) = (bench.account, bench.account.signIns)
            try await bench.write("tokens", account)
            let version = try await bench.write("sign-ins", signIns)
            try await bench.expect("tokens", stands: account)
            try await bench.expect("sign-ins", stands: signIns)
            let found = try await bench.store.accounts()
            try await bench.store.delete(signIns, at: version)
            try bench.expect(found.contains(account), "The account is not listed.")
            try bench.expect(found.allSatisfy { $0 != signIns }, "The sign-ins are listed as an account.")
            try await bench.expect("tokens", stands: account)
        },
        Check("Names can contain any characters, and names that differ in one byte are treated as different.") { bench in
            let accounts = names.flatMap { [bench.account($0), bench.account(client: $0, "name as client")] }
            for (index, account) in accounts.enumerated() { try await bench.write("record \(index)", account) }
            for (index, account) in accounts.enumerated() { try await bench.expect("record \(index)", stands: account) }
            let found = try await listed(bench)
            try bench.expect(
                found.count == accounts.count && Set(found) == Set(accounts), "The list differs from the accounts that were written.")
        },
    ]

    /// Names that are difficult for a store that uses them in paths, patterns or keys.
    private static let names = [
        "", " ", ".", "..", "../../escape", "/etc/passwd", "a/b", "a\\b", "a:b", "a\nb", "a%2Fb", "%", "*", "~", "-rf", "'\";--",
        "octocat", "Octocat", "caf\u{E9}", "cafe\u{301}", "\u{5E9}\u{5DC}\u{5D5}\u{5DD}", "\u{202E}tacotco", "\u{1F511}\u{200D}\u{1F5DD}",
        String(repeating: "long ", count: 1_000),
    ]

    private static func listed(_ bench: Bench) async throws -> [CredentialAccount] {
        try await bench.store.accounts().filter { $0.server == bench.account.server }
    }
}
