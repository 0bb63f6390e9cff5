/// A JSON value in a form that white space and the order of members do not change. It is made to be hashed.
struct CanonicalJSON: Decodable {
  let text: String

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let string = try? value.decode(String.self) {
      text = Self.tagged("s", string)
    } else if value.decodeNil() {
      text = "n"
    } else if let members = try? value.decode([String: CanonicalJSON].self) {
      text = Self.text(of: members)
    } else if let elements = try? value.decode([CanonicalJSON].self) {
      text = "[\(elements.map(\.text).joined())]"
    } else if let integer = try? value.decode(Int64.self) {
      text = Self.tagged("i", String(integer))
    } else if let flag = try? value.decode(Bool.self) {
      text = flag ? "t" : "f"
    } else {
      // Numbers that no `Double` holds are all alike. Apple sends none.
      text = Self.tagged("d", (try? value.decode(Double.self)).map { String($0) } ?? "")
    }
  }

  static func text(of members: [String: CanonicalJSON]) -> String {
    let sorted = members.sorted { $0.key < $1.key }
    return "{\(sorted.map { Self.tagged("k", $0.key) + $0.value.text }.joined())}"
  }

  /// The length keeps one text from reading like two.
  private static func tagged(_ kind: String, _ content: String) -> String {
    "\(kind)\(content.utf8.count):\(content)"
  }
}
