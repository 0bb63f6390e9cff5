/// What the canned server does after it has read a request, step by step.
struct CannedReply: Sendable {
  enum Step: Sendable {
    case send([UInt8])
    /// Sends the same again and again until the other side has had enough.
    case flood([UInt8])
    /// The same with a rest of milliseconds after each.
    case drip([UInt8], rest: UInt32)
    /// Says nothing for so many milliseconds.
    case rest(UInt32)
    /// Says nothing more, and keeps the connection until the server ends or the other side leaves.
    case hold
    /// Ends the connection with a TCP reset.
    case reset
    case close
  }

  var steps: [Step]

  /// A whole HTTP answer, after which the connection stays open.
  static func answer(_ body: String, status: Int = 200, headers: [String] = []) -> Self {
    answer(Array(body.utf8), status: status, headers: headers)
  }

  static func answer(_ body: [UInt8], status: Int = 200, headers: [String] = []) -> Self {
    Self(steps: [.send(head(length: body.count, status: status, headers: headers) + body)])
  }

  /// The same, one byte a write.
  static func drip(_ body: String) -> Self {
    Self(steps: (head(length: body.utf8.count) + Array(body.utf8)).map { .send([$0]) })
  }

  /// A whole HTTP answer in twenty pieces, with a rest of milliseconds before each.
  static func slow(_ body: String, rest: UInt32) -> Self {
    let bytes = Array(body.utf8)
    let size = bytes.count / 20 + 1
    let pieces = stride(from: 0, to: bytes.count, by: size).flatMap { start in
      [Step.rest(rest), .send(Array(bytes[start..<Swift.min(start + size, bytes.count)]))]
    }
    return Self(steps: [.send(head(length: bytes.count))] + pieces)
  }

  /// Promises `length` bytes, sends fewer, and goes on with `then`.
  static func partial(_ body: String, of length: Int, then: Step) -> Self {
    Self(steps: [.send(head(length: length) + Array(body.utf8)), then])
  }

  static func head(length: Int?, status: Int = 200, headers: [String] = []) -> [UInt8] {
    var lines = ["HTTP/1.1 \(status) Canned", "Content-Type: application/json"] + headers
    if let length { lines.append("Content-Length: \(length)") }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }
}

/// A request as the canned server read it.
struct CannedRequest: Sendable {
  let line: String
  /// Names in lower case.
  let headers: [String: String]
  let body: [UInt8]

  var path: String { line.split(separator: " ").dropFirst().first.map(String.init) ?? "" }
  var text: String { String(decoding: body, as: UTF8.self) }
}
