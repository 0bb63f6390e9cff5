import Subscriptions
import Testing

@Suite struct WrittenInstantTests {
  @Test(arguments: [
    ("2026-01-01", Int64(1_767_225_600_000)), ("2001-01-01", 978_307_200_000),
    ("1970-01-01T00:00:01Z", 1000), ("1767225600000", 1_767_225_600_000),
    ("1215648000000", 1_215_648_000_000), ("0001-01-01T00:00:00Z", -62_135_596_800_000),
  ])
  func isRead(_ text: String, _ milliseconds: Int64) throws {
    #expect(try WrittenInstant.read(text).rawValue == milliseconds)
  }

  private static let form = "write a date such as 2026-11-21"

  @Test(arguments: [
    ("", form), ("yesterday", form), ("-1", form), ("2026", form), ("9223372036854775807", form),
    ("0", form), ("1", form), ("20261121", form), ("1215647999999", form), ("1215647999", form),
    ("4102444800", form),
    ("1700000000", "looks like seconds; for 2023-11-14T22:13:20Z write 1700000000000"),
    ("1215648000", "for 2008-07-10T00:00:00Z write 1215648000000"),
    ("4102444799", "for 2099-12-31T23:59:59Z write 4102444799000"),
  ])
  func isRefused(_ text: String, _ words: String) {
    let problem = #expect(throws: WrittenInstant.Problem.self) { try WrittenInstant.read(text) }
    #expect(problem?.description.contains(words) == true, "\(String(describing: problem))")
    #expect(problem?.description.contains("milliseconds since 1970") == true)
  }
}
