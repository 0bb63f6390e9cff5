import Subscriptions

/// Kind of an answer, full or partial. The kinds show different rows, so an answer never repeats one of the
/// other kind.
struct AnswerKind {
  var isPartial: Bool
  private static let mark = "partial "

  func digest(of answer: Answer) -> String { (isPartial ? Self.mark : "") + answer.digest.hexadecimal }
  func wrote(_ digest: String) -> Bool { digest.hasPrefix(Self.mark) == isPartial }
}
