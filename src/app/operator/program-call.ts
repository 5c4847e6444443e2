/** Returns the shell command that runs this program, so that printed commands can be pasted. */
import { accessSync, constants, existsSync, realpathSync } from 'node:fs'
import { delimiter, join, sep } from 'node:path'
import { PROGRAM_ROOT } from '../../base/files/program-files.ts'
import { readCaller } from './caller.ts'

/** Returns `octavo` if it is on the PATH, `npx octavo` under npx, else the npm script of this clone. */
export function resolveProgramCommand(
  { path, isNpx, folder }: { path: string; isNpx: boolean; folder: string } = readCaller(),
  root: string = PROGRAM_ROOT,
): string {
  if (isNpx) return 'npx octavo'
  const isClone =
    existsSync(join(root, 'scripts', 'octavo.mjs')) && existsSync(join(root, 'package-lock.json'))
  if (!isClone || isOnPath(path, root)) return 'octavo'
  const isInside = `${folder}${sep}`.startsWith(`${realpathSync(root)}${sep}`)
  return isInside ? 'npm run -s octavo --' : `npm --prefix ${quoteForShell(root)} run -s octavo --`
}

/** Ignores entries that npm adds to the PATH for scripts. */
function isOnPath(path: string, root: string): boolean {
  return path
    .split(delimiter)
    .filter((folder) => folder !== '' && !folder.startsWith(join(root, 'node_modules')))
    .some((folder) => {
      try {
        accessSync(join(folder, 'octavo'), constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

export function quoteForShell(text: string): string {
  const trimmed = text.length > 1 ? text.replace(/\/$/, '') : text
  return /^[\w./:@=+,-]+$/.test(trimmed) ? trimmed : `'${trimmed.replaceAll("'", "'\\''")}'`
}
