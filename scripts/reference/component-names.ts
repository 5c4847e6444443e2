/** Generates the list of built-in component names, for modules that must not load the components. */
import { join } from 'node:path'
import { build } from 'esbuild'

const RENDER = join(import.meta.dirname, '..', '..', 'src', 'render')

export async function describeComponents(): Promise<ReadonlyMap<string, string>> {
  const { metafile } = await build({
    entryPoints: [join(RENDER, 'components', 'island-parts.tsx')],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    outfile: 'parts.js',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  })
  const names = Object.values(metafile.outputs).flatMap((output) => output.exports)
  const rows = names.toSorted().map((name) => `  '${name}',\n`)
  const file = join(RENDER, 'tree', 'built-in-names.ts')
  return new Map([
    [
      file,
      `/** Generated from the exports of \`components/island-parts.tsx\` by \`npm run reference\`. */
export const BUILT_IN_NAMES: readonly string[] = [\n${rows.join('')}]\n`,
    ],
  ])
}
