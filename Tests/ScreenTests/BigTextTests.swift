import Screen
import Testing

@Suite struct BigTextTests {
  @Test func `numbers are three rows high`() throws {
    let text = try #require(BigText("1,920", .strong))
    #expect(text.columns == 17)
    let drawn = picture(17, 3) { canvas, rect in text.draw(on: &canvas, in: rect) }.text()
    #expect(drawn == ["▄█    █▀█ ▀▀█ █▀█", " █  ▄ ▀▀█ █▀▀ █ █", "▀▀▀ ▀ ▀▀▀ ▀▀▀ ▀▀▀"])
  }

  @Test func `every digit is told from every other`() {
    let drawn = "0123456789".map { digit in
      picture(3, 3) { canvas, rect in BigText(String(digit), .text)?.draw(on: &canvas, in: rect) }.text()
    }
    #expect(Set(drawn).count == 10)
  }

  @Test func `words and ASCII have no large form`() throws {
    #expect(BigText("none", .text) == nil)
    let text = try #require(BigText("4.6%", .text))
    let drawn = picture(20, 3, .ascii) { canvas, rect in text.draw(on: &canvas, in: rect) }
    #expect(drawn.text() == ["", "", ""])
  }
}
