extension CurrencyCode {
  /// Returns `nil` unless the text is three letters from A to Z.
  public init?(iso4217 text: String) {
    guard text.utf8.count == 3, text.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else { return nil }
    self.init(rawValue: text)
  }
}
