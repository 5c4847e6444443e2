/** `npm run build`, and before `npm pack`: makes `dist/`, from which a clone and a package run. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { prepare, root } from './prepare.mjs'

const build = join(root, 'scripts', 'build', 'build.ts')
const { status } = spawnSync(prepare({ builds: false }), [build, ...process.argv.slice(2)], {
  stdio: 'inherit',
})
process.exit(status ?? 1)
