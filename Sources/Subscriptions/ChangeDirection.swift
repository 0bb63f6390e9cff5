/// Direction of a product change, by the catalogue's levels.
public enum ChangeDirection: String, Hashable, Sendable, Codable {
  case upgrade, downgrade, crossgrade, unranked
}
