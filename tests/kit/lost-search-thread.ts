/** Preloaded into a worker: every other site process, starting with the first, loses its search index thread. */
import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'

const WORK = 'src/render/site-work.ts'
const OWN_WORK = 'tests/kit/losing-site-work.ts'

const { spawn } = childProcess
let started = 0
childProcess.spawn = ((command: string, args: string[], options: object) => {
  const isOfSite = Array.isArray(args) && args.some((arg) => arg.endsWith(WORK))
  const isLosing = isOfSite && started++ % 2 === 0
  const given = isLosing ? args.map((arg) => arg.replace(WORK, OWN_WORK)) : args
  return spawn(command, given, options)
}) as typeof spawn
syncBuiltinESMExports()
