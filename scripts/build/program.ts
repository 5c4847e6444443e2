/** Bundles the program for Node: a few files load faster than two thousand modules. */
import { writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { build, type Metafile } from 'esbuild'
import { ENTRIES, sourceFile } from '../../src/base/files/program-files.ts'

/** Executables, native addons and packages for other platforms, which cannot be bundled. */
const UNBUNDLED = ['isolated-vm', 'esbuild', '@bruits/*', 'pg-native', '@orama/stemmers']
/** CommonJS packages that are loaded with `import()`. Not bundled, because they would lose their named exports. */
const LOADED_LATER = ['undici', 'mmdb-lib']

const COMMON = {
  bundle: true,
  format: 'esm',
  target: 'node24',
  logLevel: 'warning',
  legalComments: 'inline',
} as const

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
    // Errors and components are identified by their class and function names.
    keepNames: true,
    metafile: true,
    external: [...UNBUNDLED, ...LOADED_LATER],
    write: false,
    // Bundled CommonJS packages call `require`, which ES modules do not define.
    banner: {
      js: `import { createRequire as createOctavoRequire } from 'node:module'; const require = createOctavoRequire(import.meta.url);`,
    },
  })
  refuseNameless(metafile.outputs)
  await Promise.all(outputFiles.map(({ path, contents }) => writeFile(path, withPlainClosures(contents))))
  return new Set(Object.keys(metafile.outputs).map((path) => basename(path)))
}

const NAMING = 'var __name = (target, value) => '

/**
 * Makes esbuild's `__name` helper skip closures, because naming each new closure takes 5 % of the time of a
 * build. Classes and functions, which are created once, keep their names.
 */
function withPlainClosures(contents: Uint8Array): Uint8Array | string {
  const bytes = Buffer.from(contents.buffer, contents.byteOffset, contents.length)
  if (!bytes.includes(NAMING)) return contents
  return bytes.toString().replace(NAMING, `${NAMING}!("prototype" in target) ? target : `)
}

/** Rejects CommonJS packages whose named exports do not survive `import()`, before they fail at run time. */
function refuseNameless(outputs: Metafile['outputs']): void {
  const nameless = Object.values(outputs)
    .filter(
      ({ entryPoint, exports }) => entryPoint?.includes('node_modules/') && exports.join() === 'default',
    )
    .map(({ entryPoint }) => entryPoint)
  if (nameless.length > 0) throw new Error(`Name these packages in LOADED_LATER: ${nameless.join(', ')}`)
}

export async function bundleClient(file: string): Promise<void> {
  await build({
    ...COMMON,
    entryPoints: [sourceFile('client/client.ts')],
    outfile: file,
    platform: 'neutral',
  })
}
