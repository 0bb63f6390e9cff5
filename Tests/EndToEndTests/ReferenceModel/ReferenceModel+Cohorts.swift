import Foundation

/// Retention by month of the first payment (METRICS §5).
extension ReferenceModel.Scope {
  private struct Member {
    var line: ReferenceModel.Line
    var first: Int
    var row: ReferenceModel.Period
  }

  var cohorts: [String: JSON] {
    let members = lines.compactMap { line -> Member? in
      guard let (first, position) = line.course.first(where: { $0.position.set == "paid" }),
        first <= question.instant, isAsked(position)
      else { return nil }
      return Member(line: line, first: first, row: position.row)
    }
    return [
      "rows": .list(
        Dictionary(grouping: members) { Self.month(of: $0.first) }.map { month, members in
          .object([
            "month": .text(month), "lines": .count(members.count),
            "mrr": amounts(members.map(\.row.monthly)),
            "retained": .list(cells(of: members)),
          ])
        })
    ]
  }

  private func cells(of members: [Member]) -> [JSON] {
    var cells: [JSON] = []
    while true {
      let months = cells.count
      let come = members.compactMap { member -> (member: Member, then: Int)? in
        let then = Self.later(member.first, months)
        return then <= question.instant ? (member, then) : nil
      }
      if come.isEmpty { return cells }
      let paid = come.compactMap { $0.member.line.position(at: $0.then) }.filter { $0.set == "paid" }
      cells.append(
        .object([
          "months": .count(months), "lines": .count(paid.count), "of": .count(come.count),
          "rate": come.count == members.count ? .share(paid.count, of: come.count) : .null,
          "mrr": amounts(paid.map(\.row.monthly)), "mrr_of": amounts(come.map(\.member.row.monthly)),
        ]))
    }
  }

  private static let calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()

  private static func date(_ moment: Int) -> Date { Date(timeIntervalSince1970: Double(moment) / 1000) }

  static func month(of moment: Int) -> String {
    let parts = calendar.dateComponents([.year, .month], from: date(moment))
    let (year, month) = (parts.year ?? 0, parts.month ?? 0)
    return "\(year)-\(month < 10 ? "0" : "")\(month)"
  }

  private static func later(_ moment: Int, _ months: Int) -> Int {
    let later = calendar.date(byAdding: .month, value: months, to: date(moment)) ?? date(moment)
    return Int((later.timeIntervalSince1970 * 1000).rounded())
  }
}
