// swift-tools-version: 6.2

// The Linux window of AuthHub. A separate package, so that the libraries and the tool do not need GTK.
import PackageDescription

let package = Package(
    name: "AuthHubGTK",
    products: [.executable(name: "authhub-gtk", targets: ["AuthHubGTK"])],
    dependencies: [
        .package(name: "AuthHub", path: "../.."),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
    ],
    targets: [
        .systemLibrary(name: "CAdwaita", pkgConfig: "libadwaita-1", providers: [.apt(["libadwaita-1-dev"])]),
        // GTK's widgets as plain functions: casts, properties and signals stay in C, where GTK checks them.
        .target(name: "CWidgets", dependencies: ["CAdwaita"], cSettings: [.treatAllWarnings(as: .error)]),
        // The same widgets as main-actor classes with closures. Independent of the app.
        .target(name: "GTKWidgets", dependencies: ["CWidgets"]),
        .executableTarget(
            name: "AuthHubGTK",
            dependencies: [
                "GTKWidgets",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AniListAPI", package: "AuthHub"),
                .product(name: "AuthHub", package: "AuthHub"),
                .product(name: "AuthHubApp", package: "AuthHub"),
                .product(name: "GitHubAPI", package: "AuthHub"),
            ]),
    ],
    swiftLanguageModes: [.v6])

for target in package.targets where target.type != .system {
    target.swiftSettings =
        (target.swiftSettings ?? [])
        + ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
        .map { .enableUpcomingFeature($0) }
        + [.treatAllWarnings(as: .error)]
}
