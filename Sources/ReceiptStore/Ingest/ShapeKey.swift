/// Tells shapes apart by their bytes, as the tables do: `String` takes two spellings of an accent for one.
struct ShapeKey: Hashable, ColumnValues {
  private var bytes: [UInt8]

  init() {
    bytes = []
    bytes.reserveCapacity(256)
  }

  /// Begins anew where it lies: a rebuild asks for some twenty a transaction.
  mutating func begin(table: String) {
    bytes.removeAll(keepingCapacity: true)
    bind(table)
  }

  /// All bytes at once, not one after the other.
  func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }

  mutating func bind(_ number: Int64?) {
    guard let number else { return bytes.append(0) }
    bytes.append(1)
    withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
  }

  mutating func bind(_ text: String?) {
    guard let text else { return bytes.append(0) }
    bytes.append(2)
    bytes.append(contentsOf: text.utf8)
    // No byte of UTF-8.
    bytes.append(0xFF)
  }
}
