import ArgumentParser

/// Reads where redirects are to lead: it goes out as a header.
enum RedirectTarget {
  /// Throws a `ValidationError` that says what to write instead.
  @Sendable static func read(_ text: String) throws -> String {
    let schemes = ["http://", "https://"]
    guard let scheme = schemes.first(where: text.lowercased().hasPrefix),
      let first = text.dropFirst(scheme.count).first, !"/?#:".contains(first),
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else {
      throw ValidationError(
        "write an address that begins with http:// or https://, as http://127.0.0.1:9/verifyReceipt")
    }
    return text
  }
}
