import Glibc

/// Request or response with a body of known length.
public struct HTTPMessage: Sendable {
  public let line: String
  /// Header fields by lower-case name.
  public let headers: [String: String]
  public let body: [UInt8]

  public var text: String { String(decoding: body, as: UTF8.self) }
}

/// Reader of HTTP/1.1 messages from a connected socket.
public struct HTTPMessageReader {
  let descriptor: Int32
  private var buffer: [UInt8] = []

  public init(descriptor: Int32) { self.descriptor = descriptor }

  /// Returns the next message; `nil` if the connection ends before it is complete.
  public mutating func next() -> HTTPMessage? {
    var end = buffer.firstRange(of: Self.blankLine)
    while end == nil {
      guard fill() else { return nil }
      end = buffer.firstRange(of: Self.blankLine)
    }
    guard let end else { return nil }
    let lines = String(decoding: buffer[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
    buffer.removeFirst(end.upperBound)
    let headers = lines.dropFirst().reduce(into: [String: String]()) { headers, line in
      let parts = line.split(separator: ":", maxSplits: 1)
      headers[parts[0].lowercased()] = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
    }
    let length = headers["content-length"].flatMap { Int($0) } ?? 0
    while buffer.count < length { guard fill() else { return nil } }
    defer { buffer.removeFirst(length) }
    return HTTPMessage(
      line: lines.first.map(String.init) ?? "", headers: headers, body: Array(buffer[..<length]))
  }

  private static let blankLine = Array("\r\n\r\n".utf8)

  private mutating func fill() -> Bool {
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    let count = read(descriptor, &piece, piece.count)
    guard count > 0 else { return false }
    buffer += piece[..<count]
    return true
  }
}
