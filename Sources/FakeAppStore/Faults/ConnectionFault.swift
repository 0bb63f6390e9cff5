/// What goes wrong before the first byte of HTTP.
public enum ConnectionFault: String, Sendable, Hashable, CaseIterable {
  case refuse
  case slowHandshake = "slow-handshake"
  case badCertificate = "bad-certificate"

  var summary: String {
    switch self {
    case .refuse: "the connection is reset as soon as it is made"
    case .slowHandshake: "the server lets the client wait for its first word of TLS"
    case .badCertificate: "TLS with a certificate of another host, signed by nobody; nothing without TLS"
    }
  }
}
