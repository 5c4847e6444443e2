/**
 * The program's own files. A clone and a package have the same folders: sources in `src/`, and in `dist/` what
 * `npm run build` makes of them. The program runs from `dist/`, or in a clone from the sources themselves.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** What processes and threads begin with: name of the file in `dist/`, and its source. */
export const ENTRIES = {
  octavo: 'cli/main.ts',
  worker: 'app/worker-main.ts',
  sandbox: 'sandbox/inside/main.ts',
  'without-network': 'sandbox/without-network.ts',
  site: 'render/site-work.ts',
  'render-child': 'render/child/main.ts',
  search: 'render/search/search-worker.ts',
  thumbnail: 'render/thumbnail/worker.ts',
  'agent-tools': 'features/agent/loop/tool-work.ts',
  'agent-code': 'features/agent/code/code-work.ts',
} as const

export const IS_BUILT = import.meta.filename.endsWith('.js')

/** Folder of the package. */
export const PROGRAM_ROOT = join(import.meta.dirname, IS_BUILT ? '..' : '../../..')

/** Path of a file that is neither source nor built: `package.json`, `docs`, `examples/starter`. */
export function programFile(path: string): string {
  return join(PROGRAM_ROOT, path)
}

/** Path of a file among the sources that is read, not run: `database/migrations`. */
export function sourceFile(path: string): string {
  return join(PROGRAM_ROOT, 'src', path)
}

export function builtFile(path: string): string {
  return join(PROGRAM_ROOT, 'dist', path)
}

export function entryFile(name: keyof typeof ENTRIES): string {
  return IS_BUILT ? builtFile(`${name}.js`) : sourceFile(ENTRIES[name])
}

/** Folder with files of a package that are read as they are: fonts, icons, styles, grammars. The build copies them. */
export function packageFolder(name: string): string {
  return join(builtFile('packages'), name)
}

/** Loads a module of such a package. `path` is trusted: check the part of it that a stranger wrote. */
export function importOfPackage<Module>(name: string, path: string): Promise<Module> {
  return import(pathToFileURL(join(packageFolder(name), path)).href)
}
