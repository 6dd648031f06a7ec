import AuthHubPrimitives
import CredentialStorage

extension CredentialStoreContract {
    static let secrecyChecks = [
        Check("Results and errors never contain a payload.") { bench in
            let canary = "canary-\(Base64URL.encode(randomBytes(count: 12)))"
            let version = try await bench.write(canary)
            try expectSecrecy(bench, canary, try await bench.store.read(bench.account) as Any)
            try expectSecrecy(
                bench, canary, try await bench.store.write(Secret(Array(canary.utf8)), for: bench.account, replacing: nil))
            try expectSecrecy(
                bench, canary, try await bench.store.write(Secret(Array(canary.utf8)), for: bench.account, replacing: version))
            do {
                let large = Array(canary.utf8) + [UInt8](repeating: 0, count: StoredCredential.largestPayload)
                try expectSecrecy(bench, canary, try await bench.store.write(Secret(large), for: bench.account, replacing: version))
            } catch let error as CredentialStoreError {
                try expectSecrecy(bench, canary, error)
            }
        }
    ]

    private static func expectSecrecy(_ bench: Bench, _ canary: String, _ value: Any) throws {
        var dumped = ""
        dump(value, to: &dumped)
        let numbers = Array(canary.utf8).description.dropFirst().dropLast()
        for text in [dumped, String(describing: value), String(reflecting: value)] {
            try bench.expect(!text.contains(canary) && !text.contains(numbers), "The result's description contains the payload.")
        }
    }
}
