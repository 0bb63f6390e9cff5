import ArgumentParser
import Subscriptions
import Sweep

/// Where receipts are sent.
struct AppStoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Production's verifyReceipt; https, or http on this machine alone. (default: Apple's)", valueName: "url"
    ))
  var productionUrl: String?

  @Option(
    help: ArgumentHelp(
      "The sandbox's verifyReceipt; https, or http on this machine alone. (default: Apple's)",
      valueName: "url"))
  var sandboxUrl: String?

  /// What the configuration says of sweeping, and where the command line says otherwise.
  func sweepOptions(_ configuration: ConfigurationFile) throws(Failure) -> SweepOptions {
    var options = configuration.sweep.options
    options.production = try endpoint(productionUrl ?? configuration.productionURL, else: .production)
    options.sandbox = try endpoint(sandboxUrl ?? configuration.sandboxURL, else: .sandbox)
    // The primary secret vouches for apps that nobody listed.
    let listsEveryApp =
      configuration.primarySecret.environment == nil && configuration.primarySecret.file == nil
    if listsEveryApp, !configuration.apps.isEmpty { options.ourApps = Set(configuration.apps.keys) }
    return options
  }

  private func endpoint(_ text: String?, else standard: AppStoreEndpoint) throws(Failure) -> AppStoreEndpoint
  {
    guard let text else { return standard }
    do throws(EndpointError) {
      return try AppStoreEndpoint(text)
    } catch {
      throw Failure(.usage, error.description)
    }
  }
}
