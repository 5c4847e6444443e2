/** `npm start`: installs what is missing, then runs the server with embedded PostgreSQL and the sample site. */

import { runCli } from '../bin/run.mjs'
import { installOrExit } from './install.mjs'

await installOrExit({ only: 'running' })
await runCli(['start', ...process.argv.slice(2)])
