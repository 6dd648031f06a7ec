// swift-tools-version: 6.2

import PackageDescription

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Set by the scripts. Adds the benchmarks, the program that the proofs control, and the tests that start other programs, and turns on all
/// traits.
let isDevelopment = Context.environment["AUTHHUB_DEVELOPMENT"] != nil

/// Whether another package depends on this one. SwiftPM first reads the manifest of a dependency in its repository, without a folder, and
/// then in the folder `checkouts` beside its `repositories`.
let isDependency: Bool = {
    let folders = Context.packageDirectory.split(separator: "/")
    guard !folders.isEmpty else { return true }
    return folders.dropLast().last == "checkouts" && access(Context.packageDirectory + "/../../repositories", F_OK) == 0
}()

/// SwiftPM fetches the packages with these conditions only if the trait is enabled.
let tool = TargetDependencyCondition.when(traits: ["Tool"])
let asyncHTTPClient = TargetDependencyCondition.when(traits: ["AsyncHTTPClient"])

let defaultTraits = Set(["AsyncHTTPClient"] + (isDependency ? [] : ["Tool"]) + (isDevelopment ? ["PostgreSQL"] : []))

// A product contains the modules whose types its users need, too. Those for Apple's systems are empty elsewhere.
let loading = ["AuthHubPrimitives", "HTTPLoading", "URLSessionTransport"]
let messages = ["AuthHubPrimitives", "JOSE", "OAuthProtocol"]
let pages = ["SystemWebAuthentication", "WebAuthentication"]
let storage = [
    "AuthHubPrimitives", "CredentialStorage", "PlatformCredentialStorage", "SecretServiceCredentialStorage", "SystemCredentialStorage",
]
let all = ["AuthHub"] + Set(loading + messages + pages + storage).sorted()

let products: [Product] =
    [
        .library(name: "AuthHub", targets: all),
        .library(name: "HTTPLoading", targets: loading),
        .library(name: "AsyncHTTPClientTransport", targets: ["AsyncHTTPClientTransport"]),
        .library(name: "JOSE", targets: ["AuthHubPrimitives", "JOSE"]),
        .library(name: "OAuthProtocol", targets: messages),
        .library(name: "WebAuthentication", targets: pages),
        .library(name: "CredentialStorage", targets: storage),
        .library(name: "PostgreSQLCredentialStorage", targets: ["PostgreSQLCredentialStorage"]),
        .library(name: "GitHubAPI", targets: ["GitHubAPI"]),
        .library(name: "AniListAPI", targets: ["AniListAPI"]),
        .library(name: "AuthHubTesting", targets: ["AuthHubTesting", "HeadlessBrowsing"]),
        .library(name: "DevelopmentServer", targets: ["DevelopmentServer"]),
        .executable(name: "authhub", targets: ["AuthHubCommand"]),
    ]
    // For the apps of this repository.
    + (isDependency ? [] : [.library(name: "AuthHubApp", targets: ["AuthHubApp"])])

let package = Package(
    name: "AuthHub",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: products,
    traits: [
        .default(enabledTraits: defaultTraits),
        .trait(
            name: "AsyncHTTPClient",
            description: "Sessions load over AsyncHTTPClient unless they are given another transport."),
        .trait(
            name: "PostgreSQL",
            description: "PostgreSQLCredentialStorage keeps credentials in PostgreSQL, through the system's libpq."),
        .trait(
            name: "Tool",
            description: "The command authhub and the module DevelopmentServer; off by default in packages that depend on this one."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-http-structured-headers.git", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.6"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1", traits: []),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
    ],
    targets: [
        .target(name: "Platform"),
        .target(name: "AuthHubPrimitives", dependencies: ["Platform"]),
        .target(
            name: "HTTPLoading",
            dependencies: [
                "AuthHubPrimitives", "Platform",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "RawStructuredFieldValues", package: "swift-http-structured-headers"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]),
        .target(
            name: "AsyncHTTPClientTransport",
            dependencies: [
                "AuthHubPrimitives", "HTTPLoading", "Platform",
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: asyncHTTPClient),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras", condition: asyncHTTPClient),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSOCKS", package: "swift-nio-extras", condition: asyncHTTPClient),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: asyncHTTPClient),
            ]),
        .target(
            name: "URLSessionTransport",
            dependencies: [
                "AuthHubPrimitives", "HTTPLoading",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .target(
            name: "JOSE",
            dependencies: [
                "AuthHubPrimitives", "Platform",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ]),
        .target(
            name: "OAuthProtocol",
            dependencies: [
                "AuthHubPrimitives", "JOSE", "Platform",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .target(
            name: "WebAuthentication",
            dependencies: [
                "AuthHubPrimitives", "Platform",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]),
        .target(name: "SystemWebAuthentication", dependencies: ["WebAuthentication"]),
        .target(name: "CLinux"),
        .target(name: "CBuildCommit"),
        .target(
            name: "CredentialStorage",
            dependencies: [
                "AuthHubPrimitives", "CLinux", "Platform",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ]),
        .target(name: "SystemCredentialStorage", dependencies: ["AuthHubPrimitives", "CredentialStorage"]),
        .target(
            name: "SecretServiceCredentialStorage",
            dependencies: [
                "AuthHubPrimitives", "CLinux", "CredentialStorage", "Platform",
                .product(name: "Crypto", package: "swift-crypto"),
            ]),
        .target(
            name: "PlatformCredentialStorage", dependencies: ["AuthHubPrimitives", "CredentialStorage", "SecretServiceCredentialStorage"]),
        .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .target(
            name: "PostgreSQLCredentialStorage",
            dependencies: [
                "AuthHubPrimitives", "CredentialStorage", "Platform",
                .target(name: "CPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
                .product(name: "Crypto", package: "swift-crypto"),
            ]),
        .target(
            name: "AuthHub",
            dependencies: [
                "AuthHubPrimitives", "CredentialStorage", "HTTPLoading", "JOSE", "OAuthProtocol", "Platform", "PlatformCredentialStorage",
                "WebAuthentication",
                .target(name: "AsyncHTTPClientTransport", condition: .when(traits: ["AsyncHTTPClient"])),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(
            name: "GitHubAPI",
            dependencies: [
                "AuthHub", "AuthHubPrimitives", "HTTPLoading", "Platform",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .target(
            name: "AniListAPI",
            dependencies: [
                "AuthHub", "AuthHubPrimitives", "HTTPLoading",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .target(
            name: "AuthHubApp",
            dependencies: [
                "AniListAPI", "AuthHub", "AuthHubPrimitives", "CredentialStorage", "GitHubAPI", "HTTPLoading", "OAuthProtocol",
                "Platform", "WebAuthentication",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .target(
            name: "AuthHubTesting",
            dependencies: [
                "AuthHubPrimitives", "CredentialStorage", "HTTPLoading", "Platform", "WebAuthentication",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .target(
            name: "HeadlessBrowsing",
            dependencies: [
                "AuthHubPrimitives", "HTTPLoading", "WebAuthentication",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .target(
            name: "ModelContextProxy",
            dependencies: [
                "AuthHub", "AuthHubPrimitives", "HTTPLoading", "OAuthProtocol", "Platform",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .target(
            name: "DevelopmentServer",
            dependencies: [
                "AuthHubPrimitives", "Platform",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HummingbirdCore", package: "hummingbird", condition: tool),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]),
        .executableTarget(
            name: "AuthHubCommand",
            dependencies: [
                "AniListAPI", "AsyncHTTPClientTransport", "AuthHub", "AuthHubPrimitives", "CBuildCommit", "CLinux", "CredentialStorage",
                "DevelopmentServer", "GitHubAPI", "HTTPLoading", "HeadlessBrowsing", "JOSE", "ModelContextProxy", "OAuthProtocol",
                "Platform", "PlatformCredentialStorage", "WebAuthentication",
                .target(name: "PostgreSQLCredentialStorage", condition: .when(traits: ["PostgreSQL"])),
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: tool),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .testTarget(name: "AuthHubPrimitivesTests", dependencies: ["AuthHubPrimitives", "Platform"]),
        .testTarget(
            name: "HTTPLoadingTests",
            dependencies: [
                "AsyncHTTPClientTransport", "AuthHubPrimitives", "AuthHubTesting", "HTTPLoading", "Platform",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: asyncHTTPClient),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]),
        .testTarget(
            name: "OAuthProtocolTests",
            dependencies: [
                "AuthHubPrimitives", "JOSE", "OAuthProtocol", "Platform",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .testTarget(
            name: "WebAuthenticationTests",
            dependencies: [
                "AsyncHTTPClientTransport", "AuthHubPrimitives", "AuthHubTesting", "HTTPLoading", "Platform", "WebAuthentication",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]),
        .target(
            name: "CredentialStorageTestSupport",
            dependencies: ["AuthHubPrimitives", "CredentialStorage", "Platform"],
            path: "Tests/CredentialStorageTestSupport"),
        .testTarget(
            name: "JOSETests",
            dependencies: [
                "AuthHubPrimitives", "JOSE", "Platform",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ]),
        .testTarget(
            name: "CredentialStorageTests",
            dependencies: [
                "AuthHubPrimitives", "AuthHubTesting", "CLinux", "CredentialStorage", "CredentialStorageTestSupport", "Platform",
                .product(name: "Crypto", package: "swift-crypto"),
            ]),
        .testTarget(
            name: "SecretServiceCredentialStorageTests",
            dependencies: ["AuthHubPrimitives", "CredentialStorage", "Platform", "SecretServiceCredentialStorage"]),
        .testTarget(
            name: "PlatformCredentialStorageTests",
            dependencies: [
                "AuthHubPrimitives", "AuthHubTesting", "CredentialStorage", "CredentialStorageTestSupport", "Platform",
                "PlatformCredentialStorage",
            ]),
        .testTarget(
            name: "PostgreSQLCredentialStorageTests",
            dependencies: [
                "AuthHubPrimitives", "CredentialStorage", "Platform", "PostgreSQLCredentialStorage",
                .target(name: "CPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
            ]),
        .testTarget(
            name: "AuthHubTests",
            dependencies: [
                "AniListAPI", "AsyncHTTPClientTransport", "AuthHub", "AuthHubPrimitives", "AuthHubTesting", "CredentialStorage",
                "DevelopmentServer", "GitHubAPI", "HTTPLoading", "HeadlessBrowsing", "JOSE", "OAuthProtocol", "Platform",
                "WebAuthentication",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]),
        .testTarget(
            name: "AuthHubAppTests",
            dependencies: [
                "AniListAPI", "AsyncHTTPClientTransport", "AuthHub", "AuthHubApp", "AuthHubPrimitives", "AuthHubTesting",
                "CredentialStorage", "DevelopmentServer",
                "GitHubAPI", "HTTPLoading", "HeadlessBrowsing", "OAuthProtocol", "Platform", "WebAuthentication",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .testTarget(
            name: "HeadlessBrowsingTests",
            dependencies: [
                "AuthHubPrimitives", "HTTPLoading", "HeadlessBrowsing", "WebAuthentication",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .testTarget(
            name: "ModelContextProxyTests",
            dependencies: [
                "AuthHub", "AuthHubPrimitives", "AuthHubTesting", "HTTPLoading", "ModelContextProxy",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .testTarget(
            name: "AuthHubTestingTests",
            dependencies: [
                "AuthHubPrimitives", "AuthHubTesting", "HTTPLoading",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .testTarget(
            name: "DevelopmentServerTests",
            dependencies: [
                "AuthHubPrimitives", "AuthHubTesting", "DevelopmentServer", "JOSE", "Platform",
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: asyncHTTPClient),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]),
        .testTarget(
            name: "AuthHubCommandTests",
            dependencies: [
                "AuthHub", "AuthHubCommand", "AuthHubPrimitives", "AuthHubTesting", "HTTPLoading", "JOSE", "OAuthProtocol", "Platform",
                "WebAuthentication",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: tool),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
    ],
    swiftLanguageModes: [.v6])

if isDevelopment {
    let packages = [
        "ArgumentParser": "swift-argument-parser", "AsyncHTTPClient": "async-http-client", "HTTPTypes": "swift-http-types",
        "Logging": "swift-log", "NIOCore": "swift-nio", "NIOHTTP1": "swift-nio", "NIOPosix": "swift-nio",
    ]
    func modules(_ names: String) -> [Target.Dependency] {
        names.split(separator: " ").map(String.init).map { name in
            guard let package = packages[name] else { return .byName(name: name) }
            let conditions = ["ArgumentParser": tool, "AsyncHTTPClient": asyncHTTPClient]
            return .product(name: name, package: package, condition: conditions[name] ?? nil)
        }
    }
    let benchmarks: KeyValuePairs = [
        "AuthorizedRequest": "AsyncHTTPClientTransport AuthHub HTTPLoading Loopback Measuring SignedIn",
        "ChainCost": "HTTPLoading Measuring",
        "ChainedRequest": "AsyncHTTPClientTransport HTTPLoading Loopback Measuring",
        "Flows": "AuthHub AuthHubPrimitives CredentialStorage HTTPLoading HTTPTypes JOSE Measuring OAuthProtocol Platform SignedIn",
        "IDTokens": "AuthHubPrimitives JOSE Measuring OAuthProtocol Platform",
        "Messages": "AuthHubPrimitives HTTPTypes Measuring OAuthProtocol Platform",
        "PostgreSQLRecords": "AuthHubPrimitives CPostgreSQL CredentialStorage Measuring PostgreSQLCredentialStorage",
        "Refresh": "AuthHub AuthHubPrimitives CredentialStorage HTTPLoading HTTPTypes Measuring OAuthProtocol Platform SignedIn",
        "SessionCost": "AuthHub HTTPLoading Measuring SignedIn",
        "SharedRefresh":
            "AsyncHTTPClientTransport AuthHub CredentialStorage HTTPLoading HTTPTypes Loopback Measuring OAuthProtocol Platform SignedIn",
        "StoreSaves": "AuthHubPrimitives CredentialStorage Measuring Platform",
    ]
    let shared: KeyValuePairs = [
        "Loopback": "AsyncHTTPClient HTTPLoading HTTPTypes Measuring NIOCore NIOHTTP1 NIOPosix",
        "Measuring": "AuthHubPrimitives HTTPLoading HTTPTypes Logging Platform",
        "SignedIn": "AuthHub AuthHubPrimitives CredentialStorage HTTPLoading HTTPTypes OAuthProtocol WebAuthentication",
    ]
    let driver =
        "AsyncHTTPClientTransport AuthHub AuthHubPrimitives CredentialStorage DevelopmentServer HTTPLoading HTTPTypes HeadlessBrowsing "
        + "OAuthProtocol Platform PostgreSQLCredentialStorage WebAuthentication"
    // Some of these targets import a module's other tests, for their helpers.
    let systemTests: KeyValuePairs = [
        "HTTPLoadingSystemTests": "AuthHubPrimitives HTTPLoading HTTPLoadingTests HTTPTypes Platform",
        "WebAuthenticationSystemTests":
            "AuthHubPrimitives AuthHubTesting NIOCore NIOHTTP1 NIOPosix Platform WebAuthentication WebAuthenticationTests",
        "CredentialStorageSystemTests": "AuthHubPrimitives CredentialStorage CredentialStorageTests CredentialStorageTestSupport Platform",
        "SecretServiceCredentialStorageSystemTests":
            "AuthHubPrimitives AuthHubTesting CredentialStorage CredentialStorageTestSupport Platform SecretServiceCredentialStorage",
        "PostgreSQLCredentialStorageSystemTests":
            "AuthHubPrimitives AuthHubTesting CPostgreSQL CredentialStorage Platform PostgreSQLCredentialStorage",
        "AuthHubCommandSystemTests":
            "ArgumentParser AsyncHTTPClientTransport AuthHub AuthHubCommand AuthHubCommandTests AuthHubPrimitives AuthHubTesting "
            + "CredentialStorage DevelopmentServer HTTPLoading HTTPTypes HeadlessBrowsing JOSE OAuthProtocol Platform WebAuthentication",
    ]
    package.targets +=
        shared.map { .target(name: $0, dependencies: modules($1), path: "Benchmarks/Sources/\($0)") }
        + benchmarks.map { .executableTarget(name: $0, dependencies: modules($1), path: "Benchmarks/Sources/\($0)") }
        + [.executableTarget(name: "ProofDriver", dependencies: modules(driver), path: "Scripts/proofs/driver")]
        + systemTests.map { .testTarget(name: $0, dependencies: modules($1)) }
}

for target in package.targets where target.type != .system {
    target.swiftSettings =
        (target.swiftSettings ?? [])
        + ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
        .map { .enableUpcomingFeature($0) }
        + [.treatAllWarnings(as: .error)]
}
