/// A line in scope together with its verdict at the question's instant.
struct JudgedLine {
  var line: Line
  var verdict: Verdict
  var product: ProductID { verdict.current.productID }
  var state: LineState { verdict.state }
  /// Something that is paid for now, with or without trouble.
  var isPaid: Bool { state == .active || state == .grace }
}
