/** The program bundled for Node: few files load sooner than two thousand modules. */
import { writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { build, type Metafile } from 'esbuild'
import { ENTRIES, sourceFile } from '../../src/base/files/program-files.ts'

/** Programs and addons, and packages that only other systems have. */
const UNBUNDLED = ['isolated-vm', 'esbuild', '@bruits/*', 'pg-native', '@orama/stemmers']
/** CommonJS that is loaded when needed: bundled, `import()` would give it without its named exports. */
const LOADED_LATER = ['undici', 'mmdb-lib']

const COMMON = {
  bundle: true,
  format: 'esm',
  target: 'node24',
  logLevel: 'warning',
  legalComments: 'inline',
} as const

/** Names of the files that were made. */
export async function bundleProgram(folder: string): Promise<Set<string>> {
  const entries = Object.entries(ENTRIES).map(([name, source]) => [name, sourceFile(source)])
  const { metafile, outputFiles } = await build({
    ...COMMON,
    entryPoints: Object.fromEntries(entries),
    outdir: folder,
    chunkNames: '[name]-[hash]',
    splitting: true,
    platform: 'node',
    sourcemap: true,
    sourcesContent: false,
    // Errors and components are known by the names of their classes and functions.
    keepNames: true,
    metafile: true,
    external: [...UNBUNDLED, ...LOADED_LATER],
    write: false,
    // For packages that are CommonJS.
    banner: {
      js: `import { createRequire as createOctavoRequire } from 'node:module'; const require = createOctavoRequire(import.meta.url);`,
    },
  })
  refuseNameless(metafile.outputs)
  await Promise.all(outputFiles.map(({ path, contents }) => writeFile(path, withPlainClosures(contents))))
  return new Set(Object.keys(metafile.outputs).map((path) => basename(path)))
}

const NAMING = 'var __name = (target, value) => '

/** esbuild names each closure whenever it is made, a twentieth of a build; classes and functions need it, which are made once. */
function withPlainClosures(contents: Uint8Array): Uint8Array | string {
  const bytes = Buffer.from(contents.buffer, contents.byteOffset, contents.length)
  if (!bytes.includes(NAMING)) return contents
  return bytes.toString().replace(NAMING, `${NAMING}!("prototype" in target) ? target : `)
}

/** CommonJS behind an `import()` has lost its named exports, which shows only when it is used. */
function refuseNameless(outputs: Metafile['outputs']): void {
  const nameless = Object.values(outputs)
    .filter(
      ({ entryPoint, exports }) => entryPoint?.includes('node_modules/') && exports.join() === 'default',
    )
    .map(({ entryPoint }) => entryPoint)
  if (nameless.length > 0) throw new Error(`Name these packages in LOADED_LATER: ${nameless.join(', ')}`)
}

/** Runs anywhere, so it shares nothing with the program. */
export async function bundleClient(file: string): Promise<void> {
  await build({
    ...COMMON,
    entryPoints: [sourceFile('client/client.ts')],
    outfile: file,
    platform: 'neutral',
  })
}
