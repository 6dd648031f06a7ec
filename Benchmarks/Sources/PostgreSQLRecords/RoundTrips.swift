import AuthHubPrimitives
import CredentialStorage
import Measuring
import PostgreSQLCredentialStorage

/// A read, and the store's work for a refresh, compared with the same statements through libpq only.
struct RoundTrips {
    private static let schema = "authhub_round_trips"
    private let connection: String
    private let store: PostgreSQLCredentialStore
    private let bare: BareClient
    private let account = CredentialAccount(server: "https://server.example", clientID: "client")
    private let payload = [UInt8](repeating: 7, count: 700)

    init(_ connection: String) throws {
        self.connection = connection
        let key = CredentialKeyring.Key(id: "benchmark", material: Secret(randomBytes(count: 32)))
        store = try PostgreSQLCredentialStore(connection: connection, keyring: CredentialKeyring(current: key), schema: Self.schema)
        bare = try BareClient(connection)
    }

    func measure(rounds: Int, each count: Int) async throws {
        try bare.run("DROP SCHEMA IF EXISTS \(Self.schema) CASCADE")
        try await store.migrate()
        _ = try await store.write(Secret(payload), for: account, replacing: nil)
        try prepare()
        let other = randomBytes(count: 32)
        var version = randomBytes(count: 16)
        try bare.run(prepared: "first", [other, version, payload])
        let times = try await Comparison(rounds: rounds).measure([
            { for _ in 0..<count { try bare.run(prepared: "look", [other]) } },
            { for _ in 0..<count { _ = try await store.read(account) } },
            {
                let next = randomBytes(count: 16)
                try bare.run(prepared: "take", [other, next])
                try bare.run(prepared: "look", [other])
                try bare.run(prepared: "replace", [other, next, payload, version])
                try bare.run(prepared: "release", [other, next])
                version = next
            },
            {
                let lease = try await store.lease(account, waitingAtMost: .zero)
                let standing = try await store.read(account)
                guard case .stored = try await store.write(Secret(payload), for: account, replacing: standing?.version) else {
                    throw BareError.lost
                }
                await lease.release()
            },
        ])
        print("\(count) reads: \(times[1].milliseconds(beside: times[0])), \(times[1].ratio(to: times[0]))")
        print(
            "a refresh (lease, read, compare-and-set, release): \(times[3].milliseconds(beside: times[2])), \(times[3].ratio(to: times[2]))"
        )
    }

    private func prepare() throws {
        let (records, leases) = ("\(Self.schema).records", "\(Self.schema).leases")
        try bare.prepare(
            "first", "INSERT INTO \(records) (account, version, key_id, format, sealed) VALUES ($1::bytea, $2::bytea, 'bare', 1, $3::bytea)"
        )
        try bare.prepare("look", "SELECT account, version, key_id, format, sealed, replaced FROM \(records) WHERE account = $1::bytea")
        try bare.prepare(
            "replace", "UPDATE \(records) SET version = $2::bytea, sealed = $3::bytea WHERE account = $1::bytea AND version = $4::bytea")
        try bare.prepare(
            "take",
            """
            INSERT INTO \(leases) AS lease (account, token, holder, expires_at)
            VALUES ($1::bytea, $2::bytea, 'bare', clock_timestamp() + interval '10 seconds')
            ON CONFLICT (account) DO UPDATE SET token = excluded.token WHERE lease.expires_at <= clock_timestamp()
            """)
        try bare.prepare("release", "DELETE FROM \(leases) WHERE account = $1::bytea AND token = $2::bytea")
    }
}
