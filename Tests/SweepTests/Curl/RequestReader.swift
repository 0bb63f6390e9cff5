import Glibc

struct RequestReader {
  let descriptor: Int32
  private var buffer: [UInt8] = []

  init(descriptor: Int32) { self.descriptor = descriptor }

  mutating func next() -> CannedRequest? {
    var end = headEnd()
    while end == nil {
      guard fill() else { return nil }
      end = headEnd()
    }
    guard let end else { return nil }
    let lines = String(decoding: buffer[..<end], as: UTF8.self).split(separator: "\r\n")
    buffer.removeFirst(end + 4)
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
    }
    let length = headers["content-length"].flatMap { Int($0) } ?? 0
    while buffer.count < length { guard fill() else { return nil } }
    let body = Array(buffer[..<length])
    buffer.removeFirst(length)
    return CannedRequest(line: lines.first.map(String.init) ?? "", headers: headers, body: body)
  }

  private func headEnd() -> Int? {
    guard buffer.count >= 4 else { return nil }
    return (0...(buffer.count - 4)).first { Array(buffer[$0..<($0 + 4)]) == [13, 10, 13, 10] }
  }

  private mutating func fill() -> Bool {
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    let count = read(descriptor, &piece, piece.count)
    guard count > 0 else { return false }
    buffer.append(contentsOf: piece[..<count])
    return true
  }
}
