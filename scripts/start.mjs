/**
 * `npm start`: installs and builds what is missing, then runs the server with embedded PostgreSQL and a sample site.
 */
import { runCli } from '../bin/run.mjs'
import { prepare } from './prepare.mjs'

await prepare({ onlyRunning: true })
// --demo exports the sample on first start.
runCli(['start', '--demo', ...process.argv.slice(2)])
