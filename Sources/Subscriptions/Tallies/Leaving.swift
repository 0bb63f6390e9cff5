/// METRICS §4, Churn rate: when a line that was lost counts among those that a window's start had, by the window's end, for
/// windows of some lengths.
///
/// Mostly it ceases to when the window no longer holds the loss. Then its anchor tells for all lengths at once: those with
/// anchors up to a window's start are taken off.
public enum Leaving {
  /// In days: the lengths that people look at most. For others, and for some products, the lines are looked at.
  public static let windows: [Int64] = [7, 28, 30, 90, 365]

  /// A stretch of time in which a line was active and paid.
  struct Paid: Hashable {
    var from: Instant
    /// First instant after it.
    var until: Instant
  }

  /// What `TallyKey.detail` spells.
  public struct Detail: Hashable, Sendable {
    /// Whether it is told by the anchor, and holds a window's length later; the other way round by then.
    public var isAnchored: Bool
    /// The places of the lengths among `windows`, as bits.
    private var lengths: Int

    public func holds(forDays days: Int64) -> Bool {
      windows.firstIndex(of: days).map { lengths & 1 << $0 != 0 } ?? false
    }

    fileprivate init(isAnchored: Bool, places: [Int]) {
      self.isAnchored = isAnchored
      lengths = places.reduce(0) { $0 | 1 << $1 }
    }

    fileprivate var text: String { "\(isAnchored ? "1" : "0") \(lengths)" }

    /// Reads `text`.
    public init?(_ text: String) {
      let words = text.split(separator: " ")
      guard words.count == 2, let lengths = Int(words[1]) else { return nil }
      isAnchored = words[0] == "1"
      self.lengths = lengths
    }
  }
}

extension AnchoredSpell {
  /// For windows that end at these instants: the line was lost in them and still is, and was paid at their start.
  ///
  /// - Parameter paid: when the line was active and paid, in order of time.
  func leavingMarks(_ paid: [Leaving.Paid], in environment: StoreEnvironment) -> [TallyMark] {
    var begun: [Instant: [Int]] = [:]
    var ended: [Instant: [Int]] = [:]
    var outlived: [Int] = []
    for (place, days) in Leaving.windows.enumerated() {
      let length = days * Milliseconds.day
      let (least, last) = (max(from, anchor), min(until, anchor + length))
      let first = paid[..<paidBefore].firstPlace { $0.until + length > least }
      for stretch in paid[first..<paidBefore] {
        let (start, end) = (max(least, stretch.from + length), min(last, stretch.until + length))
        guard start < end else { break }
        begun[start, default: []].append(place)
        if end == anchor + length { outlived.append(place) } else { ended[end, default: []].append(place) }
      }
    }
    func mark(_ at: Instant, _ places: [Int], isAnchored: Bool, _ count: Int64) -> TallyMark {
      let detail = Leaving.Detail(isAnchored: isAnchored, places: places)
      return TallyMark(at, TallyKey(.leaving, environment, detail: detail.text), TallyValue(count: count))
    }
    return begun.map { mark($0, $1, isAnchored: false, 1) }
      + ended.map { mark($0, $1, isAnchored: false, -1) }
      + (outlived.isEmpty ? [] : [mark(anchor, outlived, isAnchored: true, -1)])
  }
}

extension ArraySlice {
  /// The first place from which on a condition holds; the end where it holds nowhere.
  fileprivate func firstPlace(where condition: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
