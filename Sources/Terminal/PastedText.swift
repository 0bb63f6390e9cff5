/// A paste as it comes in, character by character.
struct PastedText {
  /// Scalars that are kept; what comes beyond is left out, since nothing here takes so long a text.
  private static let most = 4096

  private(set) var text = ""
  private var count = 0

  mutating func add(_ value: UInt32) {
    guard count < Self.most, let scalar = Unicode.Scalar(value) else { return }
    count += 1
    text.unicodeScalars.append(scalar)
  }
}
