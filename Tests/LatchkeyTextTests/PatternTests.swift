import LatchkeyText
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct PatternTests {
    /// Patterns on which backtracking engines practically never terminate. The test passes if it ends.
    static let evil = [
        "(a+)+$", "(a+)+b", "([a-zA-Z]+)*b", "(a|aa)+b", "(a|a?)+b", "(.*a){20}b", "(a|a)*b", "(a*)*b", "(a*)*(a*)*b",
        "(.*)*b", "(.*.*.*.*.*.*)*b", "(.*)(.*)(.*)(.*)(.*)[b-z]", "(a?){500}a{500}b", "((a?){30}){30}b",
        "a*a*a*a*a*a*b",
        "(.{0,500}){2}b", "(([a-z])+.)+[A-Z]([a-z])+", "(\\w+\\s?)*b", "([a-z]{0,900})b", "(\\pL+|a+|\\w+)+!",
        "^(([a-z])+.)+[A-Z]([a-z])+$", "(?i)(a+|A+)*b", "(x+x+)+y|(a+a+)+b",
    ]

    /// S-124; `scripts/bench patterns` measures the times.
    @Test(arguments: evil)
    func `a pattern that causes other engines to backtrack terminates`(source: String) throws {
        let pattern = try Pattern(source)
        let text = String(repeating: "a", count: Pattern.maximumTextBytes)
        #expect(pattern.matches(text) == (source == "(a+)+$"))
        #expect(!pattern.matches((text.dropLast() + "\u{7F}")))
    }

    @Test func `a string that exceeds the limit never matches`() throws {
        let pattern = try Pattern("(a+)+$")
        for (count, matches) in [(1, true), (4096, true), (4097, false), (100_000, false)] {
            #expect(pattern.matches(String(repeating: "a", count: count)) == matches, "\(count)")
        }
        #expect(!(try Pattern("é*")).matches(String(repeating: "é", count: 2049)), "in bytes")
    }

    @Test(arguments: [
        ("\\p{L}", "é", true), ("\\p{L}", "1", false), ("\\p{Lu}", "É", true), ("\\p{Lu}", "é", false),
        ("\\p{Nd}+", "\u{0661}\u{0967}3", true), ("\\p{Han}+", "中文", true), ("\\p{Cyrillic}+", "Ада", true),
        ("\\p{Cyrillic}+", "Aда", false), ("\\P{Greek}+", "abc", true), ("\\P{Greek}+", "abγ", false),
        ("[^\\x{0}-\\x{7F}]", "é", true), (".", "\u{10FFFF}", true), (".{2}", "é", false), (".{2}", "e\u{301}", true),
        ("\\p{Emoji}", "x", nil), ("\\p{L}", "\u{A7D0}", true),
    ])
    func `character classes follow Unicode, and a character is one code point`(
        row: (source: String, text: String, matches: Bool?)
    ) throws {
        guard let matches = row.matches else {
            #expect(throws: Pattern.Refusal.malformed(.badCharacterRange)) { try Pattern(row.source) }
            return
        }
        #expect(try Pattern(row.source).matches(row.text) == matches)
    }

    @Test func `a NUL is an ordinary character for a pattern`() throws {
        let pattern = try Pattern("a\0b")
        #expect(pattern.matches("a\0b"))
        #expect(!pattern.matches("a"))
        #expect(!pattern.matches("a\0c"))
        #expect(!(try Pattern("a")).matches("a\0b"))
        #expect(throws: Pattern.Refusal.malformed(.missingParenthesis)) { try Pattern("a\0(") }
    }

    @Test func `the empty pattern matches only the empty string`() throws {
        #expect(try Pattern("").matches(""))
        #expect(try !Pattern("").matches("a"))
    }

    @Test(
        arguments: [
            ("a\\y", .badEscape), ("\\1", .badEscape), ("[z-a]", .badCharacterRange), ("[a", .missingBracket),
            ("(a", .missingParenthesis), ("a)", .unexpectedParenthesis), ("a\\", .trailingBackslash),
            ("*", .repeatArgument), ("a{1001}", .repeatSize), ("a{2,1}", .repeatSize), ("a**", .repeatOperator),
            ("(?=a)", .badPerlOperator), ("(?P<n", .badNamedCapture),
        ] as [(String, Pattern.Mistake)])
    func `an invalid pattern is refused with its kind of error`(source: String, mistake: Pattern.Mistake) {
        #expect(throws: Pattern.Refusal.malformed(mistake)) { try Pattern(source) }
    }

    @Test func `the sizes of the source and of the compiled pattern are limited`() throws {
        #expect(try Pattern(String(repeating: "a", count: 256)).source.utf8.count == 256)
        #expect(throws: Pattern.Refusal.tooLong) { try Pattern(String(repeating: "a", count: 257)) }
        #expect(throws: Pattern.Refusal.tooLong) { try Pattern(String(repeating: "é", count: 129)) }
        #expect(throws: Pattern.Refusal.tooLong) { try Pattern(String(repeating: "(", count: 1_048_576)) }
        #expect(throws: Pattern.Refusal.tooLarge) { try Pattern("\\p{L}{1000}") }
        let full = "[" + String(repeating: "a", count: 254) + "]"
        #expect(try Pattern(everyScalarIn: full).matches("aaa"))
    }

    @Test func `each kind of pattern error has its own code`() {
        let codes = Pattern.Mistake.allCases.map(\.code)
        #expect(Set(codes).count == codes.count && codes.count == 14)
    }

    @Test(arguments: [
        "a-z", "abc", ".", "[a]|[b]", "[a][b]", "[[a]", "[]a]", "\\pL", "(?:[a])", "[a]\\", "[[:alpha]", "x[a]", "",
        "[a] ", "[a]x[b]", "[^]a]", "[[:a]x]", "[[:a[[:aa]b]", "[[:]x]", "[a-[:alpha:]x]",
    ])
    func `a pattern for single scalars is refused unless it is one class in brackets`(source: String) {
        #expect(throws: Pattern.Refusal.self) { try Pattern(everyScalarIn: source) }
    }

    @Test(arguments: [
        "[a]", "[^a]", "[\\]]", "[\\[a]", "[[:alpha:]]", "[[:alpha:][:^digit:]_]", "[\\p{Greek}]", "[\\x{41}-Z]", "[é]",
    ])
    func `a pattern for single scalars may be one class in brackets`(source: String) throws {
        #expect(try Pattern(everyScalarIn: source).source == source)
        #expect(try Pattern(everyScalarIn: source).matches(""))
    }

    @Test func `a pattern for single scalars matches if each scalar matches`() throws {
        let whole = try Pattern(everyScalarIn: "[\\p{L}0-9]")
        let single = try Pattern("[\\p{L}0-9]")
        var generator = SeededGenerator(seed: 124)
        for _ in 0..<2_000 {
            let text = generator.text(upTo: 3)
            let each = text.unicodeScalars.allSatisfy { single.matches(String($0)) }
            #expect(whole.matches(text) == each, "\(text.unicodeScalars.map(\.notation))")
        }
    }

    @Test func `a pattern can be used by many tasks at once`() async throws {
        let pattern = try Pattern("(a|b|ab)*[a-y]{0,300}z")
        let verdicts = await withTaskGroup { group in
            for task in 0..<64 {
                group.addTask { @concurrent in
                    let text = String(repeating: "ab", count: 100 + task) + (task.isMultiple(of: 2) ? "z" : "!")
                    return (0..<50).allSatisfy { _ in pattern.matches(text) == task.isMultiple(of: 2) }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(verdicts.count == 64 && verdicts.allSatisfy { $0 })
    }
}

extension Pattern {
    // `#expect` splits a call into its parts, which is not possible with a span.
    fileprivate func matches(_ text: String) -> Bool { matchesWhole(text.utf8Span) }
}
