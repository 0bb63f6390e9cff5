/// Where notifications are posted to: over HTTP, on this machine alone.
public struct NotificationAddress: Sendable, Hashable {
  public let host: String
  public let port: Int
  /// With what comes after it.
  public let path: String

  /// Why an address is refused, in a sentence.
  public struct Problem: Error, Sendable, CustomStringConvertible {
    public let description: String
  }

  public init(_ text: String) throws(Problem) {
    guard text.hasPrefix("http://") else {
      throw Problem(
        description:
          "notifications cannot be posted there: the address has to begin with http:// and to be on this machine"
      )
    }
    let rest = text.dropFirst(7)
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let place = rest.dropFirst(authority.count)
    let (name, number) = Self.parts(of: authority)
    guard ["127.0.0.1", "localhost", "[::1]"].contains(name) else {
      throw Problem(
        description:
          "notifications cannot be posted there: the fake App Store posts to 127.0.0.1, localhost and [::1] alone"
      )
    }
    guard let port = number.isEmpty ? 80 : Int(number), (1...65_535).contains(port) else {
      throw Problem(description: "notifications cannot be posted there: its port is none from 1 to 65535")
    }
    host = name == "[::1]" ? "::1" : String(name)
    self.port = port
    path = place.first == "/" ? String(place) : "/" + place
  }

  private static func parts(of authority: Substring) -> (Substring, Substring) {
    let end = authority.lastIndex(of: "]") ?? authority.startIndex
    guard let colon = authority[end...].lastIndex(of: ":") else { return (authority, "") }
    let port = authority[authority.index(after: colon)...]
    // A colon without a number behind it is a mistake.
    return (authority[..<colon], port.isEmpty ? "0" : port)
  }
}
