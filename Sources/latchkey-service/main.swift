import LatchkeyCommandLine

await CommandLineTool.main(with: CommandTable.all(serving: Serving.run))
