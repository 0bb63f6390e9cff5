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

  func sweepOptions(
    _ configuration: ConfigurationFile, concurrency: Int = 16, limit: Int? = nil
  ) throws(Failure)
    -> SweepOptions
  {
    SweepOptions(
      production: try endpoint(productionUrl ?? configuration.productionURL, else: .production),
      sandbox: try endpoint(sandboxUrl ?? configuration.sandboxURL, else: .sandbox), concurrency: concurrency,
      limit: limit)
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
