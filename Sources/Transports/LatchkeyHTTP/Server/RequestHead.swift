import CMicroHTTPD
import Glibc

/// The request line of a request, in libmicrohttpd's buffer.
@unsafe struct RequestHead {
    let method: UnsafePointer<CChar>
    let version: UnsafePointer<CChar>
}

extension RequestGate {
    /// Reads the headers of a request.
    ///
    /// libmicrohttpd drops lines without a name, joins folded lines incorrectly, and treats a bare line feed as the end
    /// of a line. It parses in place, so its buffer still contains the original request line and headers. If they are
    /// not adjacent, or do not fill the head, libmicrohttpd has read the request differently from a proxy.
    init(_ limits: HTTPLimits, readingHeadOf connection: OpaquePointer, from head: RequestHead) {
        self.init(limits)
        var reader = unsafe HeadReader(gate: self, end: head.version + strlen(head.version))
        unsafe withUnsafeMutablePointer(to: &reader) { reader in
            _ = unsafe MHD_get_connection_values_n(
                connection, .HEADER_KIND,
                { reader, _, name, nameCount, value, valueCount in
                    guard let reader = unsafe reader?.assumingMemoryBound(to: HeadReader.self),
                        let name = unsafe name
                    else { return .NO }
                    unsafe reader.pointee.add(
                        UnsafeBufferPointer(start: name, count: nameCount),
                        UnsafeBufferPointer(start: value, count: valueCount))
                    return .YES
                }, reader)
        }
        self = reader.gate
        // The end of the last line and the end of the head.
        let size = unsafe reader.end - head.method + 4
        if unsafe latchkey_http_head_size(connection) != size { markMalformed() }
    }
}

/// Adds each header to the gate and checks that it directly follows the previous one.
@safe
private struct HeadReader {
    var gate: RequestGate
    /// The end of the last line.
    var end: UnsafePointer<CChar>

    mutating func add(_ name: UnsafeBufferPointer<CChar>, _ value: UnsafeBufferPointer<CChar>) {
        guard let nameStart = name.baseAddress else { return gate.markMalformed() }
        let nameEnd = unsafe nameStart + name.count
        // An empty value may have a null address.
        let valueStart = unsafe value.baseAddress ?? nameEnd + 1
        let gap = unsafe valueStart - nameEnd
        // The gap consists of the colon, which libmicrohttpd has replaced with a NUL, and blanks.
        if unsafe nameStart - end != 2 || gap < 1 || gap > 256 { gate.markMalformed() }
        unsafe end = valueStart + value.count
        unsafe name.withMemoryRebound(to: UInt8.self) { name in
            unsafe value.withMemoryRebound(to: UInt8.self) { value in
                unsafe gate.add(name: name.span, value: value.span)
            }
        }
    }
}
