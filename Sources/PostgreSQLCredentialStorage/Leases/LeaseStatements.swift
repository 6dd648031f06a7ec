#if PostgreSQL
/// The statements about leases. They only use the server's time: this program only sends the duration of a lease.
struct LeaseStatements: Sendable {
    let take: Statement
    let wish: Statement
    let renew: Statement
    let release: Statement

    init(_ schema: Schema) {
        let leases = schema.leases
        take = Statement(
            name: "take lease",
            text: """
                INSERT INTO \(leases) AS lease (account, token, holder, expires_at)
                VALUES ($1::bytea, $2::bytea, $3::text, clock_timestamp() + $4::int8 * interval '1 millisecond')
                ON CONFLICT (account) DO UPDATE SET token = excluded.token, holder = excluded.holder, wanted = false,
                    taken_at = clock_timestamp(), expires_at = clock_timestamp() + $4::int8 * interval '1 millisecond'
                WHERE lease.expires_at <= clock_timestamp() OR lease.token = excluded.token
                """)
        wish = Statement(
            name: "wish for lease",
            text: """
                UPDATE \(leases) SET wanted = true WHERE account = $1::bytea
                RETURNING holder, ceil(extract(epoch FROM expires_at - clock_timestamp()) * 1000)::int8
                """)
        renew = Statement(
            name: "renew lease",
            text: """
                UPDATE \(leases) SET expires_at = clock_timestamp() + $3::int8 * interval '1 millisecond'
                WHERE account = $1::bytea AND token = $2::bytea
                """)
        // Notifications serialize commits; none is sent if there is no listener.
        release = Statement(
            name: "release lease",
            text: """
                WITH gone AS (DELETE FROM \(leases) WHERE account = $1::bytea AND token = $2::bytea RETURNING account, wanted)
                SELECT pg_notify('\(schema.leasesChannel)', encode(account, 'hex')) FROM gone WHERE wanted
                """)
    }
}
#endif
