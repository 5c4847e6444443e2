/** `npm run eval:agent`: the tasks of bench/agent/evaluation, with the model of the environment or with recordings. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { installOrExit, node, root } from './install.mjs'

await installOrExit()
const evaluation = join(root, 'bench', 'agent', 'evaluation', 'run.ts')
const { status } = spawnSync(node, [evaluation, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' })
process.exitCode = status ?? 1
