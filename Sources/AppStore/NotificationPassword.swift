/// The shared secret that a notification brings in clear. It shows itself to nobody but the comparison.
public struct NotificationPassword: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  package let text: String

  package init(_ text: String) { self.text = text }

  public var description: String { "password" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
