/**
 * Scope for built-in components that render in the browser as part of an island. Replaces
 * `isolate/page-scope.ts` in island scripts.
 */

import { escapeHtml, formatAttributes } from '../html/html.ts'
import type { PageScope } from '../isolate/page-scope.ts'
import { slug } from '../tree/slug.ts'
import type { ComponentTexts } from '../words/component-texts.ts'
import { COMPONENT_TEXTS } from '../words/english.ts'

export { textOf } from '../isolate/page-scope.ts'

/** Icon library of the site, inserted by the build of the island. */
declare const octavoIconLibrary: 'fontawesome' | 'lucide' | 'tabler'
declare const octavoIslands: {
  icon(key: string): string
  words: Partial<ComponentTexts>
}

// Rendering in the browser does not change the table of contents, which was created by the build.
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

/** Renders an icon that is included in the page or script, or an empty icon. */
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
