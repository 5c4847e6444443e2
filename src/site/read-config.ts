/** docs.json → every setting with its default; the navigation is read elsewhere. */

import type { Problem } from '../contract/problem.ts'
import { checkSchema } from './check-schema.ts'
import type { SiteConfig } from './config.ts'
import type { IconLibrary } from './icon.ts'
import { fieldOf, isFields, type JsonNode } from './json.ts'
import { readApi } from './read-api.ts'
import { readBanner, readContextual, readFooter, readNavbar } from './read-chrome.ts'
import { readFeedback } from './read-feedback.ts'
import {
  readChoice,
  readColor,
  readFields,
  readFlag,
  readItems,
  readPath,
  readText,
  reportSetting,
} from './read-json.ts'
import { readBackground, readCodeThemes, readFonts, readThemedImage } from './read-look.ts'
import { readIntegrations, readMarkdown, readSeo, readThumbnails } from './read-machines.ts'

/** Settings whose fields are read one by one below; the others report a wrong type where they are read. */
const OBJECT_KEYS =
  'appearance icons styling interaction errors metadata search api integrations thumbnails'.split(' ')

const THEMES = ['mint', 'maple', 'palm', 'willow', 'linden', 'almond', 'aspen', 'sequoia', 'luma'] as const

/** Used when a site names no colour of its own. */
const DEFAULT_PRIMARY = '#0f766e'

/** Wrong settings are reported, each once, and their defaults taken. */
export function readConfig(problems: Problem[], root: JsonNode): SiteConfig {
  const config = readSettings(problems, root)
  checkSchema(problems, root)
  return config
}

function readSettings(problems: Problem[], root: JsonNode): SiteConfig {
  requireKeys(problems, root)
  const at = (key: string) => fieldOf(root, key)
  for (const key of OBJECT_KEYS) readFields(problems, at(key), key)
  const library =
    readChoice(problems, fieldOf(at('icons'), 'library'), 'icons.library', [
      'fontawesome',
      'lucide',
      'tabler',
    ]) ?? 'fontawesome'
  const logo = at('logo')
  const logoImage = readThemedImage(problems, logo, 'logo')
  return {
    name: readText(problems, at('name'), 'name') ?? 'Documentation',
    description: readText(problems, at('description'), 'description'),
    theme: readChoice(problems, at('theme'), 'theme', THEMES) ?? 'mint',
    colors: readColors(problems, at('colors')),
    logo: logoImage && { ...logoImage, href: readPath(problems, fieldOf(logo, 'href'), 'logo.href') },
    favicon: readThemedImage(problems, at('favicon'), 'favicon'),
    appearance: readAppearance(problems, at('appearance')),
    icons: { library },
    fonts: readFonts(problems, at('fonts')),
    background: readBackground(problems, at('background')),
    styling: readStyling(problems, at('styling')),
    navbar: readNavbar(problems, at('navbar'), library),
    footer: readFooter(problems, at('footer')),
    banner: readBanner(problems, at('banner')),
    interaction: {
      drilldown: readFlag(problems, fieldOf(at('interaction'), 'drilldown'), 'interaction.drilldown'),
    },
    contextual: readContextual(problems, at('contextual'), library),
    feedback: readFeedback(problems, at('feedback'), fieldOf(at('integrations'), 'telemetry')),
    errors: { notFound: readNotFound(problems, at('errors')) },
    variables: readVariables(problems, at('variables')),
    metadata: {
      timestamp: readFlag(problems, fieldOf(at('metadata'), 'timestamp'), 'metadata.timestamp') ?? false,
    },
    search: { prompt: readText(problems, fieldOf(at('search'), 'prompt'), 'search.prompt') },
    seo: readSeo(problems, at('seo')),
    markdown: readMarkdown(problems, at('markdown')),
    thumbnails: readThumbnails(problems, at('thumbnails')),
    integrations: readIntegrations(problems, at('integrations')),
    api: readApi(problems, at('api')),
    languages: readLanguages(problems, fieldOf(at('navigation'), 'languages'), library),
  }
}

function requireKeys(problems: Problem[], root: JsonNode): void {
  const missing: [string, JsonNode | undefined, string][] = [
    ['name', fieldOf(root, 'name'), 'Documentation'],
    ['colors.primary', fieldOf(fieldOf(root, 'colors'), 'primary'), DEFAULT_PRIMARY],
  ]
  for (const [path, node, value] of missing) {
    if (node) continue
    const message = `${path} is missing; ${value} is used.`
    reportSetting(
      problems,
      root,
      'config.required',
      'warning',
      message,
      `Add ${path} to ${root.source.file}.`,
    )
  }
}

function readColors(problems: Problem[], node: JsonNode | undefined): SiteConfig['colors'] {
  readFields(problems, node, 'colors')
  const primary = readColor(problems, fieldOf(node, 'primary'), 'colors.primary') ?? DEFAULT_PRIMARY
  return {
    primary,
    light: readColor(problems, fieldOf(node, 'light'), 'colors.light') ?? primary,
    dark: readColor(problems, fieldOf(node, 'dark'), 'colors.dark') ?? primary,
  }
}

const APPEARANCES = ['system', 'light', 'dark'] as const
const EYEBROWS = ['section', 'breadcrumbs'] as const

function readAppearance(problems: Problem[], node: JsonNode | undefined): SiteConfig['appearance'] {
  return {
    default: readChoice(problems, fieldOf(node, 'default'), 'appearance.default', APPEARANCES) ?? 'system',
    strict: readFlag(problems, fieldOf(node, 'strict'), 'appearance.strict') ?? false,
  }
}

function readStyling(problems: Problem[], node: JsonNode | undefined): SiteConfig['styling'] {
  return {
    eyebrows: readChoice(problems, fieldOf(node, 'eyebrows'), 'styling.eyebrows', EYEBROWS) ?? 'section',
    latex: readFlag(problems, fieldOf(node, 'latex'), 'styling.latex'),
    codeblocks: readCodeThemes(problems, fieldOf(node, 'codeblocks')),
  }
}

function readNotFound(problems: Problem[], node: JsonNode | undefined): SiteConfig['errors']['notFound'] {
  const notFound = fieldOf(node, '404')
  return {
    redirect: readFlag(problems, fieldOf(notFound, 'redirect'), 'errors.404.redirect') ?? false,
    title: readText(problems, fieldOf(notFound, 'title'), 'errors.404.title'),
    description: readText(problems, fieldOf(notFound, 'description'), 'errors.404.description'),
  }
}

function readVariables(problems: Problem[], node: JsonNode | undefined): Readonly<Record<string, string>> {
  const variables: Record<string, string> = {}
  for (const [name, value] of readFields(problems, node, 'variables') ?? []) {
    if (!/^[\p{L}\p{N}_-]+$/u.test(name) || name === '__proto__') {
      const message = `The variable name ${JSON.stringify(name)} has other characters than letters, digits and hyphens.`
      reportSetting(problems, value, 'config.value', 'warning', message, 'Rename the variable.')
      continue
    }
    const text =
      typeof value.value === 'boolean' ? String(value.value) : readText(problems, value, `variables.${name}`)
    if (text !== null) variables[name] = text
  }
  return variables
}

function readLanguages(
  problems: Problem[],
  node: JsonNode | undefined,
  library: IconLibrary,
): SiteConfig['languages'] {
  const languages: Record<string, SiteConfig['languages'][string]> = {}
  for (const entry of readItems(problems, node, 'navigation.languages')) {
    const code = fieldOf(entry, 'language')?.value
    if (typeof code !== 'string' || !isFields(entry.value) || code === '__proto__') continue
    const own: Partial<Pick<SiteConfig, 'banner' | 'footer' | 'navbar'>> = {}
    if (entry.value.has('banner')) own.banner = readBanner(problems, entry.value.get('banner'))
    if (entry.value.has('footer')) own.footer = readFooter(problems, entry.value.get('footer'))
    if (entry.value.has('navbar')) own.navbar = readNavbar(problems, entry.value.get('navbar'), library)
    if (Object.keys(own).length > 0) languages[code] = own
  }
  return languages
}
