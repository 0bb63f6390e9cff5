import TestSupport

/// Steps of the canned server's response to a request.
struct CannedReply: Sendable {
  enum Step: Sendable {
    case send([UInt8])
    /// Sends the bytes repeatedly until the connection ends.
    case flood([UInt8])
    /// Sends the bytes repeatedly, with pauses of `rest` milliseconds.
    case drip([UInt8], rest: UInt32)
    case rest(UInt32)
    /// Sends nothing more, but keeps the connection open.
    case hold
    case reset
    case close
  }

  var steps: [Step]

  /// Complete HTTP response, after which the connection stays open.
  static func answer(_ body: String, status: Int = 200, headers: [String] = []) -> Self {
    answer(Array(body.utf8), status: status, headers: headers)
  }

  static func answer(_ body: [UInt8], status: Int = 200, headers: [String] = []) -> Self {
    Self(steps: [.send(head(length: body.count, status: status, headers: headers) + body)])
  }

  /// Complete HTTP response, one byte per write.
  static func drip(_ body: String) -> Self {
    Self(steps: (head(length: body.utf8.count) + Array(body.utf8)).map { .send([$0]) })
  }

  /// Complete HTTP response in twenty parts, with a pause of `rest` milliseconds before each.
  static func slow(_ body: String, rest: UInt32) -> Self {
    let bytes = Array(body.utf8)
    let size = bytes.count / 20 + 1
    let pieces = stride(from: 0, to: bytes.count, by: size).flatMap { start in
      [Step.rest(rest), .send(Array(bytes[start..<Swift.min(start + size, bytes.count)]))]
    }
    return Self(steps: [.send(head(length: bytes.count))] + pieces)
  }

  /// Response with Content-Length `length` but a shorter body, then another step.
  static func partial(_ body: String, of length: Int, then: Step) -> Self {
    Self(steps: [.send(head(length: length) + Array(body.utf8)), then])
  }

  static func head(length: Int?, status: Int = 200, headers: [String] = []) -> [UInt8] {
    var lines = ["HTTP/1.1 \(status) Canned", "Content-Type: application/json"] + headers
    if let length { lines.append("Content-Length: \(length)") }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }
}

typealias CannedRequest = HTTPMessage

extension HTTPMessage {
  var path: String { line.split(separator: " ").dropFirst().first.map(String.init) ?? "" }
}
