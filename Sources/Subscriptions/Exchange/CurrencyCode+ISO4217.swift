extension CurrencyCode {
  /// Nil for what is not three letters of A to Z, as every code of ISO 4217 is.
  public init?(iso4217 text: String) {
    guard text.utf8.count == 3, text.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else { return nil }
    self.init(rawValue: text)
  }
}
