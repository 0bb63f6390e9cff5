import ArgumentParser
import FakeAppStore
import Glibc
import Subscriptions

struct Serve: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serve verifyReceipt and the Server API (the default).",
    discussion: "Kinds of --fault:\n\n\(FaultOption.kinds)")

  @OptionGroup var population: PopulationOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The port on 127.0.0.1; 0 selects a free one. (default: 8765)", valueName: "n"),
    transform: WrittenNumber.whole(0...65_535))
  var port = 8765

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Speed of the clock; 86400 is a day per second. (default: 1)", valueName: "x"),
    transform: WrittenNumber.decimal(0...1e9))
  var clockSpeed = 1.0

  @Option(
    name: .customLong("shared-secret"), parsing: .singleValue,
    help: ArgumentHelp(
      "Secret that requests must contain, for every app, or BUNDLE-ID=SECRET for one. May be repeated.",
      valueName: "secret"), transform: { try SecretOption(reading: $0) })
  var secrets: [SecretOption] = []

  @OptionGroup(title: "Server API") var serverAPI: ServerAPIOptions

  @Option(
    name: .customLong("fault"), parsing: .singleValue,
    help: ArgumentHelp("Inject a fault at this rate, from 0 to 1. May be repeated.", valueName: "kind=rate"),
    transform: FaultOption.read)
  var faults: [[FaultRate]] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Seconds in Retry-After. (default: 1)", valueName: "s"),
    transform: WrittenNumber.whole(0...86_400))
  var retryAfter = 1

  @Option(
    help: ArgumentHelp(
      "Target of redirects. (default: a working page of this server)", valueName: "url"),
    transform: RedirectTarget.read)
  var redirectTarget: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Milliseconds to delay every answer. (default: 0)", valueName: "ms"),
    transform: WrittenNumber.whole(0...600_000))
  var latency: Int64 = 0

  func validate() throws {
    let texts = [
      (serverAPI.writeRoot, "the path of --write-root", "pass the file to be made"),
      (serverAPI.writeKey, "the path of --write-key", "pass the file to be made"),
      (serverAPI.issuerID, "the id of --issuer-id", "pass one"),
      (serverAPI.keyID, "the id of --key-id", "pass one"),
    ]
    for (text, name, advice) in texts
      + serverAPI.unreleased.map({ ($0, "the app of --unreleased", "pass its bundle id") })
    {
      if let problem = BlankValue.problem(text, name, "\(advice), or leave the option out") {
        throw ValidationError(problem)
      }
    }
  }

  func run() throws {
    let server = FakeAppStoreServer(configuration)
    let port = try server.start()
    try serverAPI.writeFiles(of: server)
    print("listening on http://127.0.0.1:\(port)")
    fflush(nil)
    // Signals end the process, since nothing needs to be saved.
    while true { pause() }
  }

  private var configuration: FakeAppStoreConfiguration {
    var configuration = FakeAppStoreConfiguration(clock: population.clock(speed: clockSpeed))
    configuration.subscribers = population.subscribers
    configuration.seed = population.seed
    configuration.apps = population.apps
    configuration.stories = population.stories
    configuration.port = port
    for option in secrets {
      if let app = option.bundleID {
        configuration.sharedSecrets[app] = option.secret
      } else {
        configuration.sharedSecret = option.secret
      }
    }
    serverAPI.set(&configuration)
    configuration.faults = faults.flatMap(\.self)
    configuration.faultSettings.retryAfter = retryAfter
    configuration.faultSettings.redirectTarget = redirectTarget
    configuration.latency = latency
    configuration.receiptPadding = population.receiptPadding
    return configuration
  }
}

/// Parser of the address that redirects lead to, which is sent in a header.
enum RedirectTarget {
  /// - Throws: `ValidationError` that says what to write instead.
  @Sendable static func read(_ text: String) throws -> String {
    let schemes = ["http://", "https://"]
    guard let scheme = schemes.first(where: text.lowercased().hasPrefix),
      let first = text.dropFirst(scheme.count).first, !"/?#:".contains(first),
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else {
      throw ValidationError(
        "write an address that begins with http:// or https://, as http://127.0.0.1:9/verifyReceipt")
    }
    return text
  }
}

/// `SECRET` for every app, or `BUNDLE-ID=SECRET` for one.
struct SecretOption {
  let bundleID: BundleID?
  let secret: String

  /// - Throws: `ValidationError` that says what to write instead.
  init(reading argument: String) throws {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
      String.init)
    guard let last = parts.last, !parts.contains(where: { $0.allSatisfy(\.isWhitespace) }) else {
      throw ValidationError("write a secret, or BUNDLE-ID=SECRET, of which neither is blank")
    }
    bundleID = parts.count == 2 ? BundleID(parts[0]) : nil
    secret = last
  }
}

/// `KIND=RATE`, or `all=RATE` to share a rate among all temporary kinds.
enum FaultOption {
  /// - Throws: `ValidationError` that says what to write instead.
  @Sendable static func read(_ argument: String) throws -> [FaultRate] {
    if argument.hasPrefix("all="), let rate = Double(argument.dropFirst(4)), (0...1).contains(rate) {
      return .sharing(rate, among: Fault.allCases.filter { !$0.isFinal })
    }
    guard let rate = FaultRate(parsing: argument) else {
      throw ValidationError(
        "write KIND=RATE, as reset=0.1, with a rate from 0 to 1; `fake-app-store help serve` lists the kinds")
    }
    return [rate]
  }

  /// Table of all kinds, for `--help`.
  static var kinds: String {
    let width = Fault.allCases.map(\.name.count).max() ?? 0
    let lines = Fault.allCases.map { fault in
      "  " + fault.name + String(repeating: " ", count: width + 2 - fault.name.count) + fault.summary
    }
    return lines.joined(separator: "\n") + """

        \("all") \(String(repeating: " ", count: max(0, width - 2)))all kinds, except those after which retrying is useless

      Other statuses of verifyReceipt, 21000 to 21010 and 21100 to 21199, are kinds too.
      """
  }
}
