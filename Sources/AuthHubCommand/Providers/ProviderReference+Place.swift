import AuthHub
import OAuthProtocol

extension ProviderReference {
    /// Returns the provider at the typed base URL or tenant, or else the known one.
    ///
    /// - Parameter api: The typed URL of the API.
    func placed(
        web: String?, tenant: String?, api typedAPI: String? = nil, _ transport: TransportPolicy
    ) throws(Failure) -> Self {
        let typed = [("--web", web), ("--tenant", tenant), ("--api", typedAPI)].filter { $0.1 != nil }.map(\.0)
        if isIssuer || isDescribed {
            guard let option = typed.first else { return self }
            let reason = isIssuer ? BuiltInProvider.issuerHasNoPlace : BuiltInProvider.describedHasNoPlace
            throw .usage("\(option) cannot be used: \(reason)", hint: "leave out \(option)")
        }
        guard web == nil || tenant == nil else {
            throw .usage("--web and --tenant cannot be used together", hint: "authhub provider show \(name)")
        }
        let place = web ?? tenant ?? self.place
        // The stored API belongs to the previous location.
        let api = typedAPI ?? (web == nil ? self.api : nil)
        guard let known else { return self }
        if case .tenant = known.place, let web, !known.isPlayed(at: web) {
            throw .usage("--web cannot be used, because \(name) has tenants", hint: "leave out --web and use --tenant NAME")
        }
        do {
            _ = try known.checkedProfile(at: place, api: api, transport: transport)
        } catch {
            let option = error.part == .api ? "--api" : web != nil ? "--web" : tenant != nil ? "--tenant" : known.placeOption ?? "--web"
            let hint =
                error.isForDevelopment
                ? "add --allow-insecure-loopback, for development on this machine" : "authhub provider show \(name)"
            throw .usage("\(option) \(error.problem)", hint: hint)
        }
        return .builtIn(name, place: place, api: api)
    }
}
