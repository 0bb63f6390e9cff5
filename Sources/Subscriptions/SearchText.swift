/// Case-insensitive text for finding something by its name.
public struct SearchText: Sendable {
  /// Letters, and whole numbers, since single digits are in most ids.
  public let pieces: [String]
  private let typed: [UInt8]
  private let pieceBytes: [[UInt8]]

  public init(_ text: String) {
    let text = text.lowercased()
    var pieces: [String] = []
    var endsInNumber = false
    for character in text {
      if character.isNumber, endsInNumber {
        pieces[pieces.count - 1].append(character)
      } else {
        pieces.append(String(character))
      }
      endsInNumber = character.isNumber
    }
    self.pieces = pieces
    typed = Array(text.utf8)
    pieceBytes = pieces.map { Array($0.utf8) }
  }

  public var isEmpty: Bool { typed.isEmpty }

  /// Rank of a match: 0 the whole name, 1 its beginning, 2 a part of it, 3 all pieces in order.
  public func nearness(to name: String) -> Int? {
    let name = Array(name.lowercased().utf8)
    guard typed.count <= name.count else { return nil }
    if name.starts(with: typed) { return typed.count == name.count ? 0 : 1 }
    if name[...].firstIndex(of: typed) != nil { return 2 }
    var rest = name[...]
    for piece in pieceBytes {
      guard let place = rest.firstIndex(of: piece) else { return nil }
      rest = rest[(place + piece.count)...]
    }
    return 3
  }
}
