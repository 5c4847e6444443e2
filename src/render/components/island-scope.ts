/**
 * Page functions for built-in components that render in a browser, as part of an island. Replaces
 * `isolate/page-scope.ts` in the scripts of islands.
 */

import { escapeHtml, formatAttributes } from '../html/html.ts'
import type { PageScope } from '../isolate/page-scope.ts'
import { slug } from '../tree/slug.ts'
import type { ComponentTexts } from '../words/component-texts.ts'
import { COMPONENT_TEXTS } from '../words/languages/en.ts'

export { textOf } from '../isolate/page-scope.ts'

/** The site's icon library, inserted when the island's script is built. */
declare const octavoIconLibrary: 'fontawesome' | 'lucide' | 'tabler'
/** API of the island runtime. */
declare const octavoIslands: {
  icon(key: string): string
  words: Partial<ComponentTexts>
}

// Headings, code and tags were recorded when the page was built; later ones do not change its contents.
const scope: PageScope = {
  iconLibrary: octavoIconLibrary,
  hasAnchors: true,
  isInIsland: true,
  icon: drawIcon,
  text: (word) => octavoIslands.words[word] ?? COMPONENT_TEXTS[word],
  heading: ({ text, id }) => id ?? (slug(text) || 'section'),
  anchor: (text) => slug(text) || 'section',
  otherAnchor: (id) => id || null,
  headingAliases: () => [],
  code: (code) => `<code>${escapeHtml(code)}</code>`,
  updateTag: () => {},
  usesMermaid: () => {},
}

/** Uses the drawing from the page or the script; the icon is empty if neither has it. */
function drawIcon(attributes: Readonly<Record<string, string>>): string {
  const {
    'data-l': library,
    'data-n': name,
    'data-s': style = '',
    'data-z': size = '16',
    ...rest
  } = attributes
  const [, own = '', content = ''] =
    /^<svg([^>]*)>([\s\S]*)<\/svg>$/.exec(octavoIslands.icon(`${library}/${name}/${style}`)) ?? []
  const drawing = own.replace(/\s(?:width|height|class|style|role|aria-[\w-]+)="[^"]*"/g, '')
  return `<svg${drawing}${formatAttributes({ width: size, height: size, ...rest })}>${content}</svg>`
}

export function pageScope(): PageScope {
  return scope
}
