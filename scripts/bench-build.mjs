/** `npm run bench:build`: see bench/build/run.ts. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { installOrExit, node, root } from './install.mjs'

await installOrExit()
const script = join(root, 'bench', 'build', 'run.ts')
const { status } = spawnSync(node, [script, ...process.argv.slice(2)], { stdio: 'inherit' })
process.exit(status ?? 1)
