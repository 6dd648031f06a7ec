import AuthHubPrimitives
import CredentialStorage

extension CredentialStoreContract {
    static let damageChecks = [
        DurabilityCheck("A damaged record is reported and stays until it is deleted, whatever its version.") { bench, means in
            let version = try await bench.write("whole")
            try await means.damage(bench.account)
            for store in [bench.store, try await bench.anotherHandle()] {
                try await bench.expect(.corrupt) { _ = try await store.read(bench.account) }
                try await bench.expect(.corrupt) {
                    _ = try await store.write(Secret(Array("next".utf8)), for: bench.account, replacing: version)
                }
            }
            try bench.expect(try await bench.store.delete(bench.account, at: nil), "The damaged record was not deleted.")
            try await bench.expect(nil)
            try await bench.write("next")
            try await bench.expect("next")
        },
        DurabilityCheck("An inventory lists damaged records separately, and all other records as usual.") { bench, means in
            guard let store = bench.store as? any CredentialInventory else { return }
            let (whole, damaged) = (bench.account("whole"), bench.account("damaged"))
            for account in [whole, damaged] { try await bench.write("record", account) }
            try await means.damage(damaged)
            let inventory = try await store.inventory()
            try await bench.store.delete(damaged, at: nil)
            try bench.expect(inventory.accounts.contains(whole), "The undamaged record is not in the inventory.")
            try bench.expect(!inventory.accounts.contains(damaged), "The damaged record is listed as readable.")
            try bench.expect(inventory.unreadable.contains { $0.code == .corrupt }, "The damaged record is not counted.")
        },
        DurabilityCheck(
            "A record written by a newer version of the program causes an error, is not replaced and is not treated as missing."
        ) { bench, means in
            let version = try await bench.write("newer")
            try await means.makeNewer(bench.account)
            for expected in [nil, version] {
                try await bench.expect(.tooNew) { _ = try await bench.store.read(bench.account) }
                try await bench.expect(.tooNew) {
                    _ = try await bench.store.write(Secret(Array("older".utf8)), for: bench.account, replacing: expected)
                }
            }
        },
        DurabilityCheck("Neither error contains a payload.") { bench, means in
            for mishap in [means.damage, means.makeNewer] {
                let account = bench.account("canary")
                try await bench.write("canary-in-the-record", account)
                try await mishap(account)
                do {
                    _ = try await bench.store.read(account)
                    throw bench.violation("The record was read without an error.")
                } catch let error as CredentialStoreError {
                    var dumped = "\(error)"
                    dump(error, to: &dumped)
                    try bench.expect(!dumped.contains("canary-in-the-record"), "The error contains the payload.")
                }
                try await bench.store.delete(account, at: nil)
            }
        },
    ]
}
