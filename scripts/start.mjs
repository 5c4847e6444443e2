/** `npm start`: installs what is missing, then runs the server with embedded PostgreSQL and the sample site, exported once. */

import { runCli } from '../bin/run.mjs'
import { installOrExit } from './install.mjs'

await installOrExit({ only: 'running' })
// --demo exports the sample at the first start.
await runCli(['start', '--demo', ...process.argv.slice(2)])
