// swift-tools-version: 6.2
import PackageDescription

let version = "0.2.0"

// `make deb` sets the commit that it builds. Other builds need no git.
let commit = Context.environment["SUBTOP_COMMIT"].flatMap { commit in
  !commit.isEmpty && commit.allSatisfy { $0.isHexDigit } ? commit : nil
}

let swiftSettings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

// Tests are compiled without optimisation, which halves their build time. The code under test is optimised.
let testSettings = swiftSettings + [.unsafeFlags(["-Onone"])]

// Release programs run where Swift is not installed. Only linking differs, so tests share the compiled
// modules.
let programLinking: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-static-stdlib", "-lCoreFoundation", "-l_FoundationICU", "-l_FoundationCShims",
      "-l_FoundationCollections",
    ],
    .when(configuration: .release))
]

let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let tomlKit = Target.Dependency.product(name: "TOMLKit", package: "TOMLKit")
let swiftASN1 = Target.Dependency.product(name: "SwiftASN1", package: "swift-asn1")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

let package = Package(
  name: "subtop",
  products: [
    .executable(name: "subtop", targets: ["subtop"]),
    .executable(name: "fake-app-store", targets: ["fake-app-store"]),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/LebJe/TOMLKit", exact: "0.6.0"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-asn1", exact: "1.7.4"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
  ],
  targets: [
    // Level 0: C over the system libraries.
    .target(name: "CCurl", linkerSettings: [.linkedLibrary("curl")]),
    .target(name: "CTerminal", linkerSettings: [.linkedLibrary("ncursesw"), .linkedLibrary("tinfo")]),
    .target(
      name: "CProcess",
      cSettings: [.define("SUBTOP_VERSION", to: "\"\(version)\(commit.map { " (\($0))" } ?? "")\"")]),
    .target(name: "CCrypto", linkerSettings: [.linkedLibrary("crypto")]),
    .target(name: "CPostgres"),
    .target(name: "CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    // Level 1: the domain, the grid of cells, files and the HTTP server.
    .target(name: "Subscriptions", exclude: ["METRICS.md"], swiftSettings: swiftSettings),
    .target(name: "Screen", swiftSettings: swiftSettings),
    .target(name: "Files", swiftSettings: swiftSettings),
    .target(name: "HTTPServer", dependencies: [nioCore, nioPosix, nioHTTP1], swiftSettings: swiftSettings),
    // Level 2: App Store data, the store, the dashboard, the terminal and imports.
    .target(
      name: "AppStore", dependencies: ["Subscriptions", "CCrypto", swiftASN1], swiftSettings: swiftSettings),
    .target(
      name: "ReceiptStore", dependencies: ["Subscriptions", "Files", "CSQLite", grdb, sqlite],
      resources: [.embedInCode("schema.sql")], swiftSettings: swiftSettings),
    .target(name: "Dashboard", dependencies: ["Screen", "Subscriptions"], swiftSettings: swiftSettings),
    .target(name: "Terminal", dependencies: ["Screen", "CTerminal"], swiftSettings: swiftSettings),
    .target(
      name: "Intake", dependencies: ["AppStore", "Subscriptions", "CZlib"], swiftSettings: swiftSettings),
    // Level 3: the App Store client, the fake App Store and the notification listener.
    .target(
      name: "Sweep", dependencies: ["ReceiptStore", "AppStore", "Subscriptions", "CCurl"],
      swiftSettings: swiftSettings),
    .target(
      name: "Sharing", dependencies: ["ReceiptStore", "Subscriptions", "CPostgres"],
      swiftSettings: swiftSettings),
    .target(
      name: "FakeAppStore",
      dependencies: ["HTTPServer", "AppStore", "Subscriptions", "CZlib", nioCore, nioHTTP1],
      swiftSettings: swiftSettings),
    .target(
      name: "Listening",
      dependencies: [
        "HTTPServer", "ReceiptStore", "AppStore", "Subscriptions", nioCore, nioPosix, nioHTTP1,
      ],
      swiftSettings: swiftSettings),
    // Level 4: the programs.
    .executableTarget(
      name: "subtop",
      dependencies: [
        "Subscriptions", "AppStore", "Intake", "ReceiptStore", "Sweep", "Screen", "Dashboard", "Terminal",
        "FakeAppStore", "Listening", "Sharing", "Files", "CProcess", argumentParser, tomlKit, logging,
      ],
      resources: [.embedInCode("Configuration/config.toml"), .embedInCode("Help/Topics")],
      swiftSettings: swiftSettings, linkerSettings: programLinking),
    .executableTarget(
      name: "fake-app-store",
      dependencies: ["FakeAppStore", "Subscriptions", "CProcess", argumentParser],
      swiftSettings: swiftSettings, linkerSettings: programLinking),
    // Program for `make bench`, not a product.
    .executableTarget(
      name: "subtop-measure",
      dependencies: ["ReceiptStore", "Sharing", "FakeAppStore", "AppStore", "Subscriptions", argumentParser],
      path: "Benchmarks/Measure", swiftSettings: swiftSettings),
    .target(
      name: "TestSupport", dependencies: ["Subscriptions", "AppStore", "Screen"], path: "Tests/TestSupport",
      swiftSettings: swiftSettings),
    .testTarget(name: "HouseTests", swiftSettings: testSettings),
    .testTarget(
      name: "SubscriptionsTests", dependencies: ["Subscriptions", "TestSupport"], swiftSettings: testSettings
    ),
    .testTarget(
      name: "AppStoreTests", dependencies: ["AppStore", "Subscriptions", "TestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "ReceiptStoreTests",
      dependencies: ["Sharing", "ReceiptStore", "Subscriptions", "TestSupport", grdb],
      swiftSettings: testSettings),
    .testTarget(
      name: "SweepTests",
      dependencies: [
        "Sweep", "ReceiptStore", "AppStore", "Subscriptions", "FakeAppStore", "TestSupport", grdb,
      ],
      swiftSettings: testSettings),
    .testTarget(
      name: "IntakeTests", dependencies: ["Intake", "AppStore", "Subscriptions", "TestSupport", "CZlib"],
      swiftSettings: testSettings),
    .testTarget(name: "FilesTests", dependencies: ["Files", "TestSupport"], swiftSettings: testSettings),
    .testTarget(name: "ScreenTests", dependencies: ["Screen", "TestSupport"], swiftSettings: testSettings),
    .testTarget(name: "TerminalTests", dependencies: ["Terminal", "Screen"], swiftSettings: testSettings),
    .testTarget(
      name: "DashboardTests", dependencies: ["Dashboard", "Screen", "Subscriptions", "TestSupport"],
      exclude: ["Screens"], swiftSettings: testSettings),
    .testTarget(
      name: "FakeAppStoreTests",
      dependencies: ["FakeAppStore", "AppStore", "Subscriptions", "TestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "Subscriptions", "AppStore", "Intake", "ReceiptStore", "Sweep", "Listening", "FakeAppStore",
        "Dashboard",
        "Screen", "TestSupport", grdb,
      ],
      swiftSettings: testSettings),
  ]
)

// Only for `make fuzz`: libFuzzer needs flags that ordinary builds do not use.
if Context.environment["SUBTOP_FUZZ"] != nil {
  package.targets += [
    .systemLibrary(name: "LibFuzzer", path: "Tests/Fuzz/LibFuzzer"),
    .executableTarget(
      name: "Fuzz", dependencies: ["Intake", "AppStore", "Subscriptions", "LibFuzzer"],
      path: "Tests/Fuzz/Program", swiftSettings: swiftSettings,
      // lld is the only linker that accepts libFuzzer's main and ours.
      linkerSettings: [.unsafeFlags(["-use-ld=lld"])]),
  ]
}

// For `make tsan` and `make asan`: only the tests that they run and their dependencies, half of all targets.
if Context.environment["SUBTOP_SANITIZED"] != nil {
  let tests = ["ReceiptStoreTests", "SweepTests", "IntakeTests", "FilesTests"]
  let needed = [
    "CCurl", "CZlib", "Subscriptions", "Files", "AppStore", "ReceiptStore", "Intake", "Sweep", "FakeAppStore",
    "CPostgres", "Sharing", "TestSupport",
  ]
  package.products = []
  package.targets.removeAll { !(tests + needed).contains($0.name) }
}
