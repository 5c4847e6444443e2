/** `npm start`: installs what is missing, then runs the server with embedded PostgreSQL and the sample site. */
import { installOrExit } from './install.mjs'
import { runCli } from './run.mjs'

await installOrExit()
runCli(['start', ...process.argv.slice(2)])
