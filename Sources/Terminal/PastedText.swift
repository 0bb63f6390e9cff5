struct PastedText {
  /// Maximum number of scalars. Further ones are dropped, since no input is that long.
  private static let most = 4096

  private(set) var text = ""
  private var count = 0

  mutating func add(_ value: UInt32) {
    guard count < Self.most, let scalar = Unicode.Scalar(value) else { return }
    count += 1
    text.unicodeScalars.append(scalar)
  }
}
