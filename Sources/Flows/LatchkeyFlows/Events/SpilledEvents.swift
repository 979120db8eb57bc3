import LatchkeySystem

/// Events that wait in a file, oldest first.
struct SpilledEvents<Value: Sendable> {
    private let spill: EventSpill<Value>
    private var file: SpoolFile?
    /// Bytes that are not written yet.
    private var tail: [UInt8] = []
    /// Bytes read from the file; those from `start` on are not taken yet.
    private var head: [UInt8] = []
    private var start = 0
    private var offset = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    init(_ spill: EventSpill<Value>) { self.spill = spill }

    /// - Returns: false if the disk is full or the folder does not exist.
    mutating func append(_ value: Value) -> Bool {
        if tail.count >= SpoolFile.blockBytes {
            do throws(FileError) {
                if file == nil { file = try SpoolFile(inFolder: spill.folder) }
                try file?.append(tail.span)
            } catch {
                return false
            }
            tail.removeAll(keepingCapacity: true)
        }
        tail += spill.encode(value)
        tail.append(UInt8(ascii: "\n"))
        count += 1
        return true
    }

    /// Removes at most `limit` events. Reports events that can no longer be read as a gap.
    mutating func removeFirst(_ limit: Int) -> [DeliveredEvent<Value>] {
        var taken: [DeliveredEvent<Value>] = []
        while taken.count < limit, count > 0 {
            guard let line = nextLine() else {
                taken.append(.missed(count))
                count = 0
                break
            }
            count -= 1
            taken.append(spill.decode(line).map { .event($0) } ?? .missed(1))
        }
        if count == 0 { reset() }
        return taken
    }

    private mutating func nextLine() -> [UInt8]? {
        while true {
            if let end = head[start...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { start = end + 1 }
                return Array(head[start..<end])
            }
            head.removeFirst(start)
            start = 0
            guard let file, offset < file.count else {
                guard !tail.isEmpty else { return nil }
                head += tail
                tail.removeAll(keepingCapacity: true)
                continue
            }
            guard let block = try? file.read(at: offset), !block.isEmpty else { return nil }
            offset += block.count
            head += block
        }
    }

    private mutating func reset() {
        file = nil
        offset = 0
        head = []
        start = 0
        tail = []
    }
}
