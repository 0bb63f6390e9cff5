import Subscriptions

/// Returns the lines that differ between two reports, for readable failures.
public func differences(_ left: Report, _ right: Report) -> [String] {
  guard left != right else { return [] }
  var (a, b) = ("", "")
  dump(left, to: &a)
  dump(right, to: &b)
  let (x, y) = (a.split(separator: "\n").map(String.init), b.split(separator: "\n").map(String.init))
  return y.difference(from: x).map { change in
    switch change {
    case .remove(_, let line, _): "-" + line
    case .insert(_, let line, _): "+" + line
    }
  }
}
