/** `npm run -s octavo -- <command>`: the command line from a clone. Only the command writes to standard output. */
import { sep } from 'node:path'
import { runCli } from '../bin/run.mjs'
import { prepare, root } from './prepare.mjs'

await prepare({ onlyRunning: true })
stayWithPerson()
runCli(process.argv.slice(2))

/** Changes to the folder in which the user called npm, because npm runs scripts in the package's folder. */
function stayWithPerson() {
  const { INIT_CWD: folder } = process.env
  if (folder && !`${folder}${sep}`.startsWith(`${root}${sep}`)) process.chdir(folder)
}
