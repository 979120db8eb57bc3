nil                                                                                                                             

// original-source-range: /work/main/Sources/LatchkeyTerminal/Recording/ReplayFeed.swift:140:46-140:56
