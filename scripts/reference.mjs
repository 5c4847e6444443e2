/** `npm run reference`: writes the pages of the documentation that are made from the program. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { installOrExit, node, root } from './install.mjs'

await installOrExit()
const { status } = spawnSync(node, [join(root, 'scripts', 'reference', 'write.ts')], { stdio: 'inherit' })
process.exitCode = status ?? 1
