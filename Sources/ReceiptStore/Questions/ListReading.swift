/// A long list on its way out of the store: tells whoever waits for it how far it is, and asks whether it is still wanted.
final class ListReading {
  struct Stopped: Error {}

  private let watch: (_ read: Int, _ all: Int) -> Bool
  private var read = 0
  /// How many rows there will be.
  var all = 0

  init(_ watch: @escaping (_ read: Int, _ all: Int) -> Bool) { self.watch = watch }

  func advance(by rows: Int) throws(Stopped) {
    read += rows
    guard watch(min(read, all), all) else { throw Stopped() }
  }
}
