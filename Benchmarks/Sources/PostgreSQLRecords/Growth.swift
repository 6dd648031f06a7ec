import AuthHubPrimitives
import CredentialStorage
import Measuring
import PostgreSQLCredentialStorage

/// Reads of a few accounts among few and among many, in turns.
struct Growth {
    private static let looked = 200
    private let connection: String
    private let bare: BareClient

    init(_ connection: String) throws {
        self.connection = connection
        bare = try BareClient(connection)
    }

    func measure(sizes: [Int], rounds: Int) async throws {
        let accounts = (0..<Self.looked).map { CredentialAccount(server: "https://server.example", clientID: "client", label: "\($0)") }
        let key = CredentialKeyring.Key(id: "benchmark", material: Secret(randomBytes(count: 32)))
        var stores: [PostgreSQLCredentialStore] = []
        for size in sizes {
            let schema = "authhub_\(size)"
            try bare.run("DROP SCHEMA IF EXISTS \(schema) CASCADE")
            let store = try PostgreSQLCredentialStore(connection: connection, keyring: CredentialKeyring(current: key), schema: schema)
            for account in accounts { _ = try await store.write(Secret([UInt8](repeating: 7, count: 300)), for: account, replacing: nil) }
            let time = try ContinuousClock().measure { try fill(schema, upTo: size) }
            print("\(size) rows written in \(time.components.seconds) s")
            stores.append(store)
        }
        let times = try await Comparison(rounds: rounds).measure(
            stores.map { store in
                { for account in accounts { _ = try await store.read(account) } }
            })
        for index in 1..<sizes.count {
            let each = [times[0], times[index]].map { Double($0.least.nanoseconds) / Double(Self.looked) / 1_000 }
            print(
                "a read from \(sizes[0]) rows: \(each[0].rounded(1)) µs, from \(sizes[index]) rows: \(each[1].rounded(1)) µs,"
                    + " \(times[index].ratio(to: times[0], goal: 1.2))")
        }
        for size in sizes { try bare.run("DROP SCHEMA authhub_\(size) CASCADE") }
    }

    private func fill(_ schema: String, upTo size: Int) throws {
        try bare.run("ALTER TABLE \(schema).records DISABLE TRIGGER USER")
        try bare.run(
            """
            INSERT INTO \(schema).records (account, version, key_id, format, sealed)
            SELECT sha256(n::text::bytea), substring(sha256(n::text::bytea) FOR 16), 'others', 1, decode(repeat(md5(n::text), 22), 'hex')
            FROM generate_series(1, \(size - Self.looked)) AS n ON CONFLICT DO NOTHING
            """)
        try bare.run("ALTER TABLE \(schema).records ENABLE TRIGGER USER")
        try bare.run("ANALYZE \(schema).records")
    }
}
