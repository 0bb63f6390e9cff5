/// How an answer fails to arrive, or arrives so that it tries the client's patience.
public enum TransportFault: String, Sendable, Hashable, CaseIterable {
  case reset
  case cut
  case stall
  case drip
  case slow
  case gigantic
  case gzipBomb = "gzip-bomb"

  var summary: String {
    switch self {
    case .reset: "the connection is closed without an answer"
    case .cut: "half of the announced body, then an orderly close"
    case .stall: "nothing, the head, or half of the body; then silence"
    case .drip: "the right answer, a byte now and then"
    case .slow: "the right answer, two seconds late"
    case .gigantic: "the right answer with 80 MiB of blanks in it"
    case .gzipBomb: "half a megabyte of gzip that holds 160 MiB"
    }
  }
}
