/** `npm run eval:agent`: the tasks of bench/agent/evaluation, with the model of the environment or with recordings. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { prepare, root } from './prepare.mjs'

const evaluation = join(root, 'bench', 'agent', 'evaluation', 'run.ts')
const { status } = spawnSync(prepare(), [evaluation, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
process.exitCode = status ?? 1
