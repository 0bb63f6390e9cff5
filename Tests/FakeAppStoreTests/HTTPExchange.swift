import AppStore
import Dispatch
import Glibc
import TestSupport

/// Request to 127.0.0.1 over a new socket, with the response.
struct HTTPExchange: Sendable {
  enum End: Sendable {
    case refused
    case closed
    case reset
  }

  let end: End
  /// `nil` if the connection ended before a response.
  let status: Int?
  /// Header fields by lower-case name.
  let headers: [String: String]
  /// Body without chunk framing.
  let body: [UInt8]
  /// Whether the body has the announced length, or its last chunk.
  let isWhole: Bool

  /// Apple's `status`; `nil` if the body is not a verifyReceipt answer.
  var appleStatus: Int? { try? VerifyReceiptResponse(decoding: body).status.rawValue }

  static func post(
    _ body: [UInt8], to path: String = "/verifyReceipt", port: Int, method: String = "POST"
  ) async -> HTTPExchange {
    await withCheckedContinuation { continuation in
      // A serial queue has its own thread. Blocking the global ones would starve the servers' tasks.
      DispatchQueue(label: "exchange").async {
        let head = ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1", "Connection: close"]
        let lines = (head + ["Content-Length: \(body.count)", "", ""]).joined(separator: "\r\n")
        continuation.resume(returning: perform(Array(lines.utf8) + body, port: port))
      }
    }
  }

  private static func perform(_ request: [UInt8], port: Int) -> HTTPExchange {
    guard let socket = Loopback.connect(to: UInt16(port)) else { return HTTPExchange([], .refused) }
    defer { close(socket) }
    guard Loopback.send(request, over: socket) else { return HTTPExchange([], .reset) }
    var received: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(socket, &chunk, chunk.count, 0)
      guard count > 0 else { return HTTPExchange(received, count == 0 ? .closed : .reset) }
      received += chunk[..<count]
    }
  }

  private init(_ received: [UInt8], _ end: End) {
    self.end = end
    let blank = Array("\r\n\r\n".utf8)
    guard let gap = received.firstRange(of: blank) else {
      (status, headers, body, isWhole) = (nil, [:], [], false)
      return
    }
    let lines = String(decoding: received[..<gap.lowerBound], as: UTF8.self).split(separator: "\r\n")
    let words = lines[0].split(separator: " ")
    status = words.count > 1 ? Int(words[1]) : nil
    headers = lines.dropFirst().reduce(into: [:]) { headers, line in
      let parts = line.split(separator: ":", maxSplits: 1)
      headers[parts[0].lowercased()] = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
    }
    let content = received[gap.upperBound...]
    if headers["transfer-encoding"] == "chunked" {
      (body, isWhole) = Self.unchunked(content)
    } else {
      body = Array(content)
      isWhole = headers["content-length"] == "\(content.count)"
    }
  }

  private static func unchunked(_ content: ArraySlice<UInt8>) -> ([UInt8], Bool) {
    var (body, rest) = ([UInt8](), content)
    while let line = rest.firstRange(of: Array("\r\n".utf8)),
      let size = Int(String(decoding: rest[..<line.lowerBound], as: UTF8.self), radix: 16)
    {
      if size == 0 { return (body, true) }
      body += rest[line.upperBound...].prefix(size)
      rest = rest[line.upperBound...].dropFirst(size + 2)
    }
    return (body, false)
  }
}
