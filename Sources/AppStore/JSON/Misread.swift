/// What is wrong with a value. It never quotes the value, which may be a receipt.
package enum Misfit: String, Sendable {
  case neitherTrueNorFalse = "it is neither true nor false"
  /// SQLite ends text at a NUL: what is read would not be what was written.
  case nul = "it holds a NUL"
  case noDate = "it is not a date"
  case noNumber = "it is not a number"
  case repeatedMember = "it has a member twice"
}

/// Why JSON is not what it should be, and where.
package struct Misread: Error, Hashable {
  package enum Fault: Hashable, Sendable {
    /// It is no JSON, or something that is read in it is no text or number.
    case broken
    case missing, wrongType, null
    case misfit(Misfit)
    /// It is more than may be, in words such as `is longer than 128 bytes`.
    case limit(String)
    /// A list has more elements than so many.
    case tooMany(Int)
    /// It is of another format.
    case signed
  }

  package let fault: Fault
  /// As in `latest_receipt_info[0].product_id`; empty for the whole.
  private(set) var path = ""

  package init(_ fault: Fault) { self.fault = fault }

  /// The same, seen from the object that has it as a member.
  func under(_ name: WireName) -> Misread { under("\(name.text)") }
  /// The same, seen from the array that it stands in.
  func under(_ index: Int) -> Misread { under("[\(index)]") }

  private func under(_ step: String) -> Misread {
    // What makes the whole unreadable is nobody's in particular.
    guard fault != .broken else { return self }
    var misread = self
    misread.path = step + (path.isEmpty || path.hasPrefix("[") ? path : "." + path)
    return misread
  }

  /// - Parameter whole: what a body is called that is wrong as a whole.
  package func reason(whole: String) -> String {
    let place = path.isEmpty ? whole : path
    return switch fault {
    case .broken: "it is not complete JSON"
    case .signed: "it is of version 2, and not as Apple signed it; give the body that has its signedPayload"
    case .missing: "\(place) is missing"
    case .wrongType: "\(place) has the wrong type"
    case .null: "\(place) is null"
    case .limit(let words): "\(place) \(words)"
    case .tooMany(let most): "\(place) has more than \(FieldLimits.grouped(most)) elements"
    case .misfit(let misfit) where path.isEmpty: misfit.rawValue
    case .misfit(let misfit): "\(place) cannot be read: \(misfit.rawValue)"
    }
  }
}
