/// METRICS §4, Churn rate: from when to when a line that was lost counts among those that a window's start had, for windows of
/// some lengths. A window as long begins at every instant, so that each answer is a sum of what began and ended before its end.
public enum Leaving {
  /// In days: the lengths that people look at most. For others the lines are looked at.
  public static let windows: [Int64] = [7, 28, 30, 90, 365]

  /// A stretch of time in which a line was active and paid.
  struct Paid: Hashable {
    var from: Instant
    /// First instant after it.
    var until: Instant
    var product: ProductID
  }

  /// What `TallyKey.detail` spells.
  public struct Detail: Hashable, Sendable {
    /// Of the window.
    public var days: Int64
    /// That the line is counted by when it is lost; the key's own is what it was at the start.
    public var product: ProductID

    var text: String { "\(days) \(product)" }

    /// Reads `text`.
    public init?(_ text: String) {
      let words = text.utf8.split(
        separator: UInt8(ascii: " "), maxSplits: 1, omittingEmptySubsequences: false)
      guard words.count == 2, let days = Int64(Substring(words[0])) else { return nil }
      self.init(days: days, product: ProductID(String(Substring(words[1]))))
    }

    init(days: Int64, product: ProductID) {
      self.days = days
      self.product = product
    }
  }
}

extension AnchoredSpell {
  /// For windows that end at these instants: the line was lost in them and still is, and was paid at their start.
  func leavingMarks(in environment: StoreEnvironment) -> [TallyMark] {
    Leaving.windows.flatMap { days in
      paid.flatMap { paid -> [TallyMark] in
        let length = days * Milliseconds.day
        let first = max(from, anchor, paid.from + length)
        let end = min(until, anchor + length, paid.until + length)
        guard first < end else { return [] }
        let detail = Leaving.Detail(days: days, product: key.product)
        let key = TallyKey(.leaving, environment, product: paid.product, detail: detail.text)
        return [TallyMark(first, key), TallyMark(end, key, TallyValue(count: -1))]
      }
    }
  }
}
