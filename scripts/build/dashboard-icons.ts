/**
 * Embeds the dashboard's icons, so that the browser parses no SVG markup. `virtual:icons` holds the icons that the
 * first view may show; a module loaded with every page adds the others.
 */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'
import { findDrawing } from '../../src/render/icons/icon-drawings.ts'

const FIRST = 'virtual:icons'
const LATER = 'virtual:icons/later'

export function drawnIcons(sources: string): Plugin {
  const listed = namesIn(join(sources, 'ui/icon-names.ts'))
  const named = new Set(firstModules(join(sources, 'main.tsx')).flatMap(namesIn))
  const modules: Record<string, string> = {
    [FIRST]: `export const ICONS = ${drawingsOf(listed.filter((name) => named.has(name)))}`,
    [LATER]: `import { ICONS } from '${FIRST}'
      Object.assign(ICONS, ${drawingsOf(listed.filter((name) => !named.has(name)))})`,
  }
  return {
    name: 'drawn-icons',
    enforce: 'pre',
    resolveId: (id) => (id in modules ? `\0${id}` : null),
    load: (id) => modules[id.slice(1)] ?? null,
    transform: (code, id) => (/\/pages\/.*-page\.tsx$/.test(id) ? `${code}\nimport '${LATER}'\n` : null),
  }
}

function firstModules(main: string): string[] {
  const found = new Set([main])
  for (const file of found)
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/ from '(\.[^']+\.tsx?)'/g))
      if (!path.endsWith('/icon-names.ts')) found.add(join(dirname(file), path))
  return [...found]
}

function namesIn(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/['"]([a-z0-9-]+)['"]/g)].map(([, name = '']) => name)
}

/** Serializes icons as a map from name to strokes of `[tag, attributes]`. */
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
