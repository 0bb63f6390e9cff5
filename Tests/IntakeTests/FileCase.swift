import Intake
import Testing

/// Content of a file to import, with the expected items and errors as text.
struct FileCase: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let text: String
  let items: [String]
  let bad: [String]
  let remarks: [LineRemark: Int]

  init(
    _ name: String, _ text: String, _ items: [String] = [], bad: [String] = [],
    remarks: [LineRemark: Int] = [:]
  ) {
    (testDescription, self.text, self.items, self.bad, self.remarks) = (name, text, items, bad, remarks)
  }

  var bytes: [UInt8] { Array(text.utf8) }
}
