extension ReferenceModel.Population {
  /// Rows that are missing, repeated, or in a wrong line (METRICS §1 and §2).
  func losses(of expected: [HostileChain], _ prices: ReferenceModel.Prices) -> [String] {
    var found: [String: Set<String>] = [:]
    for line in everyLine {
      for period in line.periods {
        found[line.chain.id, default: []].formUnion(period.row.places(in: line.group))
      }
    }
    for chain in chains {
      for row in chain.oneTime { found[chain.id, default: []].formUnion(row.places(in: "one-time")) }
    }
    return expected.compactMap { chain in
      let (wanted, held) = (chain.places(prices), found[chain.id, default: []])
      return wanted == held ? nil : "\(chain.id): \(held.symmetricDifference(wanted).sorted())"
    }
  }
}

extension ReferenceModel.Row {
  fileprivate func places(in group: String?) -> Set<String> {
    let place = "\(product) at \(start) in \(group ?? "no group"): "
    let signed = signedPrice.map { " for \($0.micros / 1000) until \(end ?? 0)" } ?? ""
    return [place + ([id] + others).sorted().joined(separator: " = ") + signed]
  }
}

extension HostileChain {
  fileprivate func places(_ prices: ReferenceModel.Prices) -> Set<String> {
    let rows = answerRows + signedRows
    let purchases = Dictionary(grouping: rows) { row in
      row.isOneTime
        ? "one-time \(row.product) \(row.originalStart ?? row.start) \(row.isShared)"
        : "\(row.order ?? "only \(row.id)") \(row.product) \(row.start)"
    }
    return Set(
      purchases.values.compactMap { same in
        same.min { (Int($0.id) ?? 0) < (Int($1.id) ?? 0) }.map { row in
          let place = "\(row.product) at \(row.start) in \(group(of: row, rows, prices)): "
          let signed = same.compactMap(\.signedPrice).first.map { price in
            " for \(price) until \(same.map(\.end).max() ?? 0)"
          }
          return place + same.map(\.id).sorted().joined(separator: " = ") + (signed ?? "")
        }
      })
  }

  private func group(of row: HostileRow, _ rows: [HostileRow], _ prices: ReferenceModel.Prices) -> String {
    if row.isOneTime { return "one-time" }
    if !row.isWithoutGroup { return row.group }
    let named = rows.first { $0.product == row.product && !$0.isWithoutGroup }
    return named?.group ?? prices.group(of: row.product) ?? "no group"
  }
}
