/** Converts the layout: name, logo, colors, navbar, footer, banner. */
import type { FileTree } from '../../base/files/file-tree.ts'
import { readTextFile } from '../../site/text.ts'
import { omitUndefined } from '../imported-site.ts'
import { excerpt, type Notes } from '../notes.ts'
import { asFields, asItems, asText, type Fields } from '../values.ts'
import type { DocusaurusConfig } from './config.ts'

export interface ChromeDeps {
  tree: FileTree
  notes: Notes
  /** Returns the path of a static file on the new site, or a URL. */
  asset(path: string): string
  link(address: string): string
}

const DEFAULT_COLOR = '#25C2A0'
const SUPPORTED_THEME_KEYS = new Set(
  'navbar footer announcementBar colorMode image metadata prism docs tableOfContents algolia mermaid blog'.split(
    ' ',
  ),
)

export async function readChrome(
  deps: ChromeDeps,
  config: DocusaurusConfig,
): Promise<Record<string, unknown>> {
  const { fields, theme, file } = config
  for (const key of Object.keys(theme))
    if (!SUPPORTED_THEME_KEYS.has(key))
      deps.notes.add('setting', file, `themeConfig.${excerpt(key)} has no equivalent.`)
  if (theme.algolia !== undefined)
    deps.notes.add(
      'setting',
      file,
      'themeConfig.algolia is not imported because search is built in.',
      'No action is needed.',
    )
  for (const key of ['scripts', 'stylesheets', 'headTags', 'clientModules'])
    if (asItems(fields[key]).length > 0)
      deps.notes.add('style', file, `${key} in the configuration are not imported.`)
  const favicon = asText(fields.favicon)
  const socialImage = asText(theme.image)
  return omitUndefined({
    name: asText(fields.title) ?? 'Documentation',
    description: asText(fields.tagline),
    colors: { primary: await primaryColor(deps, config) },
    logo: convertLogo(deps, asFields(asFields(theme.navbar).logo)),
    favicon: favicon === null ? null : deps.asset(favicon),
    appearance: convertAppearance(asFields(theme.colorMode)),
    styling: config.hasMath ? null : { latex: false },
    navbar: convertNavbar(deps, config),
    footer: convertFooter(deps, asFields(theme.footer), file),
    banner: convertBanner(asFields(theme.announcementBar)),
    seo: socialImage === null ? null : { metatags: { 'og:image': deps.asset(socialImage) } },
  })
}

async function primaryColor({ tree, notes }: ChromeDeps, { customCss }: DocusaurusConfig): Promise<string> {
  for (const file of customCss) {
    if (!tree.files.has(file)) continue
    const css = await readTextFile(tree, file)
    notes.add('style', file, 'The styles are not imported because they target Docusaurus elements.')
    const color = /--ifm-color-primary:\s{0,20}(#[\da-fA-F]{6}|#[\da-fA-F]{3})\s{0,20};/.exec(css)?.[1]
    if (color) return color
  }
  return DEFAULT_COLOR
}

function convertLogo(deps: ChromeDeps, logo: Fields): unknown {
  const light = asText(logo.src)
  if (light === null) return null
  const href = asText(logo.href)
  return omitUndefined({
    light: deps.asset(light),
    dark: deps.asset(asText(logo.srcDark) ?? light),
    href: href === null ? null : deps.link(href),
  })
}

function convertAppearance(mode: Fields): unknown {
  const chosen = mode.respectPrefersColorScheme === true ? 'system' : asText(mode.defaultMode)
  if (chosen === null && mode.disableSwitch !== true) return null
  return omitUndefined({ default: chosen, strict: mode.disableSwitch === true || undefined })
}

/** Converts navbar links. Items for sidebars and versions become part of the navigation. */
function convertNavbar(deps: ChromeDeps, { theme, file }: DocusaurusConfig): unknown {
  const links: unknown[] = []
  const add = (fields: Fields) => {
    const address = asText(fields.href) ?? asText(fields.to)
    if (address === null) return false
    if (/^\/?blog(?:\/|$)/.test(address)) return true
    const isGitHub = /^https:\/\/github\.com\//.test(address)
    const label = asText(fields.label) ?? (isGitHub ? 'GitHub' : address)
    links.push(omitUndefined({ label, href: deps.link(address), icon: isGitHub ? 'github' : null }))
    return true
  }
  for (const item of asItems(asFields(theme.navbar).items)) {
    const fields = asFields(item)
    const type = asText(fields.type) ?? (fields.items === undefined ? 'link' : 'dropdown')
    if (/^(?:doc|docSidebar|docsVersion|docsVersionDropdown|localeDropdown|search)$/.test(type)) continue
    if (type === 'dropdown') for (const one of asItems(fields.items)) add(asFields(one))
    else if (!add(fields))
      deps.notes.add(
        'navigation',
        file,
        `A navbar item of type ${excerpt(type)} is not imported: ${excerpt(JSON.stringify(item) ?? '')}.`,
      )
  }
  return links.length === 0 ? null : { links }
}

/** Maximum number of footer columns in Octavo. */
const MAX_COLUMNS = 4

function convertFooter(deps: ChromeDeps, footer: Fields, file: string): unknown {
  const columns: { header?: string; items: unknown[] }[] = []
  for (const entry of asItems(footer.links)) {
    const fields = asFields(entry)
    const entries = fields.items === undefined ? [entry] : asItems(fields.items)
    const items = entries.flatMap((one) => {
      const { label, href, to, html } = asFields(one)
      const address = asText(href) ?? asText(to)
      if (address !== null && asText(label) !== null) return [{ label, href: deps.link(address) }]
      deps.notes.add(
        'setting',
        file,
        `A footer item is not imported: ${excerpt(asText(html) ?? JSON.stringify(one) ?? '')}.`,
      )
      return []
    })
    const header = asText(fields.title)
    if (fields.items === undefined && columns.at(-1)?.header === undefined)
      columns.at(-1)?.items.push(...items)
    if (items.length > 0 && (fields.items !== undefined || columns.length === 0))
      columns.push(omitUndefined({ header, items }) as never)
  }
  for (const column of columns.splice(MAX_COLUMNS)) columns.at(-1)?.items.push(...column.items)
  const copyright = asText(footer.copyright)
  if (copyright !== null)
    deps.notes.add(
      'setting',
      file,
      `The copyright notice in the footer has no equivalent: ${excerpt(copyright)}`,
    )
  return columns.length === 0 ? null : { links: columns }
}

function convertBanner(bar: Fields): unknown {
  const content = asText(bar.content)
  if (content === null) return null
  const text = content
    .replace(/<a\b[^<>]{0,300}?\bhref="([^"<>]{0,1000})"[^<>]{0,300}>([^<>]{0,300})<\/a>/g, '[$2]($1)')
    .replace(/<\/?(?:b|strong)>/g, '**')
    .replace(/<\/?(?:i|em)>/g, '*')
    .replace(/<[^<>]*>/g, '')
  return { content: text, dismissible: bar.isCloseable !== false }
}
