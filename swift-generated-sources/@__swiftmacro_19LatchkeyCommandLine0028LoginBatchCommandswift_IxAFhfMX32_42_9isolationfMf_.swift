nil                                                                                                                             

// original-source-range: /work/main/Sources/LatchkeyCommandLine/Commands/LoginBatchCommand.swift:33:43-33:53
