import Subscriptions

extension FigureValues {
  /// Counts and amounts of recovery or offers by path, such as `by_week.2026-11-02.entered`.
  var byPath: [String: Content] {
    var all: [String: Content] = [:]
    for path in paths {
      switch self[value: path] {
      case .count?, .amounts?: all[path] = self[value: path]
      case .parts(let parts)?:
        for part in parts { all.merge(part.figures(of: path)) { first, _ in first } }
      default: break
      }
    }
    return all
  }

  /// Figures of this element of the list named `list`, by path.
  private func figures(of list: String) -> [String: Content] {
    if list == "standing" { return ["standing.\(self["from_days"])": .count(self["lines"])] }
    let element =
      switch list {
      case "offers": offerPath
      case "by_product": "\(list).\(product)"
      case "by_month": "\(list).\(self[text: "month"] ?? "")"
      case "by_week": "\(list).\(self[text: "week"] ?? "")"
      default: "\(list).\(self["days"])"
      }
    let names = paths.filter { !["days", "rate", "started_before"].contains($0) }
    return names.reduce(into: [:]) { all, name in
      switch self[value: name] {
      case .count?, .amounts?: all["\(element).\(name.replacing("outcomes.", with: ""))"] = self[value: name]
      default: break
      }
    }
  }
}
