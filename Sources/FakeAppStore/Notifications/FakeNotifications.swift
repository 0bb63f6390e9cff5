import AppStore
import Subscriptions

/// A population's notifications as they would be posted, without a server, signed by a certificate authority of their own.
public struct FakeNotifications: Sendable {
  private let centre: NotificationCentre

  /// Nil where libcrypto makes no keys.
  public init?(of population: FakePopulation) {
    guard let signer = FakeSigner() else { return nil }
    centre = NotificationCentre(population, signer: signer, log: nil)
  }

  /// What to trust, in PEM.
  public var rootCertificatePEM: String { centre.signer.authority.root.pem }

  /// Bodies of what happens after an instant and up to another, the oldest first. Each is made when it is asked for.
  public func bodies(after from: Instant, upTo until: Instant) -> some Sequence<[UInt8]> {
    let key = NotificationAgenda.Key(at: from, index: .max, order: 0)
    return centre.agenda.entries(after: key, upTo: until).lazy.map { centre.payload(of: $0).body }
  }
}
