import ArgumentParser
import Subscriptions
import Sweep

struct AppStoreOptions: ParsableArguments {
  @Option(help: .address("URL of verifyReceipt")) var productionUrl: String?
  @Option(help: .address("URL of the sandbox's verifyReceipt")) var sandboxUrl: String?
  @Option(help: .address("URL of the Server API")) var serverApiUrl: String?
  @Option(help: .address("URL of the sandbox's Server API")) var serverApiSandboxUrl: String?

  func sweepOptions(_ configuration: ConfigurationFile) throws(Failure) -> SweepOptions {
    var options = configuration.sweep
    options.production = try Self.endpoint(productionUrl, configuration.productionURL, else: .production)
    options.sandbox = try Self.endpoint(sandboxUrl, configuration.sandboxURL, else: .sandbox)
    options.serverAPI = try Self.endpoint(serverApiUrl, configuration.serverAPIURL, else: .serverAPI)
    options.serverAPISandbox = try Self.endpoint(
      serverApiSandboxUrl, configuration.serverAPISandboxURL, else: .serverAPISandbox)
    if configuration.rootCertificateFile != nil,
      !options.serverAPI.isLoopback || !options.serverAPISandbox.isLoopback,
      configuration.hasKeys
    {
      throw Failure(
        .configuration,
        "root_certificate_file of the configuration file \(configuration.path) is only for an App Store on this machine; "
          + "set server_api_url and server_api_sandbox_url to addresses on localhost, or omit root_certificate_file to trust Apple's certificate"
      )
    }
    // Apps that are not configured are queried, too, if there is a primary secret or key.
    let listsEveryApp = configuration.primarySecret.isEmpty && configuration.primaryKey.isEmpty
    if listsEveryApp, !configuration.apps.isEmpty { options.ourApps = Set(configuration.apps.keys) }
    // Machines that divide an app's customers share Apple's limit.
    if let part = configuration.shared.flatMap({ PartShare(argument: $0.part) }) {
      options.serverAPIRate = options.serverAPIRate.map { $0 / Double(part.count) }
    }
    return options
  }

  static func endpoint(
    _ option: String?, _ configured: String?, else standard: AppStoreEndpoint
  ) throws(Failure) -> AppStoreEndpoint {
    guard let text = option ?? configured else { return standard }
    do throws(EndpointError) {
      return try AppStoreEndpoint(text)
    } catch {
      throw Failure(option == nil ? .configuration : .usage, error.description)
    }
  }
}

extension ArgumentHelp {
  fileprivate static func address(_ what: String) -> ArgumentHelp {
    ArgumentHelp(
      "\(what); https, or http only on this machine. (default: Apple's)", valueName: "url")
  }
}
