import AppStore

extension SharedSecret {
  /// Whether a notification brought this secret. How long it takes tells nothing of the secret's content.
  public func matches(_ password: NotificationPassword) -> Bool {
    Self.areSame(Array(text.utf8), Array(password.text.utf8))
  }

  /// Looks at every byte of what was given, wherever the first difference lies.
  package static func areSame(_ secret: [UInt8], _ given: [UInt8]) -> Bool {
    guard !secret.isEmpty else { return given.isEmpty }
    var difference = secret.count ^ given.count
    for index in given.indices { difference |= Int(secret[index % secret.count] ^ given[index]) }
    return difference == 0
  }
}
