/// JSON that says everything once. Of two members with one name a reader takes either, which would be a guess.
package enum StrictJSON {
  /// Reads the object that is the whole.
  package static func read<Value>(
    _ bytes: [UInt8], _ read: (JSONObject) throws(Misread) -> Value
  ) throws(Misread) -> Value {
    guard let tape = JSONScan.tape(of: bytes) else {
      // No NUL stands in JSON; where one does it is another encoding.
      throw Misread(bytes.contains(0) ? .misfit(.nul) : .broken)
    }
    guard !tape.hasControl || !bytes.contains(0) else { throw Misread(.misfit(.nul)) }
    let value = try read(try JSONValue(tape: tape, index: 0).object())
    guard !tape.hasRepetition else { throw Misread(.misfit(.repeatedMember)) }
    return value
  }
}
