/// The lists at the end of the tool's help. `Scripts/checks/help` compares the variables with those in the sources.
enum HelpList {
    static let variables: [(name: String, meaning: String)] = [
        ("AUTHHUB_ACCOUNT", "the account's label, as for --as"),
        ("AUTHHUB_STORE", "the credential store: as for --store, or a folder"),
        ("AUTHHUB_KEY_FILE", "a file with the 32-byte key for encrypted tokens"),
        ("AUTHHUB_OLDER_KEY_FILES", "older PostgreSQL key files, separated by colons"),
        ("AUTHHUB_PASSPHRASE_FILE", "a file with the passphrase of the store's key"),
        ("AUTHHUB_CLIENT_ID", "the client ID for login"),
        ("AUTHHUB_HEADLESS_PASSWORD", "the password for login --headless"),
        ("AUTHHUB_BROWSER", "the command that opens pages, or \"none\""),
        ("AUTHHUB_TOKEN", "the token, as set by exec and token --format env"),
        ("BROWSER", "the fallback if AUTHHUB_BROWSER is not set"),
        ("XDG_DATA_HOME", "the parent of the data folder"),
        ("CREDENTIALS_DIRECTORY", "systemd's credentials, which can hold the key"),
        ("PGSSLMODE", "how the PostgreSQL server is verified, as in libpq"),
        ("SSL_CERT_FILE", "a PEM file with the only CA certificates to trust"),
        ("HTTPS_PROXY", "the proxy for https, as in http://HOST:PORT"),
        ("ALL_PROXY", "the proxy for requests that have no other"),
        ("NO_PROXY", "the hosts that are reached without a proxy"),
        ("NO_COLOR", "no color"),
    ]

    static var exitStatus: String {
        table(ExitStatus.allCases.map { (leftPadded(String($0.rawValue), to: 3), $0.meaning) })
    }

    static var environment: String { table(variables.map { ($0.name, $0.meaning) }) }

    private static func table(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { name, meaning in "  \(name)\(String(repeating: " ", count: width - name.count))  \(meaning)" }
            .joined(separator: "\n")
    }

    private static func leftPadded(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
