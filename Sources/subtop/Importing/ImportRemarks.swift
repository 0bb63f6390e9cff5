import Dashboard
import Intake
import Subscriptions

/// Remarks about skipped rows, unknown names and exports, for the summary of an import.
struct ImportRemarks {
  private let counts: [LineRemark: Int]

  init(_ counts: [LineRemark: Int]) { self.counts = counts }

  var isOfExport: Bool { !exports.isEmpty }

  private var exports: [HostedExport] { HostedExport.allCases.filter { counts[.export($0)] != nil } }

  /// Returns a count with its name: `2 ids`, or rows of an export: `9,655 rows of RevenueCat's export`.
  func counted(_ count: Int, _ name: String) -> String {
    guard isOfExport else { return CountText.of(count, name) }
    let owners = exports.map { "\($0.rawValue)'s" }.joined(separator: " and ")
    return "\(CountText.of(count, "row")) of \(owners) export\(exports.count > 1 ? "s" : "")"
  }

  /// Returns up to ten names and the number of others, in printable characters; `nil` without names.
  private static func names(_ names: [String]) -> String? {
    let some = names.sorted().prefix(10).map { printable($0) }.joined(separator: ", ")
    return names.isEmpty ? nil : names.count > 10 ? "\(some) and \(names.count - 10) more" : some
  }

  var lines: [String] {
    var lines: [String] = []
    let others = OtherStore.allCases.compactMap { store in
      counts[.otherStore(store)].map { "\(CountText.of($0)) of \(store.rawValue)" }
    }
    if !others.isEmpty {
      let count = OtherStore.allCases.reduce(0) { $0 + (counts[.otherStore($1)] ?? 0) }
      lines.append(
        "left out \(CountText.of(count, "row")) of other stores: \(others.joined(separator: ", "))")
    }
    if let count = counts[.noTransaction] {
      lines.append("left out \(CountText.of(count, "event")) without a transaction")
    }
    if let count = counts[.sandbox] {
      lines.append(
        "\(CountText.of(count, "row")) of the sandbox: `--environment sandbox` shows them once checked")
    }
    let columns = counts.keys.compactMap { if case .unknownColumn(let name) = $0 { name } else { nil } }
    if let names = Self.names(columns) {
      lines.append("unknown columns, kept only if they are counts: \(names)")
    }
    let events = counts.keys.compactMap { if case .unknownEvent(let name) = $0 { name } else { nil } }
    if let names = Self.names(events) {
      lines.append("unknown events, counted under their own names: \(names)")
    }
    if isOfExport {
      let topics = exports.map { "`subtop help \($0.rawValue.lowercased())`" }.joined(separator: " and ")
      let explain = exports.count > 1 ? "explain" : "explains"
      lines.append(
        "only ids and users were imported, no figures; \(topics) \(explain) which figures will differ")
    }
    return lines
  }
}
