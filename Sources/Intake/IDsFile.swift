import AppStore
import Subscriptions

/// Customer ids for requests to Apple: CSV with a header, JSON Lines, or one bare id per line.
public enum IDsFile: LineFormat {
  public static let name = "ids"
  public static let what = "customer ids"

  public static func readText<Failure: Error>(
    _ lines: inout LineStream<Failure>, _ take: (Int, LineContent<ImportedReceipt>) throws(Failure) -> Void
  ) throws(Failure) {
    var known: IDColumns?
    var isFirst = true
    while let line = try lines.next() {
      defer { isFirst = false }
      if let fault = line.fault {
        try take(line.number, .bad(fault))
        continue
      }
      let row = known?.row(line.text)
      let isItem = if case .item = row?.content { true } else { false }
      // Concatenated files, for example from `zcat`, contain several headers.
      let heading: IDColumns.Heading =
        isFirst ? IDColumns.heading(line.text) : known == nil || isItem ? .none : IDColumns.later(line.text)
      switch heading {
      case .ids(.success(let next)):
        if let export = next.export, export != known?.export {
          try take(line.number, .remark(.export(export)))
        }
        known = next
      case .ids(.failure(let error)): return try take(line.number, .bad(error.reason))
      case .unknown(let reason, let isOfSeveral):
        try take(line.number, .bad(reason))
        // The rest is not read, because it is unclear which fields are ids.
        if isOfSeveral { return }
      case .none:
        if isItem, row?.isSandbox == true { try take(line.number, .remark(.sandbox)) }
        try take(line.number, row?.content ?? content(of: line.text))
      }
    }
    if isFirst { try take(1, empty) }
  }

  private static func content(of line: [UInt8]) -> LineContent<ImportedReceipt> {
    let text = line.drop { $0 <= 0x20 }
    guard text.first == UInt8(ascii: "{") else {
      let id = String(decoding: text.reversed().drop { $0 <= 0x20 }.reversed(), as: UTF8.self)
      return .customer(("the id", id), of: nil, in: nil, isReceipt: false)
    }
    do throws(UnreadableAnswer) {
      let wire = try StrictJSON.decode(Line.self, from: line, as: "the line")
      guard let id = wire.ids.first else {
        return .bad("it has no transaction_id, original_transaction_id or appTransactionId")
      }
      // Names of the same id: the usual spelling, and Apple's.
      let spellings: [(WireName, WireName)] = [
        (.originalTransactionID, .plainOriginalTransactionID), (.transactionID, .plainTransactionID),
      ]
      for (usual, plain) in spellings
      where Set(wire.ids.filter { [usual, plain].contains($0.name) }.map(\.text)).count > 1 {
        return .bad("\(usual.rawValue) and \(plain.rawValue) are not the same id; remove one")
      }
      return .customer(
        (id.name.rawValue, id.text), of: ("app_user_id", wire.user), in: wire.bundle, isReceipt: false)
    } catch {
      return .bad(error.reason)
    }
  }

  private struct Line: Decodable {
    var ids: [(name: WireName, text: String)] = []
    let user: String?
    let bundle: String?

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: WireName.self)
      let names: [WireName] = [
        .originalTransactionID, .plainOriginalTransactionID, .transactionID, .plainTransactionID,
        .appTransactionID,
      ]
      for name in names { if let id = try values.text(name) { ids.append((name, id)) } }
      user = try values.string(.appUserID)
      bundle = try values.string(.bundleID)
    }
  }
}
