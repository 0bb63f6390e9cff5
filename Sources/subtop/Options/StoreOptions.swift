import ArgumentParser
import ReceiptStore
import Subscriptions

struct ConfigurationOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The configuration file. (default: $XDG_CONFIG_HOME/subtop/config.toml)", valueName: "path"))
  var config: String?

  /// Checks only a file given by --config; a backup or restore works despite an error in the default file.
  func checkNamed() throws {
    if config != nil { _ = try ConfigurationFile(path: config) }
  }
}

/// Locations of the store and the configuration, for commands that work on the store's file.
struct StoreLocation: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The store's file. (default: $SUBTOP_STORE, else $XDG_DATA_HOME/subtop/subtop.sqlite)",
      valueName: "path"))
  var store: String?

  @OptionGroup var configurationFile: ConfigurationOption

  /// Path of the store; empty if none is known, and `place()` and `open(_:policy:)` then throw an error.
  var path: String { store ?? Environment.store ?? Environment.defaultStore ?? "" }

  func place() throws -> String {
    guard path.isEmpty else { return path }
    throw Failure(
      .configuration,
      "cannot locate the store: neither --store nor SUBTOP_STORE is given, and there is no home directory; set SUBTOP_STORE or XDG_DATA_HOME, "
        + "or pass --store")
  }

  func open(_ access: StoreAccess, policy: DuePolicy = .standard) throws -> ReceiptStore {
    let path = try place()
    return try ReceiptStore(path: path, access: access, policy: policy)
  }
}

struct StoreOptions: ParsableArguments {
  @OptionGroup var location: StoreLocation

  @Option(help: "Environment to count: production, sandbox or all.")
  var environment: EnvironmentScope = .production

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Show what was known at this instant, ISO 8601 or milliseconds since 1970. (default: now)",
      valueName: "instant"), transform: WrittenInstant.read)
  var at: Instant?

  var path: String { location.path }

  func open(
    _ access: StoreAccess = .readWrite, policy: DuePolicy = .standard
  ) throws -> ReceiptStore {
    try location.open(access, policy: policy)
  }

  func openForWriting(_ configuration: ConfigurationFile) throws -> ReceiptStore {
    let store = try open(policy: configuration.duePolicy)
    guard let currency = configuration.reportingCurrency else { return store }
    if try store.reportingCurrency() != currency {
      try showingProgress("converting amounts to \(currency)") {
        try store.rebuild(reporting: currency, progress: $0)
      }
    }
    return store
  }

  func configuration() throws -> ConfigurationFile {
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
