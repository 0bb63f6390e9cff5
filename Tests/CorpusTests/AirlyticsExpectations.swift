import TestSupport

/// A line of EXPECTED.md: what one of their tests asserts about which answers.
struct AirlyticsExpectation: Sendable {
  let name: String
  let fixtures: [String]
  let assertions: [String]
  let isEventTest: Bool

  static let all: [AirlyticsExpectation] = {
    guard Corpus.isPresent, let bytes = Corpus.bytes(of: "IBM__airlytics-backend/EXPECTED.md") else {
      return []
    }
    var isEventTest = false
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
      if line.hasPrefix("## ") { isEventTest = !line.hasSuffix("StateTest") }
      return AirlyticsExpectation(line, isEventTest: isEventTest)
    }
  }()

  private init?(_ line: Substring, isEventTest: Bool) {
    let parts = line.split(separator: "`", maxSplits: 1)
    guard line.hasPrefix("- `"), let rest = line.dropFirst(3).split(separator: "`", maxSplits: 1).last,
      let name = line.dropFirst(3).split(separator: "`", maxSplits: 1).first, parts.count == 2,
      let colon = rest.firstIndex(of: ":"), let semicolon = rest.firstIndex(of: ";")
    else { return nil }
    self.name = String(name)
    self.isEventTest = isEventTest
    fixtures = rest[..<semicolon].split(separator: ",").map { trimmed($0) }
      .map { $0.hasPrefix("fixtures ") ? trimmed($0.dropFirst(9)) : $0 }
    assertions = rest[rest.index(after: colon)...].split(separator: ";").map { trimmed($0) }
  }

  /// The first number of ten digits or more in an assertion.
  func number(at place: Int) -> String? {
    assertions[place].split { !$0.isNumber }.first { $0.count >= 10 }.map(String.init)
  }
}
