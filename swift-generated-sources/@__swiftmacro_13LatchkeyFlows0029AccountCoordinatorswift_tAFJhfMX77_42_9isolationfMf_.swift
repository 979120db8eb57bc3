nil                                                                                                                             

// original-source-range: /work/main/Sources/LatchkeyFlows/Coordinators/AccountCoordinator.swift:78:43-78:53
