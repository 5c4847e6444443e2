/** Version of the renderer, included in the cache keys of bodies. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { IS_BUILT, programFile } from '../../base/files/program-files.ts'
import { hashParts } from '../../base/hash.ts'
import { readBuildFacts } from './build-facts.ts'

interface Package {
  version: string
  dependencies: Record<string, string>
}

let version: string | null = null

/**
 * Returns a digest that changes with the sources that affect bodies, with dependencies and with Node. Computed once per
 * process.
 */
export function rendererVersion(): string {
  version ??= hashParts(process.version, (IS_BUILT ? readBuildFacts()?.renderer : null) ?? rendererDigest())
  return version
}

export function octavoVersion(): string {
  return readPackage().version
}

export function rendererDigest(): string {
  const folder = programFile('.')
  const sources = globSync(
    [
      'src/{render,search,site,openapi,base,features/*/operations}/**/*.{ts,tsx,js,css}',
      'locales/*/site.json',
    ],
    { cwd: folder },
  )
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !/\.test\.[jt]s$/.test(path))
    .sort()
    .flatMap((path) => [path, readFileSync(join(folder, path))])
  return hashParts(...packages(), ...sources)
}

/** Returns the exact versions of dependencies. The second file exists only in a built program. */
function packages(): string[] {
  return ['package.json', 'src/package.json']
    .map(programFile)
    .filter((file) => existsSync(file))
    .map((file) => JSON.stringify((JSON.parse(readFileSync(file, 'utf8')) as Package).dependencies))
}

function readPackage(): Package {
  return JSON.parse(readFileSync(programFile('package.json'), 'utf8')) as Package
}
