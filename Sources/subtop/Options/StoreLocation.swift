import ArgumentParser
import Glibc
import ReceiptStore
import Subscriptions

/// Where the store and the configuration lie: all that commands ask which do something with the store's file alone.
struct StoreLocation: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The store's file. (default: $SUBTOP_STORE, else $XDG_DATA_HOME/subtop/subtop.sqlite)",
      valueName: "path"))
  var store: String?

  @OptionGroup var configurationFile: ConfigurationOption

  func validate() throws {
    try BlankValue.refuse(store, "the path of --store", "pass the store's file, or leave --store out")
    if store == nil { try checkVariables() }
    try UnexpandedTilde.refuse(path, "the store's path")
  }

  private func checkVariables() throws {
    guard let variable = getenv("SUBTOP_STORE") else {
      if let problem = Environment.problem(withFolderOf: "XDG_DATA_HOME") { throw ValidationError(problem) }
      return
    }
    let (name, advice) = ("the variable SUBTOP_STORE", "set it to the store's file, or unset it")
    if let problem = GivenText.problem(variable, name, advice) { throw ValidationError(problem) }
    try BlankValue.refuse(Environment.store, name, advice)
  }

  /// Empty where there is no place for one, which `place` and `open` refuse.
  var path: String { store ?? Environment.store ?? Environment.defaultStore ?? "" }

  /// The path, which is there.
  func place() throws(Failure) -> String {
    guard path.isEmpty else { return path }
    throw Failure(
      .configuration,
      "there is no place for the store, since neither HOME nor the account has a home directory; set SUBTOP_STORE or "
        + "XDG_DATA_HOME, or pass --store")
  }

  func open(_ access: StoreAccess, policy: DuePolicy = .standard) throws(Failure) -> ReceiptStore {
    let path = try place()
    return try withStoreFailures(ReceiptStore(path: path, access: access, policy: policy))
  }
}
