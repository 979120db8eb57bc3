nil                                                                                                                             

// original-source-range: /work/main/Sources/LatchkeyHTTP/Server/HTTPServer.swift:78:39-78:49
