import AuthHubPrimitives
import CredentialStorage

extension CredentialStoreContract {
    static let conflictChecks = [
        Check("A first write is rejected if there already is a record.") { bench in
            let version = try await bench.write("winner")
            try await expectLoss(bench, replacing: nil, against: version)
            try await bench.expect("winner")
        },
        Check("A write based on an old version is rejected.") { bench in
            let old = try await bench.write("old")
            let new = try await bench.write("winner", replacing: old)
            try await expectLoss(bench, replacing: old, against: new)
            try await bench.expect("winner")
        },
        Check("A write based on a version is rejected if the record was deleted.") { bench in
            let version = try await bench.write("deleted")
            try await bench.store.delete(bench.account, at: version)
            try await expectLoss(bench, replacing: version, against: nil)
            try await bench.expect(nil)
        },
        Check("A record can be deleted at its version, at any version, and if it does not exist.") { bench in
            let version = try await bench.write("first")
            try bench.expect(try await bench.store.delete(bench.account, at: version), "The deletion at its version was rejected.")
            try await bench.expect(nil)
            try await bench.write("second")
            try bench.expect(try await bench.store.delete(bench.account, at: nil), "The deletion at any version was rejected.")
            try await bench.expect(nil)
            for version in [nil, version] {
                try bench.expect(
                    try await bench.store.delete(bench.account, at: version),
                    "The store did not report success for deleting a missing record.")
            }
        },
        Check("A deletion at an old version does not delete the newer record.") { bench in
            let old = try await bench.write("old")
            try await bench.write("new", replacing: old)
            try bench.expect(try await !bench.store.delete(bench.account, at: old), "The newer record was reported as deleted.")
            try await bench.expect("new")
        },
        Check("A record that is deleted and created again gets a version it never had before.") { bench in
            let old = try await bench.write("the same")
            try await bench.store.delete(bench.account, at: old)
            let new = try await bench.write("the same")
            try bench.expect(old != new, "The new record has the version of the deleted one.")
            try await expectLoss(bench, replacing: old, against: new)
            try bench.expect(try await !bench.store.delete(bench.account, at: old), "The new record was deleted at the old version.")
            try await bench.expect("the same")
        },
        Check("Eight concurrent writers that increment a counter by compare-and-set lose no increment.") { bench in
            let steps = 5
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    let store = try await bench.anotherHandle()
                    group.addTask {
                        for _ in 0..<steps { try await increment(bench.account, in: store) }
                    }
                }
                try await group.waitForAll()
            }
            try await bench.expect("\(8 * steps)")
        },
        Check("Concurrent writes to different accounts do not conflict.") { bench in
            let accounts = (0..<8).map { bench.account("account \($0)") }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for account in accounts {
                    group.addTask { try await bench.write(account.label, account) }
                }
                try await group.waitForAll()
            }
            for account in accounts { try await bench.expect(account.label, stands: account) }
        },
    ]

    private static func expectLoss(
        _ bench: Bench, replacing expected: CredentialVersion?, against standing: CredentialVersion?
    ) async throws {
        switch try await bench.store.write(Secret(Array("loser".utf8)), for: bench.account, replacing: expected) {
        case .stored: throw bench.violation("The slower writer's record replaced the faster writer's.")
        case .superseded(let current):
            try bench.expect(current?.version == standing, "The rejected writer received a version other than the current one.")
        }
    }

    /// Increments the number in a record, and starts over whenever another writer was faster.
    private static func increment(_ account: CredentialAccount, in store: any CredentialStore) async throws {
        var current = try await store.read(account)
        while true {
            let number = current.flatMap { Int(String(decoding: $0.payload.reveal(), as: UTF8.self)) } ?? 0
            switch try await store.write(Secret(Array("\(number + 1)".utf8)), for: account, replacing: current?.version) {
            case .stored: return
            case .superseded(let newer): current = newer
            }
        }
    }
}
