/** What the bundler of the dashboard cannot do by itself: drawings of icons, and styles of the classes that are used. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { Scanner } from '@tailwindcss/oxide'
import type { Plugin } from 'esbuild'
import { compile } from 'tailwindcss'
import { findDrawing } from '../render/icons/icon-drawings.ts'
import type { JoinedParts } from './dashboard-parts.ts'

/**
 * `virtual:icons`: the drawings of the icons that this file lists, as `[tag, attributes]` of each stroke, so that no
 * markup is parsed in the browser.
 */
export function drawnIcons(list: string): Plugin {
  return {
    name: 'drawn-icons',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^virtual:icons$/ }, ({ path }) => ({ path, namespace: 'drawn-icons' }))
      onLoad({ filter: /^/, namespace: 'drawn-icons' }, async () => {
        const names = [...(await readFile(list, 'utf8')).matchAll(/^ {2}'([a-z0-9-]+)',$/gm)].map(
          ([, name]) => name ?? '',
        )
        const drawn = names.map((name) => {
          const drawing = findDrawing('lucide', name)
          if (drawing === null) throw new Error(`icon-names.ts lists ${name}, which the set does not have`)
          return [name, strokesOf(drawing.content)]
        })
        return { contents: `export const ICONS = ${JSON.stringify(Object.fromEntries(drawn))}` }
      })
    },
  }
}

function strokesOf(drawing: string): [string, Record<string, string>][] {
  return [...drawing.matchAll(/<([a-z]+)\s([^>]*?)\/?>/g)].map(([, tag = '', attributes = '']) => [
    tag,
    Object.fromEntries(
      [...attributes.matchAll(/([a-z0-9-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    ),
  ])
}

/**
 * A module that is loaded on demand comes after the first one, so it may say that it needs it. Then all that the first
 * one has is shared by the same modules, which makes it one file; it would be fifteen. In the same way it asks for the
 * parts that it has been joined to.
 */
export function afterFirst(sources: string, first: string, parts: JoinedParts): Plugin {
  return {
    name: 'after-first',
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /^/ }, async ({ path, kind, ...from }) => {
        if (kind !== 'dynamic-import') return null
        const found = await resolve(path, { ...from, kind: 'import-statement' })
        return { ...found, pluginData: onDemand }
      })
      onLoad({ filter: /^/ }, async ({ path, pluginData }) => {
        if (pluginData !== onDemand) return null
        const needed = [first, ...(parts.get(relative(sources, path).replaceAll('\\', '/')) ?? [])]
        const lines = needed.map((module) => `import ${JSON.stringify(join(sources, module))}`)
        const contents = [await readFile(path, 'utf8'), ...lines, ''].join('\n')
        return { contents, loader: path.endsWith('.tsx') ? 'tsx' : 'js', resolveDir: dirname(path) }
      })
    },
  }
}

/** For a look at the scripts alone. */
export function noStyles(): Plugin {
  return {
    name: 'no-styles',
    setup({ onLoad }) {
      onLoad({ filter: /\.css$/ }, () => ({ contents: '' }))
    },
  }
}

const onDemand = Symbol('loaded on demand')

/** The style sheet that asks for Tailwind gets the classes that the sources use. */
export function utilityClasses(): Plugin {
  return {
    name: 'utility-classes',
    setup({ onLoad }) {
      onLoad({ filter: /\/app\.css$/ }, async ({ path }) => {
        const folder = dirname(path)
        const { build, root, sources } = await compile(await readFile(path, 'utf8'), {
          base: folder,
          loadStylesheet: readSheet,
        })
        if (root === null || root === 'none')
          throw new Error('app.css does not say where its classes are used')
        const scanner = new Scanner({ sources: [{ ...root, negated: false }, ...sources] })
        return { contents: build(scanner.scan()), loader: 'css', resolveDir: folder }
      })
    },
  }
}

/** `./tokens.css`, or `tailwindcss/preflight` of the package. */
async function readSheet(id: string, base: string) {
  const path = id.startsWith('.') ? join(base, id) : createRequire(join(base, 'app.css')).resolve(`${id}.css`)
  return { path, base: dirname(path), content: await readFile(path, 'utf8') }
}
