import AppStore
import Subscriptions

/// Ids of customers to ask Apple about: CSV with a header, JSON Lines, or one bare id a line.
public enum IDsFile: LineFormat {
  public static let name = "ids"
  public static let what = "ids of customers"

  public static func readText<Failure: Error>(
    _ lines: inout LineStream<Failure>,
    _ take: (Int, LineContent<ImportedReceipt>) throws(Failure) -> Void
  ) throws(Failure) {
    var known: IDColumns?
    var isFirst = true
    while let line = try lines.next() {
      defer { isFirst = false }
      guard !line.isTooLong else {
        try take(line.number, .bad(line.reasonOfLength))
        continue
      }
      if isFirst {
        if let problem = CSVLine.problem(ofFirst: line.text) { return try take(line.number, .bad(problem)) }
        switch IDColumns.heading(line.text) {
        case .columns(let found):
          known = found
          if let export = found.export { try take(line.number, .remark(.export(export))) }
          continue
        case .ambiguous(let reason): return try take(line.number, .bad(reason))
        case .unknown(let reason, let isOfSeveral):
          try take(line.number, .bad(reason))
          // It is unclear which fields are ids.
          guard isOfSeveral else { continue }
          return
        case .none: break
        }
      }
      guard let columns = known else {
        try take(line.number, content(of: line.text))
        continue
      }
      let row = columns.row(line.text)
      // Files that are concatenated, as by `zcat`, each have a header.
      if case .item = row.content {
      } else {
        switch IDColumns.later(line.text) {
        case .columns(let next):
          if next.export != columns.export, let export = next.export {
            try take(line.number, .remark(.export(export)))
          }
          known = next
          continue
        case .ambiguous(let reason): return try take(line.number, .bad(reason))
        case .unknown, .none: break
        }
      }
      if row.isSandbox, case .item = row.content { try take(line.number, .remark(.sandbox)) }
      try take(line.number, row.content)
    }
    if isFirst { try take(1, empty) }
  }

  private static func content(of line: [UInt8]) -> LineContent<ImportedReceipt> {
    let text = line.drop { $0 <= 0x20 }
    guard text.first == UInt8(ascii: "{") else {
      return ImportedID.content(
        String(decoding: text.reversed().drop { $0 <= 0x20 }.reversed(), as: UTF8.self), nil, nil)
    }
    do throws(UnreadableAnswer) {
      let wire = try StrictJSON.decode(Line.self, from: line, as: "the line")
      guard let id = wire.ids.first else {
        return .bad("it has no transaction_id, original_transaction_id or appTransactionId")
      }
      // The usual spelling, and Apple's.
      let spellings: [(WireName, WireName)] = [
        (.originalTransactionID, .plainOriginalTransactionID), (.transactionID, .plainTransactionID),
      ]
      for (usual, plain) in spellings {
        guard let one = wire.ids.first(where: { $0.name == usual })?.text,
          let other = wire.ids.first(where: { $0.name == plain })?.text, one != other
        else { continue }
        return .bad("\(usual.rawValue) and \(plain.rawValue) are not the same id; remove one")
      }
      return ImportedID.content(id.text, wire.user, wire.bundle, called: .init(id: id.name.rawValue))
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
