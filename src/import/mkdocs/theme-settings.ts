/** Converts theme settings to docs.json. */
import { posix } from 'node:path'
import { omitUndefined } from '../imported-site.ts'
import { excerpt, type Notes } from '../notes.ts'
import { asFields, asItems, asText, type Fields } from '../values.ts'
import { type MkDocsConfig, settingText } from './config.ts'

const COLORS: Readonly<Record<string, string>> = {
  red: '#EF5552',
  pink: '#E92063',
  purple: '#AB47BD',
  'deep-purple': '#7E56C2',
  indigo: '#4051B5',
  blue: '#2094F3',
  'light-blue': '#02A6F2',
  cyan: '#00BDD6',
  teal: '#009485',
  green: '#4CAE4F',
  'light-green': '#8BC34B',
  lime: '#CBDC38',
  yellow: '#FFEC3D',
  amber: '#FFC105',
  orange: '#FFA724',
  'deep-orange': '#FF6E42',
  brown: '#795649',
  grey: '#757575',
  'blue-grey': '#546D78',
  black: '#000000',
  white: '#FFFFFF',
}
const DEFAULT_COLOR = '#4051B5'
/** Brands of footer links, matched against the name of the icon. */
const SOCIALS =
  'github gitlab discord slack linkedin instagram youtube facebook medium telegram bluesky threads reddit x-twitter twitter'.split(
    ' ',
  )
/** Settings that are converted or do not affect pages. */
const KNOWN_SETTINGS = new Set(
  (
    'site_name site_url site_description site_author repo_url repo_name edit_uri edit_uri_template docs_dir site_dir nav theme ' +
    'plugins markdown_extensions extra extra_css extra_javascript copyright use_directory_urls strict dev_addr watch ' +
    'validation not_in_nav exclude_docs draft_docs remote_branch remote_name INHERIT'
  ).split(' '),
)

export function readThemeSettings(
  notes: Notes,
  config: MkDocsConfig,
  asset: (path: string) => string,
): Record<string, unknown> {
  const { fields, theme } = config
  addUnsupportedSettingNotes(notes, config)
  const repository = settingText(fields.repo_url)
  const logo = asText(theme.logo)
  const favicon = asText(theme.favicon)
  const palettes = [theme.palette].flat().map(asFields)
  const font = asText(asFields(theme.font).text)
  return omitUndefined({
    name: settingText(fields.site_name) ?? 'Documentation',
    description: settingText(fields.site_description),
    colors: { primary: convertColor(palettes) },
    logo: logo === null ? null : asset(logo),
    favicon: favicon === null ? null : asset(favicon),
    appearance: convertAppearance(palettes),
    styling: config.extensions.has('pymdownx.arithmatex') ? null : { latex: false },
    fonts: font === null ? null : { family: font },
    navbar:
      repository === null
        ? null
        : {
            links: [
              {
                label: settingText(fields.repo_name) ?? nameFromUrl(repository),
                href: repository,
                icon: 'github',
              },
            ],
          },
    footer: convertFooter(notes, config),
  })
}

function convertColor(palettes: readonly Fields[]): string {
  const names = palettes
    .flatMap((palette) => asText(palette.primary) ?? [])
    .map((name) => name.replaceAll(' ', '-'))
  const name = names.find((one) => Object.hasOwn(COLORS, one) && one !== 'white' && one !== 'black')
  return (name && COLORS[name]) ?? DEFAULT_COLOR
}

function convertAppearance(palettes: readonly Fields[]): unknown {
  const schemes = palettes.map((palette) => (palette.scheme === 'slate' ? 'dark' : 'light'))
  if (palettes.length > 1)
    return { default: palettes.some(({ media }) => media !== undefined) ? 'system' : schemes[0] }
  return palettes[0]?.scheme === undefined ? null : { default: schemes[0], strict: true }
}

function nameFromUrl(url: string): string {
  return posix.basename(url.replace(/\.git$/, '')) || url
}

function convertFooter(notes: Notes, { fields, file }: MkDocsConfig): unknown {
  const socials: Record<string, string> = {}
  for (const entry of asItems(asFields(fields.extra).social)) {
    const { icon, link } = asFields(entry)
    const name = SOCIALS.find((one) => asText(icon)?.endsWith(one))
    const url = asText(link)
    if (url?.startsWith('https://')) socials[name ?? 'website'] ??= url
    else notes.add('setting', file, `A footer link is not imported: ${excerpt(url ?? '')}.`)
  }
  return Object.keys(socials).length === 0 ? null : { socials }
}

function addUnsupportedSettingNotes(notes: Notes, { fields, file, theme }: MkDocsConfig): void {
  const at = file
  for (const key of Object.keys(fields))
    if (!KNOWN_SETTINGS.has(key)) notes.add('setting', at, `${excerpt(key)} has no equivalent.`)
  for (const key of ['extra_css', 'extra_javascript'])
    for (const one of asItems(fields[key]))
      notes.add('style', at, `${key}: ${excerpt(asText(one) ?? JSON.stringify(one) ?? '')} is not imported.`)
  const copyright = settingText(fields.copyright)
  if (copyright !== null)
    notes.add('setting', at, `The copyright notice in the footer has no equivalent: ${excerpt(copyright)}`)
  if (fields.edit_uri !== undefined)
    notes.add(
      'setting',
      at,
      'edit_uri is not imported.',
      'Repository links are configured in the project settings.',
    )
  if (theme.custom_dir !== undefined)
    notes.add('style', at, `Templates in ${excerpt(String(theme.custom_dir))} are not imported.`)
  for (const key of Object.keys(asFields(fields.extra)))
    if (key !== 'social') notes.add('setting', at, `extra.${excerpt(key)} has no equivalent.`)
}
