/** Folder of an installed package, whatever its `exports` hide. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

export function packageFolder(name: string): string {
  const require = createRequire(import.meta.url)
  for (const root of require.resolve.paths(name) ?? []) {
    // A bounded process may not even look into folders on the way up that hold no packages.
    if (process.permission?.has('fs.read', root) === false) continue
    const folder = join(root, name)
    if (existsSync(join(folder, 'package.json'))) return folder
  }
  throw new Error(`the package ${name} is not installed`)
}
