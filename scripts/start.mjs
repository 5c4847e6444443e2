/** `npm start`: the server with embedded PostgreSQL and the sample site, after what it needs is installed and built. */
import { runCli } from '../bin/run.mjs'
import { prepare } from './prepare.mjs'

await prepare({ onlyRunning: true })
// --demo exports the sample at the first start.
runCli(['start', '--demo', ...process.argv.slice(2)])
