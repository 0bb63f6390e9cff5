import ArgumentParser
import FakeAppStore
import Subscriptions

struct ServerAPIOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write the root certificate of signed data, in PEM. It is new at each start.",
      valueName: "file"))
  var writeRoot: String?

  @Option(
    help: ArgumentHelp(
      "Write the private key for signing requests, as a .p8 that only you can read.",
      valueName: "file"))
  var writeKey: String?

  @Option(help: ArgumentHelp("The issuer id of the key.", valueName: "uuid"))
  var issuerID = FakeStore.defaultIssuerID

  @Option(help: ArgumentHelp("The key id.", valueName: "id"))
  var keyID = FakeStore.defaultKeyID

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Requests per second for each app and endpoint; a tenth in the sandbox. (default: no limit)",
      valueName: "n"),
    transform: WrittenNumber.whole(1...1_000_000))
  var serverAPIRate: Int?

  @Option(
    name: .customLong("unreleased"), parsing: .singleValue,
    help: ArgumentHelp(
      "An app not yet in the App Store: its requests to production get 401. May be repeated.",
      valueName: "bundle-id"))
  var unreleased: [String] = []

  @Option(
    help: ArgumentHelp(
      "Post notifications to this address on this machine, over HTTP.", valueName: "url"))
  var notify: String?

  func validate() throws {
    if let notify {
      do {
        _ = try NotificationAddress(notify)
      } catch {
        throw ValidationError("--notify: \(error).")
      }
    }
  }

  func set(_ configuration: inout FakeAppStoreConfiguration) {
    configuration.issuerID = issuerID
    configuration.keyID = keyID
    configuration.serverAPIRate = serverAPIRate
    configuration.notificationAddress = notify.flatMap { try? NotificationAddress($0) }
    configuration.unreleasedApps = Set(unreleased.map(BundleID.init))
  }

  func writeFiles(of server: FakeAppStoreServer) throws(Output.Problem) {
    if let writeRoot { try Output.write(server.rootCertificatePEM, to: writeRoot, mode: 0o644) }
    if let writeKey { try Output.write(server.serverAPIKeyPEM, to: writeKey, mode: 0o600) }
  }
}
