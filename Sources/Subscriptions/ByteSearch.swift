// The standard library's search builds tables for each text, which takes longer than scanning a name.
extension ArraySlice<UInt8> {
  public func firstIndex(of part: [UInt8]) -> Int? {
    guard part.count <= count else { return nil }
    return (startIndex...(endIndex - part.count)).first { self[$0...].starts(with: part) }
  }
}
