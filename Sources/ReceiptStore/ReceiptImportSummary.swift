/// Numbers of receipts and customers that an import added or changed.
public struct ReceiptImportSummary: Hashable, Sendable {
  /// Receipts that were not in the store.
  public var new: Int
  /// Receipts whose contents were missing or different in the store; they are due at once.
  public var mended: Int
  /// Receipts that the store had under another app; they are due at once.
  public var moved: Int
  /// Ids stored under an app that answers have disproved; they are given up.
  public var givenUp: Int

  public init(new: Int = 0, mended: Int = 0, moved: Int = 0, givenUp: Int = 0) {
    (self.new, self.mended, self.moved, self.givenUp) = (new, mended, moved, givenUp)
  }

  static func += (summary: inout Self, other: Self) {
    summary.new += other.new
    summary.mended += other.mended
    summary.moved += other.moved
    summary.givenUp += other.givenUp
  }
}
