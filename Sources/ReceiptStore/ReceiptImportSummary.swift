/// What an import of receipts came to.
public struct ReceiptImportSummary: Hashable, Sendable {
  /// Those that the store did not have.
  public var new: Int
  /// Those that the store had without their contents, or with others than they were: they are due at once.
  public var mended: Int
  /// Those that the store had for another app than they come with now: they are due at once.
  public var moved: Int
  /// Those of an id that the store had for another app, while answers tell that it is of this one: they are not asked about any more.
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
