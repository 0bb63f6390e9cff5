import FoundationEssentials

/// What a notification of version 2 says of itself, read without any check.
struct SignedBody {
  let uuid: String
  let type: String

  /// Nil where it is none.
  init?(_ body: String) {
    let parts = body.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    var text = String(parts[1].map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
    text += String(repeating: "=", count: (4 - text.count % 4) % 4)
    guard let data = Data(base64Encoded: text), let json = try? JSON(Array(data)),
      let uuid = json["notificationUUID"]?.text, let type = json["notificationType"]?.text
    else { return nil }
    (self.uuid, self.type) = (uuid, type)
  }
}
