/** `npm run bench:build`: see bench/build/run.ts. */
import { join } from 'node:path'
import { prepare, root } from './prepare.mjs'
import { runChild } from './run-child.mjs'

const script = join(root, 'bench', 'build', 'run.ts')
const code = await runChild(await prepare(), [script, ...process.argv.slice(2)], 'inherit')
process.exit(code ?? 1)
