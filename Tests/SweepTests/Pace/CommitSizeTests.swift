import Sweep
import Testing

@Suite struct CommitSizeTests {
  /// Answers of the commits that follow, each of which costs so many milliseconds and so many for each answer.
  private func sizes(commit: Double, answer: Double, most: Int = 128) -> [Int] {
    var size = CommitSize(most: most)
    return (0..<40).map { _ in
      defer { size.take(size.value, in: commit + answer * Double(size.value)) }
      return size.value
    }
  }

  @Test func costlyAnswersAreCommittedInTheTimeThatOthersMayWait() {
    let last = sizes(commit: 2, answer: 3).suffix(10)
    #expect(last.allSatisfy { (8...11).contains($0) })
  }

  @Test func cheapAnswersAreCommittedByThePage() {
    #expect(sizes(commit: 2, answer: 0.1).last == 128)
  }

  @Test func aSlowDiskDoesNotMakeACommitOfEach() {
    #expect(sizes(commit: 500, answer: 1).last == CommitSize.least)
  }

  @Test func oneSlowCommitIsForgotten() {
    var size = CommitSize(most: 128)
    for _ in 0..<20 { size.take(size.value, in: 0.1 * Double(size.value)) }
    size.take(size.value, in: 5000)
    #expect(size.value >= 64)
    for _ in 0..<5 { size.take(size.value, in: 0.1 * Double(size.value)) }
    #expect(size.value == 128)
  }

  @Test func itStaysWithinWhatThereIs() {
    #expect(sizes(commit: 0, answer: 0, most: 1).allSatisfy { $0 == 1 })
    var size = CommitSize(most: 0)
    size.take(0, in: 0)
    #expect(size.value == 1)
  }
}
