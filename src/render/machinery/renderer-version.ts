/** What a cached body depends on beside its content: the code that made it. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sha256Of } from '../../base/hash.ts'
import { compactFile } from './compact-file.ts'

interface Package {
  version: string
  dependencies: Record<string, string>
}

let version: string | null = null

/** Changes with any source file that has a part in a body, with the packages and with Node. Read once a process. */
export function rendererVersion(): string {
  version ??= digestSources()
  return version
}

/** For who knows it of an earlier process, and that the program is the same: then no source is read. */
export function knowRendererVersion(known: string): void {
  version ??= known
}

export function octavoVersion(): string {
  return readPackage().version
}

function digestSources(): string {
  const folder = fileURLToPath(new URL('../..', import.meta.url))
  const sources = globSync('{render,search,site,openapi,contract,base}/**/*.{ts,tsx,js,css}', { cwd: folder })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !/\.test\.[jt]s$/.test(path))
    .sort()
    .flatMap((path) => [path, readFileSync(join(folder, path))])
  const compacted = readFileSync(compactFile('versions.json'))
  return sha256Of(process.version, JSON.stringify(readPackage().dependencies), compacted, ...sources)
}

function readPackage(): Package {
  return JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as Package
}
