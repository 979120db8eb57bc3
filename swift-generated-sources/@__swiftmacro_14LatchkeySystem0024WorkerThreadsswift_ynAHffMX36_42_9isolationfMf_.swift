nil                                                                                                                             

// original-source-range: /work/main/Sources/LatchkeySystem/Threads/WorkerThreads.swift:37:43-37:53
