/// How many answers go into one commit. More at once cost less each, but whoever else writes waits for as long as a commit takes: a
/// notification, of which Apple is told within 100 ms that it was kept.
package struct CommitSize: Sendable {
  /// Milliseconds that a commit is to take.
  package static let target = 30.0
  /// Below this the disk's part of a commit is most of it.
  package static let least = 4

  let most: Int
  package private(set) var value: Int

  /// Begins low: what an answer costs is not known yet.
  package init(most: Int) {
    self.most = max(most, 1)
    value = min(32, self.most)
  }

  /// - Parameters:
  ///   - count: answers of a commit.
  ///   - milliseconds: how long it took, waiting for others included.
  package mutating func take(_ count: Int, in milliseconds: Double) {
    guard count > 0 else { return }
    let fitting = Double(count) * Self.target / max(milliseconds, 0.1)
    // Half of the way: that one commit was slow may be the disk's doing, or somebody else's.
    let next = (Double(value) + min(fitting, 2 * Double(value))) / 2
    value = min(max(Int(next.rounded()), min(Self.least, most)), most)
  }
}
