/** `npm run -s octavo -- <command>`: the command line from a clone. Standard output belongs to the command alone. */
import { sep } from 'node:path'
import { runCli } from '../bin/run.mjs'
import { prepare, root } from './prepare.mjs'

await prepare({ onlyRunning: true })
stayWithPerson()
runCli(process.argv.slice(2))

/** npm runs a script in its package. With `npm --prefix` from elsewhere, names of files are meant from there. */
function stayWithPerson() {
  const { INIT_CWD: folder } = process.env
  if (folder && !`${folder}${sep}`.startsWith(`${root}${sep}`)) process.chdir(folder)
}
