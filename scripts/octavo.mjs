/** `npm run -s octavo -- <command>`: the command line from a clone. Standard output belongs to the command alone. */

import { runCli } from '../bin/run.mjs'
import { installOrExit } from './install.mjs'

await installOrExit({ only: 'running' })
runCli(process.argv.slice(2))
