import ArgumentParser
import FakeAppStore
import Subscriptions

struct ServerAPIOptions: ParsableArguments {
  @Option(help: "Write the root certificate of signed data, in PEM. It is new at each start.")
  var writeRoot: String?

  @Option(help: "Write the private key for signing requests, as a .p8 that only you can read.")
  var writeKey: String?

  @Option(help: "The issuer id of the key.")
  var issuerID = FakeStore.defaultIssuerID

  @Option(help: "The key id.")
  var keyID = FakeStore.defaultKeyID

  @Option(
    help: "Post notifications to this address on this machine, over HTTP.",
    transform: { text in
      do {
        return try NotificationAddress(text)
      } catch {
        throw ValidationError("\(error)")
      }
    })
  var notify: NotificationAddress?

  func set(_ configuration: inout FakeAppStoreConfiguration) {
    (configuration.issuerID, configuration.keyID) = (issuerID, keyID)
    configuration.notificationAddress = notify
  }

  func writeFiles(of server: FakeAppStoreServer) throws(Output.Problem) {
    if let writeRoot { try Output.write(server.rootCertificatePEM, to: writeRoot, mode: 0o644) }
    if let writeKey { try Output.write(server.serverAPIKeyPEM, to: writeKey, mode: 0o600) }
  }
}
