import Testing

/// What holds an answer against what is expected must itself see a difference.
@Suite("Expectations of scenarios")
struct ExpectationTests {
  struct Comparison: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var answer: String
    var expected: String
    var shortcomings: [String]
  }

  @Test(arguments: [
    Comparison(
      testDescription: "keys that are not asked for", answer: #"{"a": 1, "b": [{"c": 2}]}"#,
      expected: #"{"b": [{"because": "…", "c": 2}]}"#, shortcomings: []),
    Comparison(
      testDescription: "another value", answer: #"{"b": [{"c": 2}]}"#, expected: #"{"b": [{"c": 3}]}"#,
      shortcomings: ["b[0].c: 2 instead of 3"]),
    Comparison(
      testDescription: "null is a value", answer: #"{"a": null}"#, expected: #"{"a": 0, "b": null}"#,
      shortcomings: ["a: null instead of 0", "b: there is no such key"]),
    Comparison(
      testDescription: "a list is whole", answer: #"{"a": [1, 2]}"#, expected: #"{"a": [1]}"#,
      shortcomings: ["a: 2 elements instead of 1: [1, 2]"]),
    Comparison(
      testDescription: "an instant written out", answer: #"{"at_ms": 1772323200000, "x_ms": 1}"#,
      expected: #"{"at_ms": "2026-03-01T00:00:00Z", "x_ms": "2026-03-01T00:00:00Z"}"#,
      shortcomings: [#"x_ms: 1 instead of "2026-03-01T00:00:00Z""#]),
    Comparison(
      testDescription: "parts of why", answer: #"{"why": "expired 9 d ago"}"#,
      expected: #"{"why_contains": ["expired", "8 d"]}"#,
      shortcomings: [#"why_contains: "8 d" is not in "expired 9 d ago""#]),
  ])
  func areComparedKeyByKey(_ comparison: Comparison) throws {
    let answer = try JSON(Array(comparison.answer.utf8))
    let expected = try JSON(Array(comparison.expected.utf8))
    #expect(answer.shortcomings(of: expected) == comparison.shortcomings)
  }

  @Test(arguments: [
    #"{"chain": {}}"#, #"{"reports": [{"panel": "active", "datum": {"paid": 1}}]}"#,
    #"{"chains": {"1": [{"at": "yesterday", "lines": []}]}}"#,
    #"{"chains": {"1": [{"at": "2026-03-01T00:00:00Z", "because": "…"}]}}"#,
  ])
  func areRefusedWhereTheySayNothingOrTheUnknown(_ text: String) throws {
    #expect(throws: ScenarioError.self) { try ExpectedScenario(JSON(Array(text.utf8))) }
  }
}
