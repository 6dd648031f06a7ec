import AuthHubPrimitives
import CredentialStorage

extension CredentialStoreContract {
    static let deathChecks = [
        DurabilityCheck("The lease of a killed process becomes free within the store's time limit.") { bench, means in
            try await means.dieWithLease(bench.account)
            // A quarter more, and some time for a busy machine. The duration of the call is not measured, because it may be long even if
            // the lease is free.
            let limit = means.leaseOutlivesHolder * 1.25 + .seconds(20)
            try await bench.store.lease(bench.account, waitingAtMost: limit).release()
        },
        DurabilityCheck("A process killed during a write leaves the complete old or new record and blocks no other process.") {
            bench, means in
            for step in means.writingSteps {
                let account = bench.account("write \(step)")
                try await bench.write("old", account)
                try await means.dieWriting("new", account, step)
                try await expectUsable(account, after: step, with: ["old", "new"], bench)
            }
        },
        DurabilityCheck("A process killed during a first write leaves no record or the complete new one and blocks no other process.") {
            bench, means in
            for step in means.writingSteps {
                let account = bench.account("first write \(step)")
                try await means.dieWriting("new", account, step)
                try await expectUsable(account, after: step, with: [nil, "new"], bench)
            }
        },
        DurabilityCheck("A process killed during a deletion leaves the complete record or none and blocks no other process.") {
            bench, means in
            for step in means.deletingSteps {
                let account = bench.account("deletion \(step)")
                try await bench.write("old", account)
                try await means.dieDeleting(account, step)
                try await expectUsable(account, after: step, with: ["old", nil], bench)
            }
        },
    ]

    private static func expectUsable(_ account: CredentialAccount, after step: String, with texts: [String?], _ bench: Bench) async throws {
        let store = try await bench.anotherHandle()
        let stored = try await store.read(account)
        let text = stored.map { String(decoding: $0.payload.reveal(), as: UTF8.self) }
        try bench.expect(texts.contains(text), "After “\(step)” the record is neither the old nor the new one.")
        let version = try await bench.write("next", account, replacing: stored?.version)
        try await bench.expect("next", stands: account)
        try bench.expect(try await store.delete(account, at: version), "After “\(step)” the record could not be deleted.")
    }
}
