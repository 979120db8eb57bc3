nil                                                                                                                             

// original-source-range: /work/main/Sources/LatchkeyFlows/Events/EventBacklog.swift:46:50-46:60
