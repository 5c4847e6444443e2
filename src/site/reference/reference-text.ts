/** MDX of generated pages, with external texts escaped. */
import { descriptionMarkdown } from '../../openapi/description.ts'
import type { LinkTo } from './reference-document.ts'

const MAX_DESCRIPTION_CHARACTERS = 200_000

/** Converts Markdown of a comment or description to MDX without site variables and statements. */
export function safeMarkdown(text: string): string {
  return withoutVariables(descriptionMarkdown(text.slice(0, MAX_DESCRIPTION_CHARACTERS)))
    .replace(/^(?=(?:import|export)\b)/gm, '&#8203;')
    .trim()
}

/** Separates double braces, which would be read as a site variable. */
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
  type?: string
  /** Names mentioned in the type, which are linked if they have a page. */
  types?: readonly string[]
  isRequired?: boolean
  /** Null if not deprecated; empty if no reason is given. */
  deprecated?: string | null
  default?: string | null
  description: string | undefined
}

export function field(
  tag: 'ParamField' | 'ResponseField',
  {
    name,
    type = '',
    types = [],
    isRequired,
    deprecated = null,
    default: standard,
    description = '',
  }: FieldText,
  linkTo: LinkTo,
): string {
  const props = [
    `${tag === 'ParamField' ? 'body' : 'name'}={${JSON.stringify(name)}}`,
    type === '' ? '' : `type={${JSON.stringify(type)}}`,
    isRequired ? 'required' : '',
    deprecated === null ? '' : 'deprecated',
    standard ? `default={${JSON.stringify(standard)}}` : '',
  ].filter((prop) => prop !== '')
  const parts = [
    safeMarkdown(description),
    deprecated ? `**Deprecated:** ${safeMarkdown(deprecated)}` : '',
    links(types, linkTo),
  ].filter((part) => part !== '')
  return `<${tag} ${props.join(' ')}>\n${parts.join('\n\n')}\n</${tag}>`
}

/** Returns links to the pages of types; empty if none of the types has a page. */
export function links(types: readonly string[], linkTo: LinkTo): string {
  const found = [...new Set(types)].flatMap((name) => {
    const route = linkTo(name)
    return route === null ? [] : [`[${safeText(name)}](${route})`]
  })
  return found.length === 0 ? '' : `See ${found.join(', ')}.`
}

export function joinParts(...parts: readonly string[]): string {
  return parts.filter((part) => part.trim() !== '').join('\n\n')
}
