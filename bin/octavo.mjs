#!/usr/bin/env node
/** The `octavo` command of an installed package, and of a clone that is on the PATH. */
import { existsSync } from 'node:fs'
import { runCli } from './run.mjs'

// Whoever installed a package has installed its dependencies too; a clone has its own installer.
const installer = new URL('../scripts/install.mjs', import.meta.url)
if (existsSync(installer)) {
  const { installOrExit } = await import(installer.href)
  await installOrExit({ only: 'running' })
}
await runCli(process.argv.slice(2))
