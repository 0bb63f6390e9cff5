extension ReferenceModel {
  struct Population: Sendable {
    var prices: Prices
    var chains: [Chain]
    /// Lines of all environments, including shared ones.
    var everyLine: [Line]

    init(_ printed: [JSON], prices: Prices, at instant: Int) throws {
      self.prices = prices
      chains = try printed.map(Chain.init)
      everyLine = chains.flatMap { chain in
        chain.lines.indices.map { Line(chain, $0, at: instant, prices: prices) }
      }
    }

    func scope(_ question: Question) -> Scope {
      func isAsked(_ chain: Chain) -> Bool {
        question.environment == "all" || chain.isSandbox == (question.environment == "sandbox")
      }
      let lines = everyLine.filter { isAsked($0.chain) && !$0.isShared }
      let oneTime = chains.filter(isAsked).flatMap(\.oneTime)
      return Scope(question: question, prices: prices, lines: lines, oneTime: oneTime)
    }

    /// Earliest trial or introductory period of a user of the line in its group.
    func introOfferUse(_ line: Line) -> Period? {
      let ofUsers = everyLine.filter { other in
        other.isOfGroup(of: line) && other.chain.isSandbox == line.chain.isSandbox
          && !Set(other.users).isDisjoint(with: line.users)
      }
      return ofUsers.flatMap(\.periods).filter {
        ["trial", "intro"].contains($0.row.kind) && !$0.row.isShared && $0.row.start <= line.instant
      }.min { ($0.row.start, $0.row.number) < ($1.row.start, $1.row.number) }
    }
  }

  struct Scope: Sendable {
    var question: Question
    var prices: Prices
    /// Lines of all products, since a row's product may differ from its line's.
    var lines: [Line]
    var oneTime: [Row]

    func lines(in sets: String...) -> [Line] { lines { sets.contains($0.set) } }

    func lines(inState state: String) -> [Line] { lines { $0.state == state } }

    func lines(at moment: Int? = nil, _ isWanted: (Position) -> Bool) -> [Line] {
      lines.filter { line in
        line.position(at: moment ?? question.instant).map { isAsked($0) && isWanted($0) } ?? false
      }
    }

    func isAsked(_ position: Position?) -> Bool {
      position.map { question.asks(for: $0.row.row.product) } ?? false
    }

    var changes: [Change] { lines.flatMap(\.changes).filter { question.holds($0.at) } }

    func rows(_ isWanted: (Period) -> Bool) -> [(line: Line, period: Period)] {
      lines.flatMap { line in
        line.periods.filter { !$0.row.isShared && question.asks(for: $0.row.product) && isWanted($0) }
          .map { (line, $0) }
      }
    }

    var boughtRows: [(line: Line, period: Period)] { rows { question.holds($0.row.start) } }

    func amounts(_ parts: [Amount?]) -> JSON {
      let sums = Dictionary(parts.compactMap(\.self).map { ($0.currency, $0.micros) }, uniquingKeysWith: +)
      return .list(
        sums.sorted { $0.key < $1.key }.map {
          .object(["currency": .text($0.key), "amount_micros": .count($0.value)])
        })
    }

    func monthly(of lines: [Line], at moment: Int? = nil) -> JSON {
      amounts(lines.map { $0.position(at: moment ?? question.instant)?.row.monthly })
    }

    func users(of lines: [Line]) -> JSON { .count(Set(lines.flatMap(\.users)).count) }
  }
}

extension JSON {
  static func count(_ value: Int) -> JSON { .integer(Int64(value)) }
  static func known(_ value: Int?) -> JSON { value.map(JSON.count) ?? .null }
  static func known(_ value: String?) -> JSON { value.map(JSON.text) ?? .null }

  static func share(_ part: Int, of whole: Int) -> JSON {
    whole == 0 ? .null : part % whole == 0 ? .count(part / whole) : .number(Double(part) / Double(whole))
  }
}
