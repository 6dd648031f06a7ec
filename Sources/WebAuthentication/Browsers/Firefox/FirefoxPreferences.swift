import AuthHubPrimitives

/// Settings that Firefox reads from a profile's file `user.js` at every start.
struct FirefoxPreferences: Sendable {
    enum Value: Sendable, Hashable {
        case flag(Bool)
        case number(Int)
        case text(String)
    }

    private(set) var values: [String: Value] = [:]

    /// The text of the file.
    var text: String {
        values.sorted { $0.key < $1.key }.map { "user_pref(\"\($0.key)\", \($0.value.literal));\n" }.joined()
    }

    mutating func set(_ value: Value, _ names: String...) {
        for name in names { values[name] = value }
    }
}

extension FirefoxPreferences.Value {
    /// The value as a JavaScript literal.
    fileprivate var literal: String {
        switch self {
        case .flag(let flag): "\(flag)"
        case .number(let number): "\(number)"
        case .text(let text): String(decoding: JSONValue.string(text).serialized(), as: UTF8.self)
        }
    }
}

extension FirefoxPreferences {
    /// The settings for a window that shows one sign-in and nothing else.
    static let signIn: Self = {
        var preferences = Self()
        preferences.showOnlyThePage()
        preferences.closeAtOnce()
        preferences.offerNoKeeping()
        preferences.fetchNothingElse()
        return preferences
    }()

    /// Passes URLs of one scheme to the program in the profile, without asking, and keeps pages from starting any other program.
    mutating func handOver(_ scheme: String) {
        set(.flag(false), "network.protocol-handler.external-default", "security.external_protocol_requires_permission")
        set(.flag(false), "network.protocol-handler.external.mailto", "network.protocol-handler.warn-external.\(scheme)")
        set(.flag(true), "network.protocol-handler.external.\(scheme)")
    }

    /// Disables first-run pages, notices and offers.
    private mutating func showOnlyThePage() {
        set(
            .flag(false),
            "browser.aboutwelcome.enabled", "browser.bookmarks.restore_default_bookmarks", "browser.laterrun.enabled",
            "browser.newtabpage.enabled", "browser.preonboarding.enabled", "browser.profiles.enabled",
            "browser.shell.checkDefaultBrowser", "browser.translations.enable", "browser.uitour.enabled", "browser.vpn_promo.enabled",
            "toolkit.telemetry.reportingpolicy.firstRun")
        set(
            .flag(true), "browser.rights.3.shown", "datareporting.policy.dataSubmissionPolicyBypassNotification",
            "termsofuse.bypassNotification")
        set(
            .text(""), "datareporting.policy.firstRunURL", "startup.homepage_override_url", "startup.homepage_welcome_url",
            "startup.homepage_welcome_url.additional")
        set(.text("about:blank"), "browser.startup.homepage")
        set(.text("ignore"), "browser.startup.homepage_override.mstone")
        set(.text("never"), "browser.toolbars.bookmarks.visibility")
        set(.number(0), "browser.startup.page")
    }

    /// Makes a closed window end the process, without a question and without cleaning up files that are deleted anyway.
    private mutating func closeAtOnce() {
        set(
            .flag(false), "browser.sessionstore.resume_from_crash", "browser.tabs.warnOnClose", "browser.warnOnQuit",
            "browser.warnOnQuitShortcut")
        set(.flag(true), "browser.tabs.closeWindowWithLastTab")
        set(.number(-1), "toolkit.startup.max_resumed_crashes")
        set(.number(3), "toolkit.shutdown.fastShutdownStage")
    }

    private mutating func offerNoKeeping() {
        set(
            .flag(false), "browser.cache.disk.enable", "extensions.formautofill.addresses.enabled",
            "extensions.formautofill.creditCards.enabled", "identity.fxaccounts.enabled", "signon.management.page.breach-alerts.enabled",
            "signon.rememberSignons")
    }

    /// Disables telemetry, studies, updates, lists, suggestions and probes: a sign-in only lasts minutes.
    private mutating func fetchNothingElse() {
        set(
            .flag(false),
            "app.normandy.enabled", "app.shield.optoutstudies.enabled", "app.update.auto", "app.update.background.enabled",
            "app.update.service.enabled", "browser.discovery.enabled", "browser.newtab.preload",
            "browser.newtabpage.activity-stream.feeds.system.topstories", "browser.newtabpage.activity-stream.feeds.topsites",
            "browser.newtabpage.activity-stream.telemetry", "browser.newtabpage.activity-stream.unifiedAds.adsFeed.enabled",
            "browser.newtabpage.activity-stream.unifiedAds.tiles.enabled", "browser.region.update.enabled",
            "browser.safebrowsing.blockedURIs.enabled", "browser.safebrowsing.downloads.enabled",
            "browser.safebrowsing.downloads.remote.enabled", "browser.safebrowsing.malware.enabled",
            "browser.safebrowsing.phishing.enabled", "browser.search.suggest.enabled", "browser.search.update",
            "browser.tabs.crashReporting.sendReport", "browser.topsites.contile.enabled", "browser.urlbar.quicksuggest.enabled",
            "datareporting.healthreport.uploadEnabled", "datareporting.policy.dataSubmissionEnabled",
            "datareporting.usage.uploadEnabled", "doh-rollout.enabled", "dom.push.connection.enabled",
            "extensions.getAddons.cache.enabled", "extensions.systemAddon.update.enabled", "extensions.update.enabled",
            "media.gmp-manager.updateEnabled", "messaging-system.rsexperimentloader.enabled", "network.captive-portal-service.enabled",
            "network.connectivity-service.enabled", "network.prefetch-next", "toolkit.telemetry.archive.enabled")
        set(.flag(true), "network.dns.disablePrefetch")
        set(.number(0), "network.http.speculative-parallel-limit")
        set(
            .text(""), "app.normandy.api_url", "app.update.url", "browser.region.network.url", "extensions.systemAddon.update.url",
            "geo.provider.network.url", "media.gmp-manager.url", "toolkit.telemetry.server")
        set(.text("data:,"), "services.settings.server")
    }
}
