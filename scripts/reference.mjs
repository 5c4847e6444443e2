/** `npm run reference`: writes the generated pages of the documentation. */
import { join } from 'node:path'
import { prepare, root } from './prepare.mjs'
import { runChild } from './run-child.mjs'

const code = await runChild(await prepare(), [join(root, 'scripts', 'reference', 'write.ts')], 'inherit')
process.exitCode = code ?? 1
