import AppStore

extension SharedSecret {
  /// Whether a notification brought this secret. How long it takes tells nothing of the secret's content.
  public func matches(_ password: NotificationPassword) -> Bool {
    var given = password.text
    return given.withUTF8 { given in
      bytes.withBytes { Self.areSame($0, UnsafeRawBufferPointer(given)) }
    }
  }

  /// Looks at every byte of what was given, wherever the first difference lies.
  package static func areSame(
    _ secret: some RandomAccessCollection<UInt8>, _ given: some RandomAccessCollection<UInt8>
  ) -> Bool {
    guard !secret.isEmpty else { return given.isEmpty }
    var difference = secret.count ^ given.count
    var place = secret.startIndex
    for byte in given {
      difference |= Int(secret[place] ^ byte)
      place = secret.index(after: place)
      if place == secret.endIndex { place = secret.startIndex }
    }
    return difference == 0
  }
}
