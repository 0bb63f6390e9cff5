import Glibc
import Sweep
import Testing

/// Looks for a secret in all of this process's memory after it was sent. The peer is another process.
@Suite(
  // One scan would find what another has just read.
  .serialized,
  .enabled(if: ImpostorServer.isAvailable && MemoryScan.isQuick, "no openssl, or too slow a build"))
struct SecretMemoryTests {
  @Test(arguments: [100, 8000, 200_000]) func nothingIsLeftOfWhatWasSent(_ size: Int) throws {
    let server = try ImpostorServer()
    // A function that is called for the first time is looked up, with all registers put on the stack meanwhile, the
    // last that was copied with them. So everything has to be called before.
    _ = try send(SecretBytes(Array("nothing secret".utf8)), to: server)
    #expect(MemoryScan().places() == 0)
    let mark = MemoryScan()
    let body = SecretBytes(count: size) { memory in
      memory.initializeMemory(as: UInt8.self, repeating: UInt8(ascii: "A"))
      mark.write(to: UnsafeMutableRawBufferPointer(rebasing: memory[(size - MemoryScan.length)...]))
    }
    let error = try #require(try send(body, to: server).error)
    // CURLE_OPERATION_TIMEDOUT
    #expect(error.code == 28)
    #expect(mark.places() == 1)
    withExtendedLifetime(body) {}
  }

  @Test func theScanFindsWhatIsThere() {
    let mark = MemoryScan()
    #expect(mark.places() == 0)
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 3 << 20, alignment: 1)
    mark.write(to: UnsafeMutableRawBufferPointer(rebasing: memory[5..<(5 + MemoryScan.length)]))
    let edge = 2 << 20 - 7
    // Across the bounds of what is read at a time.
    mark.write(to: UnsafeMutableRawBufferPointer(rebasing: memory[edge..<(edge + MemoryScan.length)]))
    #expect(mark.places() == 2)
    if let start = memory.baseAddress { explicit_bzero(start, memory.count) }
    #expect(mark.places() == 0)
    memory.deallocate()
  }

  /// The server takes the request, and waits for more.
  private func send(_ body: SecretBytes, to server: ImpostorServer) throws -> TransferResult {
    let limits = TransferLimits(total: 500, certificates: .init(path: server.certificate))
    let url = "https://127.0.0.1:\(server.port)/verifyReceipt"
    return try #require(try carry(to: url, secret: body, limits: limits).first)
  }
}
