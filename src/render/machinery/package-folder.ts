/** Folder of an installed package, whatever its `exports` hide. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

export function packageFolder(name: string): string {
  const require = createRequire(import.meta.url)
  for (const root of require.resolve.paths(name) ?? []) {
    const manifest = join(root, name, 'package.json')
    // A bounded process may not even look into folders on the way up that hold no packages. The folder itself is no
    // question for Node: beside the package's own rights it denies what it grants for the files below.
    if (process.permission?.has('fs.read', manifest) === false) continue
    if (existsSync(manifest)) return join(root, name)
  }
  throw new Error(`the package ${name} is not installed`)
}
