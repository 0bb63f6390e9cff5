import ArgumentParser
import ReceiptStore
import Subscriptions

/// Options of every command that reads what is in the store.
struct StoreOptions: ParsableArguments {
  @OptionGroup var location: StoreLocation

  @Option(help: "Whose subscriptions are counted: production, sandbox or all.")
  var environment: EnvironmentScope = .production

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The as-of instant, ISO 8601 or milliseconds since 1970, by what was known then. (default: now)",
      valueName: "instant"), transform: WrittenInstant.read)
  var at: Instant?

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
    if try withStoreFailures(store.reportingCurrency() != currency) {
      try withStoreFailures(store.rebuild(reporting: currency, progress: meter.watch))
    }
    return store
  }

  func configuration() throws(Failure) -> ConfigurationFile {
    _ = try location.place()
    return try ConfigurationFile(path: location.configurationFile.config)
  }
}

extension EnvironmentScope: ExpressibleByArgument {}

extension Panel: ExpressibleByArgument {}

extension MovementSplit: ExpressibleByArgument {}

extension ProductID: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}
