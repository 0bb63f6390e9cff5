// The standard library's search prepares tables for every text, which takes longer than looking through a name.
extension ArraySlice<UInt8> {
  /// Where a part begins; nil where it is not in these bytes.
  public func firstIndex(of part: [UInt8]) -> Int? {
    guard part.count <= count else { return nil }
    return (startIndex...(endIndex - part.count)).first { self[$0...].starts(with: part) }
  }
}
