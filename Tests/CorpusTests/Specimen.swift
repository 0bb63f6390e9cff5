import AppStore
import Subscriptions
import TestSupport
import Testing

/// One row of the corpus' index with the answer that its file holds.
struct Specimen: Sendable, CustomTestStringConvertible {
  /// How much of an answer a file holds.
  enum Form: Sendable {
    case whole
    /// A part of one, which is read as the rest of a good answer would have it; with why it is none as it stands.
    case completed(String)
    /// With the reason, which names a field and never its content.
    case unreadable(String)
  }

  let file: String
  /// What the index says that it shows.
  let words: [String]
  let form: Form
  let response: VerifyReceiptResponse?

  var answer: Answer? { response?.answer }
  var isCompleted: Bool { if case .completed = form { true } else { false } }
  var testDescription: String { file }

  /// Every answer of the index, in its order.
  static let all: [Specimen] = rows(kind: "a").map { Specimen(file: $0.file, words: $0.words) }

  /// The airlytics fixture of that name.
  static func airlytics(_ name: String) -> Specimen? { all.first { $0.file.hasSuffix("__" + name) } }

  init(file: String, words: [String]) {
    self.file = file
    self.words = words
    let bytes = Corpus.bytes(of: file) ?? []
    do {
      response = try KeptResponse(decoding: bytes).response
      form = .whole
    } catch {
      response = (try? AnyJSON(bytes)).flatMap { try? KeptResponse(decoding: $0.completed.bytes).response }
      form = response == nil ? .unreadable(error.reason) : .completed(error.reason)
    }
  }

  /// Corpus.files leaves the words out.
  private static func rows(kind: String) -> [(file: String, words: [String])] {
    guard Corpus.isPresent, let index = Corpus.bytes(of: "INDEX.md") else { return [] }
    return String(decoding: index, as: UTF8.self).split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map { trimmed($0) }
      guard cells.count > 7, cells[1] == kind, !cells[3].isEmpty else { return nil }
      return (cells[3], cells[7].split(separator: ";").map { trimmed($0) }.filter { !$0.isEmpty })
    }
  }
}

func trimmed(_ text: some StringProtocol) -> String {
  var text = Substring(text).drop { $0 == " " }
  while text.last == " " { text.removeLast() }
  return String(text)
}

extension AnyJSON {
  /// A fragment in the place where a good answer has it.
  fileprivate var completed: AnyJSON {
    let good = AnyJSON.number(0)
    switch self {
    case .list: return .object(["status": good, "latest_receipt_info": self])
    case .object(var object):
      guard object["status"] == nil else { return self }
      let places = ["receipt", "latest_receipt_info", "latest_expired_receipt_info", "pending_renewal_info"]
      if places.contains(where: { object[$0] != nil }) {
        object["status"] = good
        return .object(object)
      }
      if object["in_app"] != nil { return .object(["status": good, "receipt": self]) }
      return object["transaction_id"] == nil
        ? self : .object(["status": good, "latest_receipt_info": .list([self])])
    default: return self
    }
  }
}
