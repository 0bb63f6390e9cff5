import ArgumentParser
import ReceiptStore
import Subscriptions

/// Options of every command that reads what is in the store.
struct StoreOptions: ParsableArguments {
  @OptionGroup var location: StoreLocation

  @OptionGroup var configurationFile: ConfigurationOption

  @Option(help: "Whose subscriptions are counted: production, sandbox or all.")
  var environment: EnvironmentScope = .production

  @Option(
    help: ArgumentHelp(
      "The as-of instant, ISO 8601 or milliseconds since 1970, by what was known then. (default: now)",
      valueName: "instant"))
  var at: Instant?

  func validate() throws { try configurationFile.check() }

  var path: String { location.path }

  func open(
    _ access: StoreAccess = .readWrite, policy: DuePolicy = .standard
  ) throws(Failure) -> ReceiptStore {
    try location.open(access, policy: policy)
  }

  /// Opens the store for writing, and has it tell amounts in the reporting currency that is configured.
  func openForWriting(_ configuration: ConfigurationFile) throws(Failure) -> ReceiptStore {
    let store = try open(policy: configuration.duePolicy)
    guard let currency = configuration.reportingCurrency else { return store }
    let meter = StoreProgress("telling amounts in \(currency)")
    defer { meter.end() }
    try withStoreFailures { () throws(StoreError) in
      guard try store.reportingCurrency() != currency else { return }
      try store.rebuild(reporting: currency, progress: meter.watch)
    }
    return store
  }

  func configuration() throws(Failure) -> ConfigurationFile {
    _ = try location.place()
    return try ConfigurationFile(path: configurationFile.config)
  }
}

extension EnvironmentScope: ExpressibleByArgument {}

extension Instant: ExpressibleByArgument {
  /// Of our era, and of four digits' years: no figure can be asked for at the ends of time.
  public init?(argument: String) {
    guard let instant = Instant(parsing: argument), abs(instant.rawValue / Milliseconds.day) < 2_932_897
    else {
      return nil
    }
    self = instant
  }
}

extension Panel: ExpressibleByArgument {}

extension MovementSplit: ExpressibleByArgument {}

extension ProductID: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

/// Days of a window: `28d`, `28`, or `all`.
struct WindowDays: ExpressibleByArgument {
  /// Nil is all that is known.
  let days: Int?

  /// A hundred years, which are more than the App Store has.
  static let limits = 1...36_500

  init?(argument: String) {
    if argument == "all" {
      days = nil
      return
    }
    let digits = argument.hasSuffix("d") ? String(argument.dropLast()) : argument
    guard let days = Int(digits), Self.limits.contains(days) else { return nil }
    self.days = days
  }
}
