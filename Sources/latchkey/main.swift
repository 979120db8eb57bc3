import LatchkeyCommandLine

await CommandLineTool.main()
