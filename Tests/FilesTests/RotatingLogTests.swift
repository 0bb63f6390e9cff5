import Files
import Glibc
import TestSupport
import Testing

@Suite struct RotatingLogTests {
  private static let processes = 8
  private static let lines = 2_500

  struct Limit: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let bytes: Int
    /// Whether the two files together contain every line.
    let dropsNothing: Bool
  }

  static let limits = [
    // 20,000 lines of about 34 bytes: more than the limit, but less than twice the limit.
    Limit(testDescription: "rotated once", bytes: 500_000, dropsNothing: true),
    Limit(testDescription: "rotated two hundred times", bytes: 4_000, dropsNothing: false),
  ]

  @Test(arguments: limits) func noLineIsLostOrTornWhenAllRotate(_ limit: Limit) async throws {
    let folder = TemporaryFolder()
    await withTaskGroup { group in
      for process in 0..<Self.processes {
        group.addTask {
          await #expect(processExitsWith: .success) {
            [path = folder.path as String, bytes = limit.bytes as Int, process = process as Int] in
            let log = RotatingLog(folder: path, name: "log", limit: bytes)
            for line in 0..<2_500 { try log.append(RotatingLogTests.line(process, line)) }
          }
        }
      }
    }
    let old = try TrustedFile.state.bytes(at: folder.file("log.1"))
    let new = try TrustedFile.state.bytes(at: folder.file("log"))
    #expect(old.count <= limit.bytes && new.count <= limit.bytes)
    var kept: [[Int]] = Array(repeating: [], count: Self.processes)
    for text in String(decoding: old + new, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: true)
    {
      let numbers = text.split(separator: " ").compactMap { Int($0) }
      try #require(numbers.count == 2 && "\(text)\n" == Self.line(numbers[0], numbers[1]), "\(text)")
      kept[numbers[0]].append(numbers[1])
    }
    #expect(new.last == UInt8(ascii: "\n") && old.last == UInt8(ascii: "\n"))
    for numbers in kept where !numbers.isEmpty {
      #expect(
        numbers == Array((numbers.last ?? 0) - numbers.count + 1...(numbers.last ?? 0)), "none is missing")
    }
    if limit.dropsNothing { #expect(kept.allSatisfy { $0.count == Self.lines }) }
  }

  static func line(_ process: Int, _ line: Int) -> String {
    "\(process) \(line) what happened, and to whom\n"
  }

  @Test func refusesALogThatIsNotARegularFile() {
    let bench = Bench()
    bench.pipe("log")
    mkdir(bench.path("folder"), 0o700)
    for name in ["log", "folder"] {
      let log = RotatingLog(folder: bench.root, name: name, limit: 100)
      #expect(throws: FileProblem.notRegular(bench.path(name))) { try log.append("x\n") }
    }
    bench.file("victim", mode: 0o600)
    bench.link("link", to: "victim")
    #expect(throws: FileProblem.link(bench.path("link"))) {
      try RotatingLog(folder: bench.root, name: "link", limit: 100).append("x\n")
    }
  }

  @Test func refusesToReplaceAFolderAtTheOldLog() throws {
    let bench = Bench()
    mkdir(bench.path("log.1"), 0o700)
    let log = RotatingLog(folder: bench.root, name: "log", limit: 3)
    try log.append("x\n")
    #expect(throws: FileProblem.notRegular(bench.path("log.1"))) { try log.append("y\n") }
  }
}
