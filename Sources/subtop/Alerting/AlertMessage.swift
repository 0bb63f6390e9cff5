import Dashboard
import ReceiptStore
import Screen
import Subscriptions

struct AlertMessage: Encodable {
  let alert: String
  let state: AlertNews.Kind
  let condition: String
  let message: String
  let atMs: Instant
  let raisedSinceMs: Instant?
  let value: ReportValue?
  let limit: ReportValue?
  let usual: ReportValue?

  init(_ news: AlertNews) {
    alert = news.state.alert.name
    state = news.kind
    condition = news.state.alert.condition.text
    message = news.message
    atMs = news.state.at
    raisedSinceMs = news.state.raisedSince
    (value, limit, usual) = (news.state.value, news.state.limit, news.state.usual)
  }
}

extension AlertState {
  /// Alert in `status --format json`.
  var json: JSONObject {
    JSONObject(members: [
      "name": alert.name, "condition": alert.condition.text, "state": verdict, "message": sentence,
      "value": value, "limit": limit, "usual": usual, "raisedSinceMs": raisedSince, "toldAtMs": toldAt,
    ])
  }
}

extension AlertNews {
  var message: String { kind == .raised ? state.sentence : "cleared: \(state.sentence)" }

  /// Fills in the placeholders in a program's arguments, but not in its name.
  func filled(in words: [String]) -> [String] {
    words.enumerated().map { place, word in
      place == 0
        ? word
        : Self.filled(
          word, ["name": state.alert.name, "state": kind.rawValue, "message": message.harmless])
    }
  }

  /// Replaces placeholders in one pass, so that values are not searched for placeholders.
  private static func filled(_ word: String, _ values: [String: String]) -> String {
    let pieces = word.split(separator: "{", omittingEmptySubsequences: false)
    return pieces.dropFirst().reduce(String(pieces.first ?? "")) { filled, piece in
      let found = values.first { piece.hasPrefix("\($0.key)}") }
      return filled + (found.map { $0.value + piece.dropFirst($0.key.count + 1) } ?? "{\(piece)")
    }
  }
}
