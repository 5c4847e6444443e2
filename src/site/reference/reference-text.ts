/** MDX of generated pages, with external texts escaped. */
import { descriptionMarkdown } from '../../openapi/description.ts'
import type { LinkTo } from './reference-document.ts'

/** Maximum length of one description, in characters. */
const MAX_DESCRIPTION_CHARACTERS = 200_000

/** Converts Markdown of a comment or description to MDX without site variables and statements. */
export function safeMarkdown(text: string): string {
  return withoutVariables(descriptionMarkdown(text.slice(0, MAX_DESCRIPTION_CHARACTERS)))
    .replace(/^(?=(?:import|export)\b)/gm, '&#8203;')
    .trim()
}

/** Two braces would be a site variable. */
function withoutVariables(code: string): string {
  return code.replaceAll('{{', '{\u2060{')
}

function safeProse(text: string): string {
  return text
    .replace(/\{/g, '&#123;')
    .replace(/\}/g, '&#125;')
    .replace(/</g, '&lt;')
    .replace(/^(?=(?:import|export)\b)/gm, '&#8203;')
}

/** Escapes text for use within a sentence. */
export function safeText(text: string): string {
  return safeProse(text).replace(/[\\`*_[\]#|~$]/g, '\\$&')
}

export function fence(language: string, code: string, title = ''): string {
  const longest = Math.max(2, ...(code.match(/`{3,}/g) ?? []).map((ticks) => ticks.length))
  const ticks = '`'.repeat(longest + 1)
  return `${ticks}${language}${title === '' ? '' : ` ${title}`}\n${withoutVariables(code)}\n${ticks}`
}

export interface FieldText {
  name: string
  type: string
  /** Names in the type that may have a page. */
  types: readonly string[]
  isRequired?: boolean
  /** Null if not deprecated; empty if no reason is given. */
  deprecated: string | null
  default?: string | null
  description: string
}

export function field(tag: 'ParamField' | 'ResponseField', one: FieldText, linkTo: LinkTo): string {
  const props = [
    `${tag === 'ParamField' ? 'body' : 'name'}={${JSON.stringify(one.name)}}`,
    one.type === '' ? '' : `type={${JSON.stringify(one.type)}}`,
    one.isRequired ? 'required' : '',
    one.deprecated === null ? '' : 'deprecated',
    one.default ? `default={${JSON.stringify(one.default)}}` : '',
  ].filter((prop) => prop !== '')
  const parts = [
    safeMarkdown(one.description),
    one.deprecated ? `**Deprecated:** ${safeMarkdown(one.deprecated)}` : '',
    links(one.types, linkTo),
  ].filter((part) => part !== '')
  return `<${tag} ${props.join(' ')}>\n${parts.join('\n\n')}\n</${tag}>`
}

/** Links to the pages of types; empty if none of them has one. */
export function links(types: readonly string[], linkTo: LinkTo): string {
  const found = [...new Set(types)].flatMap((name) => {
    const route = linkTo(name)
    return route === null ? [] : [`[${safeText(name)}](${route})`]
  })
  return found.length === 0 ? '' : `See ${found.join(', ')}.`
}

/** Joins nonblank parts with empty lines. */
export function joinParts(...parts: readonly string[]): string {
  return parts.filter((part) => part.trim() !== '').join('\n\n')
}
