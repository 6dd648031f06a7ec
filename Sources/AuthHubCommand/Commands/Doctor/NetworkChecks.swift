import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import HTTPLoading
import Platform

/// The checks of the network: the proxy, the certificate authorities, the loopback port, and the clocks of servers.
struct NetworkChecks: Sendable {
    let environment: [String: String]
    let options: NetworkOptions
    /// Connects to a port; returns the reason if that is not possible.
    var connect: @Sendable (_ host: String, _ port: Int) async -> String? = { await SocketProbe.connect(to: $0, port: $1) }
    /// Listens at a port of 127.0.0.1; returns the reason if that is not possible.
    var listen: @Sendable (_ port: Int) -> String? = { SocketProbe.listen(port: $0) }
    /// The files with the certificate authorities of the system.
    var bundles = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"]

    func proxy() async -> Finding {
        let rules: NetworkTransport.ProxyRules
        do throws(NetworkTransport.ConfigurationError) {
            rules = try NetworkTransport.ProxyRules(environment: environment, proxy: options.proxy)
        } catch {
            return .fail("proxy", error.description, next: Self.withoutSetting(in: error))
        }
        guard let proxy = rules.https ?? rules.http else { return .ok("proxy", "none is set") }
        guard let problem = await connect(proxy.host, proxy.port) else { return .ok("proxy", proxy.place) }
        return .fail("proxy", "\(proxy.place) cannot be reached: \(problem)", next: "env | grep -i _proxy")
    }

    var certificates: Finding {
        var configuration = NetworkTransport.Configuration()
        let path = options.caFile ?? environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
        guard let path else {
            guard !bundles.contains(where: InputFile.exists) else { return .ok("certificates", "the authorities of this system") }
            return .fail("certificates", "this system has no certificate authorities", next: "apt-get install ca-certificates")
        }
        configuration.trustRoots = .file(InputFile.absolute(path), named: options.caFile == nil ? "SSL_CERT_FILE" : "--ca-file")
        do {
            _ = try NetworkTransport(configuration: configuration)
            return .ok("certificates", "only the authorities in \(path)")
        } catch {
            return .fail("certificates", error.description, next: Self.withoutSetting(in: error))
        }
    }

    /// Returns how to turn off the option or variable that an error is about: its first word.
    private static func withoutSetting(in error: NetworkTransport.ConfigurationError) -> String {
        let name = error.description.prefix { $0 != " " }
        return name.hasPrefix("-") ? "authhub doctor, without \(name)" : "unset \(name)"
    }

    /// - Parameter ports: The fixed ports of redirect URIs, by the labels of the accounts.
    func loopback(_ ports: [String: Int]) -> Finding {
        if let problem = listen(0) {
            return .fail("loopback", "no port can be opened at 127.0.0.1, where browsers return to: \(problem)", next: "ip link show lo")
        }
        for (label, port) in ports.sorted(by: { $0.key < $1.key }) {
            guard let problem = listen(port) else { continue }
            return .warn(
                "loopback", "port \(port), to which browsers return for “\(label)”, cannot be opened: \(problem)",
                next: "ss -ltnp 'sport = :\(port)'")
        }
        return .ok("loopback", "ports at 127.0.0.1 can be opened")
    }
}

extension NetworkChecks {
    /// Asks a server for the time. Nothing about the user is sent.
    static func server(_ origin: Origin, by network: ToolNetwork, now: @Sendable () -> Date = { Date() }) async -> Finding {
        let check = "server"
        do throws(LoadError) {
            let chain = Chain(transport: network.transport, ordered: [DeadlineLoader(.seconds(15))])
            let response = try await chain.load(.head("\(origin)/"))
            let now = now()
            let date = Date(sendingOf: response.head, now: now)
            response.body.cancel()
            return clock(of: origin, date, now: now)
        } catch {
            let failure = Failure(error)
            return .fail(check, failure.message, next: failure.hint)
        }
    }

    /// Compares this machine's clock with that of a server.
    static func clock(of origin: Origin, _ date: Date?, now: Date) -> Finding {
        guard let date else { return .ok("server", "\(origin) responds, but does not tell the time") }
        let difference = now.timeIntervalSince(date)
        let text = "\(origin) responds; this machine's clock is \(Words.duration(abs(difference))) \(difference < 0 ? "behind" : "ahead")"
        return switch abs(difference) {
        // The server's time has no fractions of a second, and the response takes time.
        case ...5: .ok("server", "\(origin) responds, and the clocks agree")
        case ...60: .ok("server", text)
        case ...300: .warn("server", text, next: "timedatectl set-ntp true")
        default: .fail("server", text + ", so tokens seem expired or not yet valid", next: "timedatectl set-ntp true")
        }
    }
}
