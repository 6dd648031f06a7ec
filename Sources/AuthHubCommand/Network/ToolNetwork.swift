import AsyncHTTPClientTransport
import AuthHub
import HTTPLoading
import Logging

/// How this run of the tool reaches servers.
struct ToolNetwork: Sendable {
    /// The transport for all requests, except those to the tool's own development server.
    let transport: any Transport
    /// The proxies; nil if there is none.
    let proxies: NetworkTransport.ProxyRules?
    /// The record of all messages; nil if the user did not request one.
    var trace: Trace?

    @TaskLocal static var current = ToolNetwork(transport: NetworkTransport.shared, proxies: nil)
}

extension ToolNetwork {
    /// Creates the network from the environment and the options.
    ///
    /// - Parameters:
    ///   - proxy: The URL of the proxy for all requests, instead of those in the environment; empty for none.
    ///   - authorities: The PEM file with the only certificate authorities to trust, instead of the one in the environment.
    /// - Throws: ``Failure`` if one of these settings cannot be used. No URL of a proxy is repeated, because it may contain a password.
    static func open(
        _ environment: [String: String], proxy: String? = nil, authorities: String? = nil
    ) throws(Failure) -> Self {
        if let proxy, Self.holdsPassword(proxy) {
            throw .usage(
                "every user of this machine can read a password on the command line",
                hint: "leave out --proxy and put the proxy's URL into the variable HTTPS_PROXY")
        }
        do throws(NetworkTransport.ConfigurationError) {
            let configuration = try NetworkTransport.Configuration(
                environment: environment, proxy: proxy, authorities: authorities.map(InputFile.absolute))
            // Another transport costs time, and usually nothing is set.
            let isDefault = configuration.proxyRules == nil && configuration.trustRoots == .system
            return Self(
                transport: isDefault ? NetworkTransport.shared : try NetworkTransport(configuration: configuration),
                proxies: configuration.proxyRules)
        } catch {
            throw .usage(error.description, hint: "correct the option or variable, or leave it out; see: authhub doctor")
        }
    }

    /// Returns the same network, which writes all messages to a trace.
    func traced(by trace: Trace) -> Self {
        trace.note("authhub \(ToolVersion.text)")
        for (scheme, proxy) in [("https", proxies?.https), ("http", proxies?.http)] {
            if let proxy { trace.note("the proxy for \(scheme) is \(proxy.place)") }
        }
        return Self(transport: TracingTransport(transport: transport, trace: trace), proxies: proxies, trace: trace)
    }

    /// Whether the user information of a URL has a colon, which separates a password from the name.
    private static func holdsPassword(_ url: String) -> Bool {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        guard let at = rest.lastIndex(of: "@") else { return false }
        return rest[..<at].contains(":")
    }

    /// The dependencies of sessions and servers in this run.
    func dependencies(logger: Logger? = nil) -> Dependencies {
        Dependencies(transport: transport, logger: logger)
    }

    /// The dependencies of sessions at an account's server, which a resource may have named.
    func dependencies(for settings: AccountSettings, logger: Logger? = nil) -> Dependencies {
        guard settings.resource != nil else { return dependencies(logger: logger) }
        var dependencies = dependenciesForThirdParties
        dependencies.logger = logger
        return settings.guarded(dependencies)
    }

    /// The dependencies for servers that other servers name. Their names are resolved and checked on this machine, except those that are
    /// reached through a proxy: only the proxy may be able to resolve them, so only the names are checked.
    var dependenciesForThirdParties: Dependencies {
        var dependencies = Dependencies.network
        dependencies.transport = transport
        if let proxies { dependencies.isDirect = { proxies.proxy(for: $0) == nil } }
        return dependencies
    }
}
