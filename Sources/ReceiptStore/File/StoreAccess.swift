/// What a store is opened for.
public enum StoreAccess: Sendable {
  /// Makes the file where there is none; one that is empty becomes a store.
  case readWrite
  /// Only of a store that is there.
  case existing
  case readOnly
}
