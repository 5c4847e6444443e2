/** Creates a page from its file, its frontmatter, its locations in the navigation, and its operation. */
import type { Problem } from '../../base/errors/problem.ts'
import { splitDescription } from '../../openapi/description.ts'
import { readIcon } from '../icon.ts'
import type { PageMode, Site, SitePage } from '../model.ts'
import type { Mention } from '../navigation/build-sidebars.ts'
import { createRouteTitle } from '../navigation/routes.ts'
import { quote } from '../problems.ts'
import { createOperationTitle } from '../reference/list-operations.ts'
import { type GeneratedPage, toApiOperation } from '../reference/operation-pages.ts'
import type { ReferencePage } from '../reference/reference-pages.ts'
import type { SiteConfig } from '../settings/config.ts'
import type { Frontmatter } from './frontmatter.ts'
import type { FrontmatterField } from './frontmatter-fields.ts'
import { parseDate } from './page-dates.ts'
import { resolveVisibility } from './visibility.ts'

export interface PageParts {
  route: string
  file: string | null
  frontmatter: Frontmatter
  shows: Pick<GeneratedPage, 'spec' | 'operation'> | null
  unfilled: string | null
  symbol?: Pick<ReferencePage, 'symbol' | 'text'> | null
  mentions: readonly Mention[]
}

export interface PageSurroundings {
  problems: Problem[]
  config: SiteConfig
  languages: Site['languages']
}

const MODES: readonly PageMode[] = ['default', 'wide', 'custom', 'frame', 'center', 'assistant']

export function createPage(around: PageSurroundings, parts: PageParts): SitePage {
  const { config } = around
  const { fields } = parts.frontmatter
  const read = createFieldReader(around.problems, parts)
  const symbol = parts.symbol?.symbol ?? null
  const inferred = parts.shows
    ? createOperationTitle(parts.shows.operation)
    : (symbol?.name ?? createRouteTitle(parts.route, config.name))
  const title = read.text('title') ?? inferred
  const visibility = resolveVisibility(around, parts, read)
  return {
    route: parts.route,
    file: parts.file,
    title,
    sidebarTitle: read.text('sidebarTitle') ?? title,
    description:
      read.text('description') ??
      symbol?.description ??
      splitDescription(parts.shows?.operation.description ?? null).subtitle,
    icon: readIcon(fields.icon, fields.iconType, config.icons.library),
    tag: read.text('tag'),
    mode: read.choice('mode', MODES) ?? 'default',
    url: read.text('url'),
    isDeprecated:
      read.flag('deprecated') ?? parts.shows?.operation.isDeprecated ?? symbol?.isDeprecated ?? false,
    ...visibility,
    boost: readBoost(fields.boost) ?? parts.mentions[0]?.boost ?? 1,
    keywords: read.texts('keywords'),
    language: parts.mentions[0]?.language ?? findRouteLanguage(around.languages, parts.route),
    frontmatter: fields,
    lastUpdated: parseDate(fields.lastUpdatedDate),
    original: null,
    bodyLine: parts.frontmatter.bodyLine,
    operation: parts.shows && toApiOperation(parts.shows),
    text: parts.symbol?.text ?? null,
    unfilled: parts.unfilled,
    placements: parts.mentions.map((mention) => mention.placement),
  }
}

function oneLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '').join(' ')
}

function readBoost(value: unknown): number | null {
  const boost = typeof value === 'string' ? Number(value) : value
  return typeof boost === 'number' && Number.isFinite(boost) && boost > 0 ? boost : null
}

/** Returns the language of a page outside the navigation: that of its folder, else the default. */
function findRouteLanguage(languages: Site['languages'], route: string): string {
  const folder = route.split('/', 2)[1]
  return (languages.find(({ code }) => code === folder) ?? languages[0])?.code ?? 'en'
}

interface FieldReader {
  text(key: FrontmatterField): string | null
  flag(key: FrontmatterField): boolean | null
  choice<Choice extends string>(key: FrontmatterField, choices: readonly Choice[]): Choice | null
  texts(key: FrontmatterField): string[]
}

function createFieldReader(problems: Problem[], parts: PageParts): FieldReader {
  const { fields } = parts.frontmatter
  const report = (key: FrontmatterField, expected: string) => {
    problems.push({
      file: parts.file ?? parts.shows?.spec ?? parts.route,
      line: parts.file === null ? null : parts.frontmatter.lineOf(key),
      code: 'frontmatter.type',
      level: 'warning',
      message: `${key} must be ${expected}, not ${quote(JSON.stringify(fields[key]) ?? 'nothing')}.`,
      remedy: `Write ${expected} for ${key}, or remove it.`,
    })
    return null
  }
  const text = (key: FrontmatterField): string | null => {
    const value = fields[key]
    if (value === undefined || value === null) return null
    if (typeof value === 'string') return oneLine(value) || null
    if (typeof value === 'number' || typeof value === 'boolean') return String(value)
    return report(key, 'a string')
  }
  return {
    text,
    flag(key) {
      const value = fields[key]
      if (value === undefined || value === null) return null
      if (typeof value === 'boolean') return value
      if (value === 'true' || value === 'false') return value === 'true'
      return report(key, 'true or false')
    },
    choice(key, choices) {
      const value = fields[key]
      if (value === undefined || value === null || value === '') return null
      return choices.find((choice) => choice === value) ?? report(key, `one of ${choices.join(', ')}`)
    },
    texts(key) {
      const value = fields[key]
      if (value === undefined || value === null) return []
      if (typeof value === 'string')
        return value
          .split(',')
          .map((word) => word.trim())
          .filter((word) => word !== '')
      if (!Array.isArray(value)) return report(key, 'a list of strings') ?? []
      return value.filter((word) => typeof word === 'string' || typeof word === 'number').map(String)
    },
  }
}
