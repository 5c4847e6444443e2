/** `npm run eval:agent`: runs the tasks of bench/agent/evaluation with the configured model or with recordings. */
import { join } from 'node:path'
import { prepare, root } from './prepare.mjs'
import { runChild } from './run-child.mjs'

const evaluation = join(root, 'bench', 'agent', 'evaluation', 'run.ts')
const code = await runChild(await prepare(), [evaluation, ...process.argv.slice(2)], 'inherit')
process.exitCode = code ?? 1
