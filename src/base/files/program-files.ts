/**
 * Locations of the program's files. A clone and a package have the same folders: sources in `src/`, and `dist/` built
 * from them by `npm run build`. The program runs from `dist/`, or in a clone directly from the sources.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Entry points of processes and threads: name in `dist/` and source file. */
export const ENTRIES = {
  octavo: 'cli/main.ts',
  worker: 'app/worker-main.ts',
  'program-runner': 'base/program-runner.ts',
  sandbox: 'sandbox/inside/main.ts',
  'without-network': 'sandbox/without-network.ts',
  site: 'render/site-work.ts',
  'render-child': 'render/child/main.ts',
  search: 'render/search/search-worker.ts',
  thumbnail: 'render/thumbnail/worker.ts',
  'agent-tools': 'features/agent/loop/tool-work.ts',
  'agent-code': 'features/agent/code/code-work.ts',
  statements: 'features/statements/statement-work.ts',
} as const

export const IS_BUILT = import.meta.filename.endsWith('.js')

export const PROGRAM_ROOT = join(import.meta.dirname, IS_BUILT ? '..' : '../../..')

/** Returns the path of a file that is neither source nor built: `package.json`, `docs`, `examples/starter`. */
export function programFile(path: string): string {
  return join(PROGRAM_ROOT, path)
}

/** Returns the path of a source file that is read rather than run: `database/migrations`. */
export function sourceFile(path: string): string {
  return join(PROGRAM_ROOT, 'src', path)
}

export function builtFile(path: string): string {
  return join(PROGRAM_ROOT, 'dist', path)
}

export function entryFile(name: keyof typeof ENTRIES): string {
  return IS_BUILT ? builtFile(`${name}.js`) : sourceFile(ENTRIES[name])
}

/** Folder of package files that are read as data: fonts, icons, styles, grammars. The build copies them. */
export function packageFolder(name: string): string {
  return join(builtFile('packages'), name)
}

/** Imports a module from a package folder. `path` is trusted: validate any part that comes from users. */
export function importFromPackage<Module>(name: string, path: string): Promise<Module> {
  return import(pathToFileURL(join(packageFolder(name), path)).href)
}
