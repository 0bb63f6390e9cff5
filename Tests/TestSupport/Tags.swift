import Testing

extension Tag {
  /// Test that takes more than five seconds and is listed in CONTRIBUTING.
  @Tag public static var long: Self
}
