/** What the bundler of the dashboard cannot do by itself: parts that are joined, and styles of the classes that are used. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { Scanner } from '@tailwindcss/oxide'
import type { Plugin } from 'esbuild'
import { compile } from 'tailwindcss'
import { LATER_ICONS } from './dashboard-icons.ts'
import type { JoinedParts } from './dashboard-parts.ts'

/**
 * A module that is loaded on demand comes after the first one, so it may say that it needs it. Then all that the first
 * one has is shared by the same modules, which makes it one file; it would be fifteen. In the same way it asks for the
 * parts that it has been joined to, and for the icons that the first one does without.
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
        const own = parts.get(relative(sources, path).replaceAll('\\', '/')) ?? []
        const needed = [...[first, ...own].map((module) => join(sources, module)), LATER_ICONS]
        const lines = needed.map((module) => `import ${JSON.stringify(module)}`)
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
