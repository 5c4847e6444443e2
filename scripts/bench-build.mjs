/** `npm run bench:build`: see bench/build/run.ts. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { prepare, root } from './prepare.mjs'

const script = join(root, 'bench', 'build', 'run.ts')
const { status } = spawnSync(prepare(), [script, ...process.argv.slice(2)], { stdio: 'inherit' })
process.exit(status ?? 1)
