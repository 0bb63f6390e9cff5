/// Progress and cancellation of reading a long list.
final class ListReading {
  struct Stopped: Error {}

  private let watch: (_ read: Int, _ all: Int) -> Bool
  private var read = 0
  var all = 0

  init(_ watch: @escaping (_ read: Int, _ all: Int) -> Bool) { self.watch = watch }

  func advance(by rows: Int) throws(Stopped) {
    read += rows
    guard watch(min(read, all), all) else { throw Stopped() }
  }
}
