import FakeAppStore
import Testing

@Suite("OpenMetrics")
struct OpenMetricsTests {
  @Test func aSweepIsPrintedAsOpenMetrics() async throws {
    let life = try await Killing(ObservedAppStore(), receipts: 50)
    let outcome = try await life.subtop.run(
      ["sweep", "--all", "--format", "openmetrics"] + life.appStore.options, code: 0)
    let metrics = OpenMetrics(outcome.output)
    #expect(metrics.complaints == [])
    let last = try #require(try await life.subtop.run("sweeps", "--format", "json").json.list.first)
    for (label, key) in [("changed", "changed"), ("unchanged", "unchanged"), ("rejected", "rejected")] {
      #expect(
        metrics.value("subtop_sweep_receipts{outcome=\"\(label)\"}").map { Int($0) } == last[key]?.integer,
        "\(label)")
    }
    #expect(metrics.value("subtop_sweep_complete") == 1)
    #expect(metrics.value("subtop_receipts") == 50)
    #expect(metrics.count > 20)
  }

  @Test func hostileTextIsEscaped() async throws {
    var subtop = try Subtop()
    subtop.secret = nil
    let appStore = try await ObservedAppStore()
    let lines = appStore.receipts(2).replacing("com.example.lumen", with: #"com.\"evil\\n"#)
    _ = try await subtop.run("import", "receipts", try subtop.file("receipts", lines))
    let secret = try subtop.file("secret", "a secret")
    let config = try subtop.file(
      "config", "[apps.\"com.example.other\"]\nshared_secret_file = \"\(secret)\"\n")
    let outcome = try await subtop.run(
      ["sweep", "--all", "--format", "openmetrics", "--config", config] + appStore.options, code: 78)
    let metrics = OpenMetrics(outcome.output)
    #expect(metrics.complaints == [])
    #expect(metrics.value(#"subtop_sweep_stopped_app{bundle_id="com.\"evil\\n"}"#) == 1)
    #expect(metrics.value("subtop_sweep_complete") == 0)
  }
}
