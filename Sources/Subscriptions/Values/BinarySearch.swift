/// Binary search in a collection whose first elements satisfy a condition and whose other elements do not.
extension Array {
  package func lastPlace(where isInFront: (Element) -> Bool) -> Int? {
    let next = placeAfter(isInFront)
    return next > 0 ? next - 1 : nil
  }

  package func placeAfter(_ isInFront: (Element) -> Bool) -> Int {
    indices.placeAfter { isInFront(self[$0]) }
  }
}

extension Range<Int> {
  /// Returns the first number that does not satisfy the condition, or `upperBound`.
  package func placeAfter(_ isInFront: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low + high) / 2
      if isInFront(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
