/// Binary search for where a condition ends that holds of the elements in front and of no other.
extension Array {
  /// The place of the last element of which it holds; nil where it holds of none.
  package func lastPlace(where isInFront: (Element) -> Bool) -> Int? {
    let next = placeAfter(isInFront)
    return next > 0 ? next - 1 : nil
  }

  /// The place of the first element of which it does not hold; `endIndex` where it holds of all.
  package func placeAfter(_ isInFront: (Element) -> Bool) -> Int {
    indices.placeAfter { isInFront(self[$0]) }
  }
}

extension Range<Int> {
  /// The first place of which it does not hold; `upperBound` where it holds of all.
  package func placeAfter(_ isInFront: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low + high) / 2
      if isInFront(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
