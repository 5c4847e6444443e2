/** `npm run build`, also run by `npm pack`: builds `dist/`, from which both a clone and a package run. */
import { join } from 'node:path'
import { prepare, root } from './prepare.mjs'
import { runChild } from './run-child.mjs'

const build = join(root, 'scripts', 'build', 'build.ts')
const code = await runChild(await prepare({ builds: false }), [build, ...process.argv.slice(2)], 'inherit')
process.exit(code ?? 1)
