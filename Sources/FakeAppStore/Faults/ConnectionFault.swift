/// What goes wrong before the first byte of HTTP.
public enum ConnectionFault: String, Sendable, Hashable, CaseIterable {
  case refuse
  case slowHandshake = "slow-handshake"
  case badCertificate = "bad-certificate"

  var summary: String {
    switch self {
    case .refuse: "the connection is reset as soon as it is made"
    case .slowHandshake: "TLS begins three seconds late"
    case .badCertificate: "the certificate is another host's, or signed by itself"
    }
  }
}
