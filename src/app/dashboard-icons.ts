/**
 * Drawings of the dashboard's icons for the bundler, so that no markup is parsed in the browser: `virtual:icons` has those
 * that the first view may show, and `virtual:icons/later`, which comes with every page, adds the others.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'esbuild'
import { findDrawing } from '../render/icons/icon-drawings.ts'

export const LATER_ICONS = 'virtual:icons/later'

/** All of the list `src/ui/icon-names.ts`. */
export async function listedIcons(sources: string): Promise<string[]> {
  const list = await readFile(join(sources, 'src', 'ui', 'icon-names.ts'), 'utf8')
  return [...list.matchAll(/^ {2}'([a-z0-9-]+)',$/gm)].map(([, name]) => name ?? '')
}

/** Those of `names` that stand in quotes in one of these modules: a word that only reads like an icon does no harm. */
export async function iconsNamedIn(
  modules: readonly string[],
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const texts = await Promise.all(modules.map((path) => readFile(path, 'utf8')))
  const quoted = new Set(
    texts.flatMap((text) => [...text.matchAll(/['"]([a-z0-9-]+)['"]/g)].map(([, word]) => word)),
  )
  return new Set(names.filter((name) => quoted.has(name)))
}

export function drawnIcons(names: readonly string[], first: ReadonlySet<string>): Plugin {
  const modules = new Map([
    ['virtual:icons', `export const ICONS = ${drawingsOf(names.filter((name) => first.has(name)))}`],
    [
      LATER_ICONS,
      `import { ICONS } from 'virtual:icons'
      Object.assign(ICONS, ${drawingsOf(names.filter((name) => !first.has(name)))})`,
    ],
  ])
  return {
    name: 'drawn-icons',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^virtual:icons/ }, ({ path }) => ({ path, namespace: 'drawn-icons' }))
      onLoad({ filter: /^/, namespace: 'drawn-icons' }, ({ path }) => ({ contents: modules.get(path) ?? '' }))
    },
  }
}

/** `[tag, attributes]` of each stroke, by the names of the icons. */
function drawingsOf(names: readonly string[]): string {
  const drawn = names.map((name) => {
    const drawing = findDrawing('lucide', name)
    if (drawing === null) throw new Error(`icon-names.ts lists ${name}, which the set does not have`)
    return [name, strokesOf(drawing.content)]
  })
  return JSON.stringify(Object.fromEntries(drawn))
}

function strokesOf(drawing: string): [string, Record<string, string>][] {
  return [...drawing.matchAll(/<([a-z]+)\s([^>]*?)\/?>/g)].map(([, tag = '', attributes = '']) => [
    tag,
    Object.fromEntries(
      [...attributes.matchAll(/([a-z0-9-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    ),
  ])
}
