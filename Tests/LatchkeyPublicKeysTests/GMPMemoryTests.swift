import CHogweed
import Foundation
import LatchkeyPublicKeys
import LatchkeySecrets
import TestSupport
import Testing

/// Each test runs in a separate process, because GMP's functions for memory belong to the process.
@Suite(.timeLimit(.minutes(60)))
struct GMPMemoryTests {
    /// OpenID rule 27.
    @Test(.disabled(if: Sanitizers.areActive))
    func `no part of a private key stays in memory after its last use`() async {
        await #expect(processExitsWith: .success) {
            // GnuTLS, which libmicrohttpd loads, has installed functions that wipe too. These are GMP's own, which do not.
            __gmp_set_memory_functions(nil, nil, nil)
            for algorithm in SigningAlgorithm.allCases {
                var key: SigningKey? = try SigningKey.generate(algorithm, random: .system)
                let patterns = key.map { MaskedPattern.all(in: $0.privateKey) } ?? []
                try #require(patterns.count == (algorithm == .rs256 ? 10 : 2))
                _ = try key?.signature(of: [1, 2, 3], random: .system)
                // Everything that the search needs exists before the last use, because memory that it allocated later
                // could replace a copy of the key.
                var search = MemorySearch()
                try #require(patterns.contains { search.finds($0) }, "the key itself is still there")
                for _ in 0..<3 { _ = try key?.signature(of: [1, 2, 3], random: .system) }
                key = nil
                let found = patterns.firstIndex { search.finds($0) }
                #expect(found == nil, "\(algorithm): \(found.map { patterns[$0].name } ?? "")")
            }
        }
    }

    @Test func `numbers that other code allocated before the first key can grow and be freed after it`() async {
        await #expect(processExitsWith: .success) {
            var number = unsafe __mpz_struct()
            unsafe __gmpz_init_set_ui(&number, 3)
            _ = try SigningKey.generate(.es256, random: .system)
            unsafe __gmpz_ui_pow_ui(&number, 3, 10_000)
            #expect(unsafe __gmpz_sizeinbase(&number, 2) == 15_850)
            unsafe __gmpz_realloc2(&number, 64)
            unsafe __gmpz_clear(&number)
        }
    }

    @Test func `keys are used on several threads at once`() async throws {
        let key = try SigningKey.generate(.es256, random: .system)
        try await withThrowingTaskGroup { group in
            for index in 0..<16 {
                group.addTask {
                    let message = [UInt8(index)]
                    return try key.publicKey.isValid(key.signature(of: message, random: .system), of: message)
                }
            }
            for try await isValid in group { #expect(isValid) }
        }
    }
}

/// Some bytes of a private key, each changed by a mask, so that the search does not find the pattern itself.
private struct MaskedPattern {
    let name: String
    let bytes: [UInt8]

    private static let mask: UInt8 = 0x5A
    private static let byteCount = 24

    /// The middle of each secret number in a private key, in the order of the encoding and in the order of GMP.
    static func all(in key: Secret) -> [MaskedPattern] {
        if key.count == 121 { return both("the scalar", of: key, at: 7 + 4) }
        let names = ["version", "n", "e", "d", "p", "q", "d mod p-1", "d mod q-1", "1/q mod p"]
        return key.withBytes { bytes in
            var patterns: [MaskedPattern] = []
            var offset = 4
            for name in names {
                var (start, count) = (offset + 2, Int(bytes[offset + 1]))
                if count > 0x80 {
                    start += count - 0x80
                    count = ((offset + 2)..<start).reduce(0) { $0 << 8 | Int(bytes[$1]) }
                }
                offset = start + count
                if ["p", "q", "d mod p-1", "d mod q-1", "1/q mod p"].contains(name) {
                    patterns += both(name, of: key, at: start + count / 2)
                }
            }
            return patterns
        }
    }

    private static func both(_ name: String, of key: Secret, at start: Int) -> [MaskedPattern] {
        let bytes = key.withBytes { bytes in (start..<(start + byteCount)).map { bytes[$0] ^ mask } }
        return [
            MaskedPattern(name: name, bytes: bytes),
            MaskedPattern(name: name + " in the order of GMP", bytes: bytes.reversed()),
        ]
    }

    /// Whether the bytes at `start` are the pattern without its mask.
    func isAt(_ start: UnsafeRawPointer) -> Bool {
        for index in 0..<bytes.count where unsafe start.load(fromByteOffset: index, as: UInt8.self) != unmasked(index) {
            return false
        }
        return true
    }

    func unmasked(_ index: Int) -> UInt8 { bytes[index] ^ Self.mask }
}

/// Searches all writable memory of this process, without allocating more.
private struct MemorySearch {
    private let memory = unsafe open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
    private let ranges: [Range<Int>]
    private var chunk = [UInt8](repeating: 0, count: 1 << 16)

    init() {
        let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
        ranges = maps.split(separator: "\n").filter { $0.contains(" rw") }.compactMap { line in
            let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap { Int($0, radix: 16) }
            return ends.count == 2 ? ends[0]..<ends[1] : nil
        }
    }

    mutating func finds(_ pattern: MaskedPattern) -> Bool {
        // Otherwise, the next search would find the copy of a key that this one found.
        defer { unsafe explicit_bzero(&chunk, chunk.count) }
        for range in ranges {
            var start = range.lowerBound
            while start < range.upperBound {
                let count = unsafe pread(memory, &chunk, min(chunk.count, range.upperBound - start), start)
                if count >= pattern.bytes.count, contains(pattern, count) { return true }
                start += chunk.count - pattern.bytes.count
            }
        }
        return false
    }

    private func contains(_ pattern: MaskedPattern, _ count: Int) -> Bool {
        unsafe chunk.withUnsafeBytes { chunk in
            var start = chunk.baseAddress!
            let end = unsafe start + (count - pattern.bytes.count + 1)
            while unsafe start < end {
                guard let found = unsafe memchr(start, Int32(pattern.unmasked(0)), end - start) else { return false }
                if unsafe pattern.isAt(found) { return true }
                unsafe start = UnsafeRawPointer(found) + 1
            }
            return false
        }
    }
}
