#!/usr/bin/env node
/** The `octavo` command of an installed package, and of a clone that is on the PATH. */
import { installOrExit } from '../scripts/install.mjs'
import { runCli } from '../scripts/run.mjs'

await installOrExit()
runCli(process.argv.slice(2))
