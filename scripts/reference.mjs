/** `npm run reference`: writes the pages of the documentation that are made from the program. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { prepare, root } from './prepare.mjs'

const { status } = spawnSync(prepare(), [join(root, 'scripts', 'reference', 'write.ts')], {
  stdio: 'inherit',
})
process.exitCode = status ?? 1
