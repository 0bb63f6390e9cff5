/// A line in scope together with its verdict at the question's instant.
struct JudgedLine {
  var line: Line
  var verdict: Verdict
  var product: ProductID { verdict.current.productID }
  var state: LineState { verdict.state }
}
