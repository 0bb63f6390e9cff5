/// Adapts the number of answers per commit. Larger commits cost less per answer, but they block other writers
/// longer, such as a notification that has to be stored and acknowledged within 100 ms.
package struct CommitSize: Sendable {
  /// Desired duration of a commit, in milliseconds.
  package static let target = 30.0
  /// Minimum number of answers. In smaller commits, the disk dominates the cost.
  package static let least = 4

  let most: Int
  package private(set) var value: Int

  /// Starts with a low value because the cost of an answer is not known yet.
  package init(most: Int) {
    self.most = max(most, 1)
    value = min(32, self.most)
  }

  /// Adapts the value to the duration of a commit.
  ///
  /// - Parameters:
  ///   - count: answers in the commit.
  ///   - milliseconds: its duration, including waits for other writers.
  package mutating func take(_ count: Int, in milliseconds: Double) {
    guard count > 0 else { return }
    let fitting = Double(count) * Self.target / max(milliseconds, 0.1)
    // Moves only half way, since the disk or another writer may have slowed down this one commit.
    let next = (Double(value) + min(fitting, 2 * Double(value))) / 2
    value = min(max(Int(next.rounded()), min(Self.least, most)), most)
  }
}
