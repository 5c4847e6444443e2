/** `npm run -s octavo -- <command>`: the command line from a clone. Standard output belongs to the command alone. */
import { installOrExit } from './install.mjs'
import { runCli } from './run.mjs'

await installOrExit()
runCli(process.argv.slice(2))
