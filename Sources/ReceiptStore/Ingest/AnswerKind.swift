import Subscriptions

/// Full answers and partial ones show different rows, so none is ever taken for a repetition of the other kind.
struct AnswerKind {
  var isPartial: Bool
  private static let mark = "partial "

  func digest(of answer: Answer) -> String { (isPartial ? Self.mark : "") + answer.digest.hexadecimal }
  func wrote(_ digest: String) -> Bool { digest.hasPrefix(Self.mark) == isPartial }
}
