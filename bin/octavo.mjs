#!/usr/bin/env node
/** The `octavo` command, for an installed package and for a clone on the PATH. */
import { existsSync } from 'node:fs'
import { runCli } from './run.mjs'

const chores = new URL('../scripts/prepare.mjs', import.meta.url)
if (existsSync(chores)) await (await import(chores.href)).prepare({ onlyRunning: true })
runCli(process.argv.slice(2))
